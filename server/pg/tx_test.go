package pg_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg"
	"plaza/server/rest/settings"
	"plaza/tests/testkit"
	"plaza/tests/testkit/restkit"
)

// runInTx runs statements in one transaction and returns the first value of the last one.
func runInTx(t *testing.T, db *pg.DB, statements ...string) (value string, err error) {
	t.Helper()
	_, err = db.AsCaller(t.Context(), user(ana), pg.Settings{}, func(tx *pg.Tx) error {
		for _, sql := range statements {
			err := tx.Query(pg.Statement{SQL: sql}, func(row [][]byte) error { value = string(row[0]); return nil })
			if err != nil {
				return err
			}
		}
		return nil
	})
	return value, err
}

// Behind a connection pooler, no statement may stay prepared.
func TestUnpreparedTransactions(t *testing.T) {
	t.Parallel()
	for unprepared, want := range map[bool]string{true: "false", false: "true"} {
		api := restkit.Replicated(t, testkit.PlatformURL(t), nil, table, func(c *pg.Config) { c.MaxCallers, c.Unprepared = 1, unprepared })
		got, err := runInTx(t, api.ServerDB, "select 1", "select (count(*) > 0)::text from pg_prepared_statements")
		if err != nil || got != want {
			t.Errorf("unprepared %t: statements are prepared: %s (%v), want %s", unprepared, got, err, want)
		}
	}
}

func TestIgnoredFailureIsNotCommitted(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	_, err := api.ServerDB.AsCaller(t.Context(), user(ana), pg.Settings{}, func(tx *pg.Tx) error {
		if err := tx.Query(pg.Statement{SQL: "delete from public.things"}, nil); err != nil {
			return err
		}
		if err := tx.Query(pg.Statement{SQL: "select 1 / 0"}, nil); err == nil || !tx.Failed() {
			t.Errorf("error %v, failed %t", err, tx.Failed())
		}
		return nil
	})
	if err == nil {
		t.Error("AsCaller reports a commit")
	}
	if got := count(t, api.ServerDB, user(ana)); got != "1" {
		t.Errorf("%s rows are left", got)
	}
}

// After a change of a table, a statement that was prepared before fails once in a transaction.
// A single statement that is rolled back is retried and does not fail.
func TestTransactionAfterTableChange(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, func(c *settings.Config) { c.Pool = 1 })
	const sql = "select * from public.things"
	rolledBack := func() (columns int) {
		_, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{Rollback: true}, pg.Statement{SQL: sql},
			func(row [][]byte) error { columns = len(row); return nil })
		if err != nil {
			t.Error(err)
		}
		return columns
	}
	change := func(to string) {
		t.Helper()
		if _, err := api.ServerDB.Owner().Exec(t.Context(), "alter table things "+to); err != nil {
			t.Fatal(err)
		}
	}
	if got := rolledBack(); got != 2 {
		t.Fatalf("%d columns before", got)
	}
	change("add note text")
	if got := rolledBack(); got != 3 {
		t.Errorf("%d columns after the change", got)
	}
	change("add other text")
	if _, err := runInTx(t, api.ServerDB, sql); err == nil {
		t.Error("the statement that was prepared before should have failed")
	}
	if _, err := runInTx(t, api.ServerDB, sql); err != nil {
		t.Errorf("the second time: %v", err)
	}
}

// With replicas, pgx does not know of the commit of a service's transaction. It must not be followed by a rollback.
func TestServiceCommitsOnce(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	api := restkit.Replicated(t, address, []string{address}, table, nil)
	err := api.ServerDB.AsService(t.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), "update public.things set id = id")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var commits, rollbacks int
	if err := api.DB.QueryRow(t.Context(), `select count(*) filter (where query like '%; commit; %'), count(*) filter (where query = 'rollback')
		from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`).Scan(&commits, &rollbacks); err != nil {
		t.Fatal(err)
	}
	if commits != 1 || rollbacks != 0 {
		t.Errorf("%d connections committed last, %d rolled back", commits, rollbacks)
	}
}
