package pg_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/restkit"
)

// work is a write by each of the ways to the database.
var work = map[string]func(ctx context.Context, db *pg.DB, sql string) error{
	"a write": func(ctx context.Context, db *pg.DB, sql string) error {
		return second(db.QueryAsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{}, pg.Statement{SQL: sql}, nil))
	},
	"a write that is verified": func(ctx context.Context, db *pg.DB, sql string) error {
		set := pg.Settings{Verify: func() error { return nil }}
		return second(db.QueryAsCaller(ctx, claims.ForRole(claims.Anon), set, pg.Statement{SQL: sql}, nil))
	},
	"a transaction": func(ctx context.Context, db *pg.DB, sql string) error {
		return second(db.AsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{Repeatable: true}, func(tx *pg.Tx) error {
			return tx.Query(pg.Statement{SQL: sql}, nil)
		}))
	},
	"a statement of a service": func(ctx context.Context, db *pg.DB, sql string) error {
		var one int
		return db.QueryRowAsService(ctx, pg.ServiceRole, sql+" returning 1", nil, &one)
	},
}

// asService is a transaction of a service.
func asService(ctx context.Context, db *pg.DB, sql string) error {
	return db.AsService(ctx, pg.ServiceRole, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, sql)
		return err
	})
}

// newStoppableAPI returns a data API on a PostgreSQL that the test may stop.
func newStoppableAPI(t *testing.T, wait time.Duration) (*cluster.Cluster, *restkit.API) {
	t.Helper()
	primary, err := cluster.StartWith(t.Context(), map[string]string{"synchronous_commit": "on"}) // it is killed
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	if _, err := migrate.Up(t.Context(), primary.URL(), []migrate.Source{migrate.Platform(sql.FS)}, nil); err != nil {
		t.Fatal(err)
	}
	return primary, restkit.Replicated(t, primary.URL(), nil, keptTable, func(c *pg.Config) { c.FailoverTimeout = wait })
}

const keptTable = "create table kept (id int); grant all on kept to anon, service_role;"

func TestRequestsWaitForThePrimary(t *testing.T) {
	t.Parallel()
	primary, api := newStoppableAPI(t, time.Hour)
	for range 2 {
		if err := primary.Kill(); err != nil {
			t.Fatal(err)
		}
		var requests sync.WaitGroup
		ask := func(name string, run func(context.Context, *pg.DB, string) error) {
			for range 3 {
				requests.Go(func() {
					if err := run(t.Context(), api.ServerDB, "insert into kept values (1)"); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				})
			}
		}
		for name, run := range work {
			ask(name, run)
		}
		ask("a transaction of a service", asService)
		for !api.ServerDB.HasOutage() {
			runtime.Gosched()
		}
		if err := primary.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		requests.Wait()
	}
}

// A transaction's time begins when it has a connection.
func TestWaitForThePrimaryIsNotTransactionTime(t *testing.T) {
	t.Parallel()
	const limit = 3 * time.Second
	primary, api := newStoppableAPI(t, time.Hour)
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	passed, cancel := context.WithCancel(t.Context())
	defer cancel()
	var requests sync.WaitGroup
	requests.Go(func() {
		time.AfterFunc(limit, cancel)
		_, err := api.ServerDB.AsCaller(t.Context(), claims.ForRole(claims.Anon), pg.Settings{MaxTime: limit, Repeatable: true}, func(tx *pg.Tx) error {
			return tx.Query(pg.Statement{SQL: "insert into kept values (1)"}, nil)
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-passed.Done()
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	requests.Wait()
}

func TestWaitForThePrimaryIsLimited(t *testing.T) {
	t.Parallel()
	for _, wait := range []time.Duration{0, time.Millisecond} {
		primary, api := newStoppableAPI(t, wait)
		if err := primary.Kill(); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			for name, run := range work {
				if answer := apierr.As(run(t.Context(), api.ServerDB, "insert into kept values (1)")); answer == nil || answer.Status != 503 {
					t.Errorf("%s, with %s: %v", name, wait, answer)
				}
			}
		}
	}
}

// A listener that loses its connection starts an outage, too, and listens again as soon as the primary is back: also a
// server without requests must learn of changes, such as the end of a session.
func TestListenersWaitForThePrimary(t *testing.T) {
	t.Parallel()
	primary, _ := newStoppableAPI(t, time.Hour)
	log := new(outages)
	api := restkit.Replicated(t, primary.URL(), nil, "", func(c *pg.Config) { c.FailoverTimeout, c.Log = time.Hour, slog.New(log) })
	ctx, cancel := context.WithCancel(t.Context())
	var listening sync.WaitGroup
	defer listening.Wait()
	defer cancel()
	const listeners = 5
	connected := make(chan struct{}, listeners)
	for range listeners {
		listening.Go(func() {
			api.ServerDB.Watch(ctx, "changes", func(context.Context, *pg.Listener) error {
				connected <- struct{}{}
				return nil
			}, func(string) {}, func(error) {})
		})
	}
	for range listeners {
		<-connected
	}
	if err := primary.Kill(); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(20 * time.Second); !api.ServerDB.HasOutage(); runtime.Gosched() {
		if time.Now().After(end) {
			t.Fatal("nobody looks for the primary")
		}
	}
	if err := primary.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for range listeners {
		<-connected
	}
	for api.ServerDB.HasOutage() {
		runtime.Gosched()
	}
	if n := log.ended.Load(); n != 1 {
		t.Errorf("%d outages", n)
	}
}

// outages is a log that counts the ends of outages.
type outages struct {
	slog.Handler
	ended atomic.Int32
}

func (o *outages) Enabled(context.Context, slog.Level) bool { return true }
func (o *outages) WithAttrs([]slog.Attr) slog.Handler       { return o }
func (o *outages) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "the primary is back" {
		o.ended.Add(1)
	}
	return nil
}

func TestFullDiskIsReportedWithoutDetails(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, keptTable, nil)
	err := asService(t.Context(), api.ServerDB, "do $$ begin raise disk_full using message = 'base/5/17410'; end $$")
	if answer := apierr.As(err); answer == nil || answer.Status != 503 || strings.Contains(answer.Message, "17410") {
		t.Errorf("%v", err)
	}
}

// A refused connection, as for a wrong password or too many connections, does not start an outage.
func TestRefusedConnectionIsNoOutage(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, keptTable, nil)
	db, err := pg.Open(t.Context(), pg.Config{
		CallerURL: restkit.CallerURL(t, api.DB, api.DB.Config().ConnString()), ServiceURL: api.DB.Config().ConnString(), MaxCallers: 1, MaxService: 1,
		AcquireTimeout: time.Minute, FailoverTimeout: time.Hour, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	api.Exec(t, `do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`)
	api.Exec(t, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
	if err := work["a write"](t.Context(), db, "insert into kept values (1)"); err == nil || db.HasOutage() {
		t.Errorf("%v, away: %t", err, db.HasOutage())
	}
}

// PostgreSQL ends sessions when it stops: what they have not committed is run again, once.
func TestEndedWriteIsRunAgain(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, keptTable+`
		create function wait_for_lock() returns int language plpgsql as $$ begin perform pg_advisory_xact_lock(7); return 1; end $$;`, nil)
	locker, err := api.DB.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Release()
	exec := func(sql string) {
		t.Helper()
		if _, err := locker.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	// waiting returns the process that waits for the lock, other than one, unless the work has ended.
	waiting := func(than int, done chan error) (pid int) {
		t.Helper()
		for len(done) == 0 {
			err := api.DB.QueryRow(t.Context(), `select l.pid from pg_locks l join pg_database d on d.oid = l.database
				where l.locktype = 'advisory' and not l.granted and d.datname = current_database() and l.pid <> $1`, than).Scan(&pid)
			if err == nil {
				return pid
			}
			if !errors.Is(err, pgx.ErrNoRows) {
				t.Fatal(err)
			}
		}
		return 0
	}
	const insert = "insert into kept select public.wait_for_lock()"
	for name, run := range work {
		exec("delete from kept; select pg_advisory_lock(7)")
		done := make(chan error, 1)
		go func() { done <- run(t.Context(), api.ServerDB, insert) }()
		ended := waiting(0, done)
		exec(fmt.Sprintf("select pg_terminate_backend(%d)", ended))
		waiting(ended, done)
		exec("select pg_advisory_unlock(7)")
		if err := <-done; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var rows int
		if err := api.DB.QueryRow(t.Context(), "select count(*) from kept").Scan(&rows); err != nil || rows != 1 {
			t.Errorf("%s: %d rows, %v", name, rows, err)
		}
	}
	// The function of a service's transaction may have had other effects: its caller decides.
	exec("delete from kept; select pg_advisory_lock(7)")
	var calls atomic.Int32
	done := make(chan error, 1)
	go func() {
		done <- api.ServerDB.AsService(t.Context(), pg.ServiceRole, func(tx pgx.Tx) error {
			calls.Add(1)
			_, err := tx.Exec(t.Context(), insert)
			return err
		})
	}()
	exec(fmt.Sprintf("select pg_terminate_backend(%d)", waiting(0, done)))
	if err := <-done; !pg.IsRolledBack(err) || !pg.IsUnavailable(err) || calls.Load() != 1 {
		t.Errorf("a transaction of a service: %v, after %d calls", err, calls.Load())
	}
}

// Connections that PostgreSQL has closed while nobody used them are not used.
func TestWritesAfterClosedConnections(t *testing.T) {
	t.Parallel()
	api := restkit.New(t, keptTable, nil)
	for range 5 {
		for name, run := range work {
			if err := run(t.Context(), api.ServerDB, "insert into kept values (1)"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		api.Exec(t, "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()")
	}
}
