package extensions_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/caarlos0/env/v11"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/extensions"
	"plaza/server/jobs"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
	"plaza/server/pgnet/send"
	"plaza/sql"
	"plaza/tests/testkit"
)

// eventTimeout is how long a test waits for an event.
const eventTimeout = 30 * time.Second

// database is that of a Supabase project.
type database struct {
	*testing.T
	url string
	db  *pgxpool.Pool
}

// open returns the database of a project with one migration.
func open(t *testing.T, migration string) *database {
	t.Helper()
	d := &database{T: t, url: testkit.PlatformURL(t)}
	d.migrate("20250101000000_a.sql", migration)
	d.db = testkit.Open(t, d.url)
	return d
}

// migrate applies a migration of the project.
func (d *database) migrate(name, text string) {
	d.Helper()
	source := migrate.Supabase(fstest.MapFS{"migrations/" + name: {Data: []byte(text)}})
	if _, err := migrate.Up(d.Context(), d.url, migrate.Stack(migrate.Platform(sql.FS), source), nil); err != nil {
		d.Fatal(err)
	}
}

// serve runs the stand-ins until stop is called or the test ends. change may be nil.
func (d *database) serve(change func(*extensions.Config), options send.Options) (stop func()) {
	d.Helper()
	config, err := env.ParseAsWithOptions[extensions.Config](env.Options{Environment: map[string]string{}})
	if err != nil {
		d.Fatal(err)
	}
	if change != nil {
		change(&config)
	}
	log := slog.New(slog.NewTextHandler(d.Output(), nil))
	db, err := pg.Open(d.Context(), pg.Config{CallerURL: d.url, ServiceURL: d.url, MaxCallers: 1, MaxService: 4, AcquireTimeout: eventTimeout, Log: log})
	if err != nil {
		d.Fatal(err)
	}
	running, err := extensions.New(d.Context(), config, extensions.Deps{DB: db, Send: options, Log: log, Now: time.Now})
	if err != nil {
		d.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(d.Context()))
	runner := jobs.New(jobs.Options{DB: db, Name: "test", Log: log, Now: time.Now})
	runner.Add(running.Jobs()...)
	var parts sync.WaitGroup
	parts.Go(func() { running.Run(ctx) })
	parts.Go(func() { runner.Run(ctx) })
	stop = func() {
		cancel()
		parts.Wait()
		db.Close()
	}
	d.Cleanup(stop)
	return stop
}

// value returns the text of a query's only value.
func (d *database) value(query string, args ...any) string {
	d.Helper()
	var text *string
	if err := d.db.QueryRow(d.Context(), "select ("+query+")::text", args...).Scan(&text); err != nil {
		d.Fatalf("%s: %v", query, err)
	}
	if text == nil {
		return "null"
	}
	return *text
}

func (d *database) exec(statement string, args ...any) {
	d.Helper()
	if _, err := d.db.Exec(d.Context(), statement, args...); err != nil {
		d.Fatalf("%s: %v", statement, err)
	}
}

// eventually waits until a query has a value.
func (d *database) eventually(query, want string) {
	d.Helper()
	got := ""
	for deadline := time.Now().Add(eventTimeout); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if got = d.value(query); got == want {
			return
		}
	}
	d.Errorf("%s is %s, want %s", query, got, want)
}

// detail returns the detail of PostgreSQL's error.
func detail(err error) string {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) {
		return ""
	}
	return refused.Detail
}
