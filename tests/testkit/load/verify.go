package load

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Verify compares the contents of database and storage with the acknowledged writes.
func Verify(ctx context.Context, conn *pgx.Conn, clients []*Client, found *Report) error {
	items, err := numbers(ctx, conn, "select id::text, version from public.items")
	if err != nil {
		return err
	}
	bookings, err := numbers(ctx, conn, "select id::text, 1 from public.bookings")
	if err != nil {
		return err
	}
	pairs, err := numbers(ctx, conn, "select pair::text, count(*)::int from public.pairs group by 1")
	if err != nil {
		return err
	}
	for _, c := range clients {
		for _, one := range c.items {
			version, there := items[one.id]
			if one.outcome == stored && (!there || version < one.confirmed || version > one.attempted) {
				found.AddViolation("lost write", "item %s: there %t, version %d, want %d to %d", one.id, there, version, one.confirmed, one.attempted)
			}
		}
		compareRows(found, "booking", c.bookings, bookings, 1)
		compareRows(found, "transaction", c.pairs, pairs, 2)
		for _, one := range c.objects {
			if one.outcome == stored {
				c.compare(ctx, "stored object", one)
			}
		}
	}
	return nil
}

// compareRows checks that all rows of an acknowledged write exist, none of a refused one, and all
// or none of one with an unknown outcome.
func compareRows(found *Report, what string, written map[string]outcome, there map[string]int, whole int) {
	for id, f := range written {
		rows := there[id]
		switch {
		case f == stored && rows != whole:
			found.AddViolation("lost write", "%s %s: %d of %d rows", what, id, rows, whole)
		case f == refused && rows != 0:
			found.AddViolation("refused write", "%s %s: %d rows are there", what, id, rows)
		case rows != 0 && rows != whole:
			found.AddViolation("half a write", "%s %s: %d of %d rows", what, id, rows, whole)
		}
	}
}

// VerifyRuns checks that the scheduled job of SharedMigration has run once in each minute at most.
func VerifyRuns(ctx context.Context, conn *pgx.Conn, found *Report) error {
	runs, err := numbers(ctx, conn, "select minute::text, count(*)::int from public.runs group by 1")
	if err != nil {
		return err
	}
	for minute, times := range runs {
		found.Count("scheduled run")
		if times > 1 {
			found.AddViolation("a job run twice", "%d times in minute %s", times, minute)
		}
	}
	return nil
}

func numbers(ctx context.Context, conn *pgx.Conn, query string) (map[string]int, error) {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	found := make(map[string]int)
	var id string
	var number int
	_, err = pgx.ForEachRow(rows, []any{&id, &number}, func() error { found[id] = number; return nil })
	return found, err
}
