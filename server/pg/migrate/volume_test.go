package migrate_test

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/tests/testkit"
)

// volumeFolder returns a project whose volume data is rows of table a. The SQL in part runs
// after each part of them.
func volumeFolder(part string) migrate.Source {
	return migrate.Project(folder(
		"migrations/0001_a.sql", "create table a (n int); create table trap (n int); create table steps (id int generated always as identity, step text);",
		"seed/volume/before/a.sql", "insert into steps (step) values ('before');",
		"seed/volume/a.sql", "insert into a select n from generate_series(1, current_setting('plaza.volume')::int) n; "+part,
		"seed/volume/after/a.sql", "insert into steps (step) values ('after');",
	))
}

const (
	rowsOfA   = "select count(*) from a"
	stepsTook = "select string_agg(step, ' ' order by id) from steps"
)

func TestVolumeIsTotalAmount(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := volumeFolder("")
	up(t, url, source)
	for _, run := range []struct {
		n           int
		rows, steps string
	}{
		{30, "30", "before after"},
		{30, "30", "before after"},
		{12, "30", "before after"},
		{60_000, "60000", "before after before after"},
	} {
		if _, err := migrate.Seed(t.Context(), url, source, migrate.Volume, run.n, nil); err != nil {
			t.Fatal(err)
		}
		wantValue(t, url, rowsOfA, run.rows)
		wantValue(t, url, stepsTook, run.steps)
	}
}

func TestVolumeResumesAfterFailure(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := volumeFolder(`do $$ begin
		if (select count(*) from a) > 50000 and exists (select from trap) then raise 'trapped'; end if;
	end $$;`)
	up(t, url, source)
	run(t, url, "insert into trap values (1)")
	if _, err := migrate.Seed(t.Context(), url, source, migrate.Volume, 60_000, nil); err == nil {
		t.Fatal("a part that fails returns no error")
	}
	wantValue(t, url, rowsOfA, "50000")
	wantValue(t, url, stepsTook, "before after")
	run(t, url, "delete from trap")
	if _, err := migrate.Seed(t.Context(), url, source, migrate.Volume, 60_000, nil); err != nil {
		t.Fatal(err)
	}
	wantValue(t, url, rowsOfA, "60000")
}

func TestInterruptedVolumeKeepsFinishedParts(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := volumeFolder("select case when (select count(*) from a) > 25000 then pg_sleep(3600) end;")
	up(t, url, source)
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	ended := make(chan error)
	go func() {
		_, err := migrate.Seed(ctx, url, source, migrate.Volume, 60_000, nil)
		ended <- err
	}()
	const sleeping = `select count(*) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
	for value(t, url, sleeping) != "1" {
		select {
		case err := <-ended:
			t.Fatalf("ended early: %v", err)
		default:
		}
	}
	interrupt()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	wantValue(t, url, sleeping, "0")
	wantValue(t, url, rowsOfA, "25000")
	wantValue(t, url, stepsTook, "before after")
}

func TestKilledVolumeIsFinishedByNextRun(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	source := volumeFolder("")
	up(t, url, source)
	seed := func() {
		t.Helper()
		if _, err := migrate.Seed(t.Context(), url, source, migrate.Volume, 30, nil); err != nil {
			t.Fatal(err)
		}
	}
	seed()
	run(t, url, "update plaza.volume set finished = false; delete from steps") // the state after a kill that follows the last part
	seed()
	wantValue(t, url, stepsTook, "after")
	wantValue(t, url, rowsOfA, "30")
}

func run(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), sql); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}
