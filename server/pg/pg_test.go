package pg_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest/settings"
	"plaza/tests/testkit/restkit"
)

const table = `
	create table things (id int primary key, owner uuid);
	alter table things enable row level security;
	create policy own on things to authenticated using (owner = (select auth.uid()));
	insert into things values (1, '00000000-0000-4000-8000-00000000000a');
	do $$ begin execute format('alter role authenticated in database %I set statement_timeout = %L', current_database(), '8s'); end $$`

const ana = "00000000-0000-4000-8000-00000000000a"

func user(id string) claims.Caller {
	return claims.Caller{Role: claims.Authenticated, Subject: id, JSON: `{"role":"authenticated","sub":"` + id + `"}`}
}

func count(t *testing.T, db *pg.DB, who claims.Caller) string {
	t.Helper()
	var found string
	_, err := db.QueryAsCaller(t.Context(), who, pg.Settings{ReadOnly: true}, pg.Statement{SQL: "select count(*) from public.things"},
		func(row [][]byte) error { found = string(row[0]); return nil })
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestIdentityIsResetAfterRequest(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, func(c *settings.Config) { c.Pool = 1 })
	// All share one connection: settings of one request must not affect the next.
	for range 3 {
		if got := count(t, api.ServerDB, user(ana)); got != "1" {
			t.Errorf("the owner sees %s rows", got)
		}
		if got := count(t, api.ServerDB, user("00000000-0000-4000-8000-00000000000b")); got != "0" {
			t.Errorf("another user sees %s rows", got)
		}
		if got := count(t, api.ServerDB, claims.ForRole(claims.Anon)); got != "0" {
			t.Errorf("anon sees %s rows", got)
		}
	}
}

func TestReadOnlyTransaction(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	_, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{ReadOnly: true}, pg.Statement{SQL: "delete from public.things"}, nil)
	if err == nil {
		t.Fatal("the delete succeeded")
	}
	if got := count(t, api.ServerDB, user(ana)); got != "1" {
		t.Errorf("%s rows are left", got)
	}
}

func TestRollbackAndVerifyUndo(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	remove := pg.Statement{SQL: "with gone as (delete from public.things returning 1) select count(*) from gone"}
	ignore := func([][]byte) error { return nil }
	if _, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{Rollback: true}, remove, ignore); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	if _, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{Verify: func() error { return refused }}, remove, ignore); !errors.Is(err, refused) {
		t.Fatalf("error %v", err)
	}
	if got := count(t, api.ServerDB, user(ana)); got != "1" {
		t.Errorf("%s rows are left", got)
	}
	if _, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{Verify: func() error { return nil }}, remove, ignore); err != nil {
		t.Fatal(err)
	}
	if got := count(t, api.ServerDB, user(ana)); got != "0" {
		t.Errorf("%s rows are left after a verified delete", got)
	}
}

func TestFullPoolReturnsErrBusy(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, func(c *settings.Config) { c.Pool, c.AcquireTimeout = 1, settings.Seconds(20*time.Millisecond) })
	held, release := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		_, err := api.ServerDB.AsCaller(context.Background(), user(ana), pg.Settings{}, func(*pg.Tx) error {
			close(held)
			<-release
			return nil
		})
		done <- err
	}()
	<-held
	_, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{}, pg.Statement{SQL: "select 1"}, nil)
	if !errors.Is(err, pg.ErrBusy) {
		t.Errorf("error %v, want ErrBusy", err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if got := count(t, api.ServerDB, user(ana)); got != "1" {
		t.Errorf("after the wait: %s rows", got)
	}
}

// hold acquires the only connection and releases it when waiting jobs are in the queue. The
// returned channel is closed then.
func hold(t *testing.T, db *pg.DB, waiting int) (released <-chan struct{}) {
	t.Helper()
	held, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		_, err := db.AsCaller(t.Context(), user(ana), pg.Settings{}, func(*pg.Tx) error {
			close(held)
			tick := time.NewTicker(time.Millisecond)
			defer tick.Stop()
			for db.Waiting() < waiting {
				select {
				case <-tick.C:
				case <-t.Context().Done():
					return t.Context().Err()
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}()
	<-held
	return done
}

// Each transaction of a batch has its own caller, settings, rows and error.
func TestBatchedReadsAreIsolated(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, func(c *settings.Config) { c.Pool = 1 })
	const other = "00000000-0000-4000-8000-00000000000b"
	const sql = "select count(*), 1 / $1::int, current_setting('request.path') from public.things"
	const waiting = 30
	for _, role := range []string{claims.Authenticated, claims.Anon} {
		api.ServerDB.ObserveShort(role, sql)
	}
	var all sync.WaitGroup
	released := hold(t, api.ServerDB, waiting)
	for n := range waiting {
		all.Go(func() {
			who, want := user(ana), "1"
			switch n % 3 {
			case 1:
				who, want = user(other), "0"
			case 2:
				who, want = claims.ForRole(claims.Anon), "0"
			}
			divisor, path := "1", fmt.Sprint("/", n)
			if n%5 == 0 {
				divisor = "0"
			}
			var got []string
			_, err := api.ServerDB.QueryAsCaller(t.Context(), who, pg.Settings{ReadOnly: true, Path: path},
				pg.Statement{SQL: sql, Args: [][]byte{[]byte(divisor)}},
				func(row [][]byte) error { got = []string{string(row[0]), string(row[2])}; return nil })
			var refused *pgconn.PgError
			switch {
			case divisor == "0":
				if !errors.As(err, &refused) || refused.Code != "22012" {
					t.Errorf("%d: %v, want a division by zero", n, err)
				}
			case err != nil:
				t.Errorf("%d: %v", n, err)
			case !slices.Equal(got, []string{want, path}):
				t.Errorf("%d as %s: %q, want %s, %s", n, who.Role, got, want, path)
			}
		})
	}
	all.Wait()
	<-released
}

// After a change of a table, statements that were prepared before fail for the whole batch.
// They are retried.
func TestBatchedReadsAfterTableChange(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, func(c *settings.Config) { c.Pool = 1 })
	const sql = "select * from public.things"
	api.ServerDB.ObserveShort(claims.Authenticated, sql)
	columns := func() (found int) {
		_, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{ReadOnly: true}, pg.Statement{SQL: sql},
			func(row [][]byte) error { found = len(row); return nil })
		if err != nil {
			t.Error(err)
		}
		return found
	}
	if got := columns(); got != 2 {
		t.Fatalf("%d columns before", got)
	}
	if _, err := api.ServerDB.Owner().Exec(t.Context(), "alter table things add note text"); err != nil {
		t.Fatal(err)
	}
	const waiting = 5
	var all sync.WaitGroup
	released := hold(t, api.ServerDB, waiting)
	for range waiting {
		all.Go(func() {
			if got := columns(); got != 3 {
				t.Errorf("%d columns after the change", got)
			}
		})
	}
	all.Wait()
	<-released
}

func TestStatementTimeoutOfTheRoleApplies(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	var timeout string
	_, err := api.ServerDB.QueryAsCaller(t.Context(), user(ana), pg.Settings{}, pg.Statement{SQL: "select current_setting('statement_timeout')"},
		func(row [][]byte) error { timeout = string(row[0]); return nil })
	if err != nil || timeout != "8s" {
		t.Errorf("statement_timeout %q, %v", timeout, err)
	}
}

func TestServiceBypassesPolicies(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, table, nil)
	err := api.ServerDB.AsService(t.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
		var role string
		var rows int
		if err := tx.QueryRow(t.Context(), "select current_user, (select count(*) from public.things)").Scan(&role, &rows); err != nil {
			return err
		}
		if role != "service_role" || rows != 1 {
			t.Errorf("as %s, %d rows", role, rows)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
