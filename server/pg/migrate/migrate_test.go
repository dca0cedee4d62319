package migrate_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/pg/migrate"
	"plaza/tests/testkit"
)

// folder returns a file system with the given pairs of path and content.
func folder(pairs ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		fsys[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return fsys
}

func up(t *testing.T, url string, sources ...migrate.Source) migrate.Report {
	t.Helper()
	report, err := migrate.Up(t.Context(), url, sources, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func paths(report migrate.Report) []string {
	var list []string
	for _, a := range report.Applied {
		list = append(list, a.Path)
	}
	return list
}

func wantApplied(t *testing.T, report migrate.Report, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, paths(report)); diff != "" {
		t.Errorf("applied (-want +got):\n%s", diff)
	}
}

// value returns the first value of a query as text.
func value(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var text *string
	if err := conn.QueryRow(t.Context(), "select ("+sql+")::text").Scan(&text); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	if text == nil {
		return "null"
	}
	return *text
}

func wantValue(t *testing.T, url, sql, want string) {
	t.Helper()
	if got := value(t, url, sql); got != want {
		t.Errorf("%s is %s, want %s", sql, got, want)
	}
}

func TestUpAppliesInOrderAndOnce(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	project := migrate.Project(folder(
		"migrations/0002_rows.sql", "insert into shops values ('a;b'); -- one\ninsert into shops values ($x$c'd$x$);",
		"migrations/0001_shops.sql", "create table shops (name text);",
		"migrations/README.md", "no SQL",
		"policies/shops.sql", "alter table shops enable row level security;",
		"functions/b.sql", "create or replace function b() returns int language sql as $$ select a() + 1; $$;",
		"functions/a.sql", "create or replace function a() returns int language sql as $$ select 1; $$;",
		"views/v.sql", "create or replace view v as select b() as b;",
		"seed/reference/names.sql", "delete from shops where name = 'r'; insert into shops values ('r');",
		"seed/demo/names.sql", "insert into shops values ('demo');",
	))
	wantApplied(t, up(t, url, project),
		"migrations/0001_shops.sql", "migrations/0002_rows.sql",
		"functions/a.sql", "functions/b.sql", "views/v.sql", "policies/shops.sql",
		"seed/reference/names.sql")
	wantValue(t, url, "select string_agg(name, ' ' order by name) from shops", "a;b c'd r")
	wantValue(t, url, "select b from v", "2")

	if again := up(t, url, project); len(again.Applied) != 0 || len(again.Warnings) != 0 {
		t.Errorf("a second run made changes: %+v", again)
	}
}

func TestUpNotifiesDataAPI(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "listen pgrst"); err != nil {
		t.Fatal(err)
	}
	up(t, url, migrate.Project(folder("migrations/0001_a.sql", "create table a ();")))
	got, err := conn.WaitForNotification(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got.Payload != "reload schema" {
		t.Errorf("payload %q, want reload schema", got.Payload)
	}
}

func TestFailedMigrationIsRolledBack(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder(
		"migrations/0001_ok.sql", "create table ok ();",
		"migrations/0002_bad.sql", "create table half (ñ text);\n\nselect 'ñandú',\n  no_such_column from half;\n",
		"migrations/0003_never.sql", "create table never ();",
	)
	report, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Project(fsys)}, nil)
	var failed *migrate.FileError
	if !errors.As(err, &failed) {
		t.Fatalf("got %v, want a *FileError", err)
	}
	var fault *pgconn.PgError
	if failed.Path != "migrations/0002_bad.sql" || failed.Line != 4 || !errors.As(err, &fault) || fault.Code != "42703" {
		t.Errorf("failed in %s:%d with %v, want migrations/0002_bad.sql:4 with 42703", failed.Path, failed.Line, err)
	}
	if !strings.Contains(err.Error(), "migrations/0002_bad.sql:4: ") || !strings.Contains(err.Error(), "SQLSTATE 42703") {
		t.Errorf("the message has no file, line or code: %v", err)
	}
	wantApplied(t, report, "migrations/0001_ok.sql")
	wantValue(t, url, "select to_regclass('half')", "null")
	wantValue(t, url, "select max(version) from plaza.migrations", "1")

	fsys["migrations/0002_bad.sql"].Data = []byte("create table half (ñ text);")
	wantApplied(t, up(t, url, migrate.Project(fsys)), "migrations/0002_bad.sql", "migrations/0003_never.sql")
}

func TestFailedRepeatableRollsBackAll(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	_, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Project(folder(
		"functions/a.sql", "create function a() returns int language sql as $$ select 1 $$;",
		"functions/b.sql", "create function b() returns int language sql\nas $$\n  select no_such();\n$$;",
	))}, nil)
	var failed *migrate.FileError
	if !errors.As(err, &failed) || failed.Path != "functions/b.sql" || failed.Line != 3 {
		t.Fatalf("got %v, want a failure in functions/b.sql:3", err)
	}
	wantValue(t, url, "select to_regproc('a')", "null")
	wantValue(t, url, "select count(*) from plaza.repeatables", "0")
}

func TestConcurrentMigrators(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	project := migrate.Project(folder(
		"migrations/0001_a.sql", "create table a (n int); insert into a values (1);",
		"migrations/0002_b.sql", "update a set n = n + 1;",
		"functions/f.sql", "create or replace function f() returns int language sql as $$ select 1 $$;",
	))
	var mu sync.Mutex
	var all []string
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			report, err := migrate.Up(t.Context(), url, []migrate.Source{project}, nil)
			mu.Lock()
			defer mu.Unlock()
			all = append(all, paths(report)...)
			if err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if diff := cmp.Diff([]string{"migrations/0001_a.sql", "migrations/0002_b.sql", "functions/f.sql"}, all); diff != "" {
		t.Errorf("applied by all together (-want +got):\n%s", diff)
	}
	wantValue(t, url, "select n from a", "2")
}

func TestWaitingForAnotherMigratorEndsWithItsContext(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	ctx, cancel := context.WithCancel(t.Context())
	project := migrate.Project(folder("migrations/0001_a.sql", "create table a ();"))
	// The first migrator holds the lock while its progress callback runs.
	_, err := migrate.Up(t.Context(), url, []migrate.Source{project}, func(string) {
		_, err := migrate.Up(ctx, url, []migrate.Source{project}, func(string) { cancel() })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the second migrator ended with %v, want context.Canceled", err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEditedMigrationIsRefused(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder("migrations/0001_a.sql", "create table a ();", "migrations/0002_b.sql", "create table b ();")
	up(t, url, migrate.Project(fsys))
	fsys["migrations/0001_a.sql"].Data = []byte("create table a (n int);")
	fsys["migrations/0003_c.sql"] = &fstest.MapFile{Data: []byte("create table c ();")}
	_, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Project(fsys)}, nil)
	var changed *migrate.ChangedError
	if !errors.As(err, &changed) || changed.Path != "migrations/0001_a.sql" {
		t.Errorf("got %v, want a ChangedError of migrations/0001_a.sql", err)
	}
	wantValue(t, url, "select to_regclass('c')", "null")
}

// An older release would replace the functions of a newer one, so it refuses its database, or leaves it as it is.
func TestDatabaseOfNewerRelease(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	older := migrate.Project(folder("migrations/0001_a.sql", "create table a ()", "functions/f.sql", "create or replace function f() returns text language sql as $$ select 'older' $$"))
	newer := migrate.Project(folder("migrations/0001_a.sql", "create table a ()", "migrations/0002_b.sql", "create table b ()",
		"functions/f.sql", "create or replace function f() returns text language sql as $$ select 'newer' $$"))
	up(t, url, older)
	up(t, url, newer)
	_, err := migrate.Up(t.Context(), url, []migrate.Source{older}, nil)
	if refused, ok := errors.AsType[*migrate.NewerError](err); !ok || refused.Version != "2" {
		t.Errorf("an older release: %v", err)
	}
	report := up(t, url, migrate.ServeNewer([]migrate.Source{older})...)
	wantApplied(t, report)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "version 2") {
		t.Errorf("warnings %q, want one that names version 2", report.Warnings)
	}
	wantValue(t, url, "select f()", "newer")
	wantApplied(t, up(t, url, newer))
}

func TestLateMigrationIsRefusedInAProject(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	fsys := folder("migrations/0002_b.sql", "create table b ();")
	up(t, url, migrate.Project(fsys))
	fsys["migrations/0001_a.sql"] = &fstest.MapFile{Data: []byte("create table a ();")}
	if _, err := migrate.Up(t.Context(), url, []migrate.Source{migrate.Project(fsys)}, nil); err == nil {
		t.Error("a migration older than the latest applied one was accepted")
	}
	wantValue(t, url, "select to_regclass('a')", "null")
}

func TestChangedRepeatableIsAppliedWithAllAfterIt(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	function := func(name string, result int) string {
		return fmt.Sprintf("create or replace function %s() returns int language sql as $$ select %d $$;", name, result)
	}
	fsys := folder(
		"migrations/0001_t.sql", "create table t ();",
		"functions/a.sql", function("a", 1),
		"functions/b.sql", function("b", 1),
		"policies/t.sql", "alter table t enable row level security;",
	)
	up(t, url, migrate.Project(fsys))

	fsys["functions/b.sql"].Data = []byte(function("b", 2))
	wantApplied(t, up(t, url, migrate.Project(fsys)), "functions/b.sql", "policies/t.sql")
	wantValue(t, url, "select a() + b()", "3")

	// A migration may have created tables that the repeatable files refer to.
	fsys["migrations/0002_u.sql"] = &fstest.MapFile{Data: []byte("create table u ();")}
	wantApplied(t, up(t, url, migrate.Project(fsys)),
		"migrations/0002_u.sql", "functions/a.sql", "functions/b.sql", "policies/t.sql")

	delete(fsys, "functions/a.sql")
	report := up(t, url, migrate.Project(fsys))
	wantApplied(t, report)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "functions/a.sql") {
		t.Errorf("warnings %q, want one that names functions/a.sql", report.Warnings)
	}
	if again := up(t, url, migrate.Project(fsys)); len(again.Warnings) != 0 {
		t.Errorf("a removed file is reported twice: %q", again.Warnings)
	}
}

func TestLaterSourceSeesEarlierSettings(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	platform := migrate.Platform(folder("bootstrap/0001_a.sql", `create schema tools;
		create function tools.one() returns int language sql as $$ select 1 $$;
		do $$ begin execute format('alter database %I set search_path = public, tools', current_database()); end $$;`))
	up(t, url, platform, migrate.Project(folder("migrations/0001_a.sql", "create table a as select one() as n;")))
	wantValue(t, url, "select n from a", "1")
	wantValue(t, url, "select max(version) from plaza.platform_migrations", "1")
}

func TestRoleIsResetAfterFile(t *testing.T) {
	t.Parallel()
	url := testkit.EmptyURL(t)
	up(t, url, migrate.Project(folder(
		"migrations/0001_a.sql", "set role pg_monitor;",
		"migrations/0002_b.sql", "create table b as select current_user as name;",
	)))
	wantValue(t, url, "select name = current_user from b", "true")
}

func TestInvalidMigrationNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"migrations/first.sql", "migrations/0_zero.sql", "migrations/99999999999999999999_far.sql"} {
		_, err := migrate.Up(t.Context(), testkit.EmptyURL(t), []migrate.Source{migrate.Project(folder(name, "select 1"))}, nil)
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
	twice := folder("migrations/1_a.sql", "select 1", "migrations/01_b.sql", "select 1")
	if _, err := migrate.Up(t.Context(), testkit.EmptyURL(t), []migrate.Source{migrate.Project(twice)}, nil); err == nil {
		t.Error("two files of one version were accepted")
	}
}

func TestProgressNamesEachFile(t *testing.T) {
	t.Parallel()
	var progress []string
	_, err := migrate.Up(t.Context(), testkit.EmptyURL(t),
		[]migrate.Source{migrate.Project(folder("migrations/0001_a.sql", "create table a ();", "views/v.sql", "create view v as select 1;"))},
		func(step string) { progress = append(progress, step) })
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"migrations/0001_a.sql", "views/v.sql"} {
		if !slices.ContainsFunc(progress, func(step string) bool { return strings.Contains(step, path) }) {
			t.Errorf("progress %q does not name %s", progress, path)
		}
	}
}
