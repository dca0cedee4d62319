package extensions_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/extensions"
	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/sql"
)

// Clients that know nothing of migrations, such as psql with a dump, create extensions that PostgreSQL lacks.
func TestStandInsAreCreatedAsExtensions(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "offered extensions ")
	if err == nil {
		t.Cleanup(func() { _ = os.RemoveAll(folder) })
		err = os.Chmod(folder, 0o711) // PostgreSQL may run as another user
	}
	if err != nil {
		t.Fatal(err)
	}
	server, err := embedded.Start(t.Context(), embedded.Config{
		DataDir: filepath.Join(folder, "data"), Roots: []string{"../.."}, Password: "postgres", Extensions: migrate.OfferedExtensions(),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	var refused *pgconn.PgError
	if _, err := conn.Exec(t.Context(), "create extension pg_cron"); !errors.As(err, &refused) || refused.Code != "0A000" {
		t.Errorf("in a database without stand-ins: %v", err)
	}
	up := func() {
		t.Helper()
		source := migrate.Supabase(fstest.MapFS{"migrations/.keep": {}})
		if _, err := migrate.Up(t.Context(), server.AdminURL(), migrate.Stack(migrate.Platform(sql.FS), source), nil); err != nil {
			t.Fatal(err)
		}
	}
	up()
	var warnings int
	noticed, err := pgx.ParseConfig(server.URL())
	if err != nil {
		t.Fatal(err)
	}
	noticed.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if n.Severity == "WARNING" {
			warnings++
		}
	}
	client, err := pgx.ConnectConfig(t.Context(), noticed)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close(context.Background()) })
	if _, err := client.Exec(t.Context(), "set search_path = extensions"); err != nil {
		t.Fatal(err)
	}
	for name := range migrate.StandIns() {
		if _, err := client.Exec(t.Context(), "create extension if not exists "+name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if want := len(migrate.StandIns()); warnings != want {
		t.Errorf("%d warnings, want %d", warnings, want)
	}
	up()
	if _, err := client.Exec(t.Context(), `select cron.schedule('job', '* * * * *', 'select 1'), extensions.sign('{}', 'secret'), net.http_get('http://127.0.0.1:1')`); err != nil {
		t.Error(err)
	}
	if _, err := client.Exec(t.Context(), `create extension hstore with schema extensions; drop extension pg_cron; create extension pg_cron; select cron.unschedule('job')`); err != nil {
		t.Errorf("an extension of PostgreSQL, and one that is created again: %v", err)
	}
	list, err := extensions.List(t.Context(), client)
	if err != nil {
		t.Fatal(err)
	}
	states := make(map[string]extensions.State)
	for _, e := range list {
		states[e.Name] = e.State
	}
	if states["pg_cron"] != extensions.StandIn || states["hypopg"] != extensions.LeftOut || states["hstore"] != extensions.Created {
		t.Errorf("states: %v", states)
	}
}
