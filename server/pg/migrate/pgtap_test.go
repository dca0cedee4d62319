package migrate_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// lines returns what a statement, sent by itself, returns in its first column.
func lines(t *testing.T, conn *pgx.Conn, statement string) (all []string) {
	t.Helper()
	results, err := conn.PgConn().Exec(t.Context(), statement).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	for _, result := range results {
		for _, row := range result.Rows {
			all = append(all, strings.Split(string(row[0]), "\n")...)
		}
	}
	return all
}

// standIn returns a connection to the database of a project whose migrations are the given statements.
func standIn(t *testing.T, migrations ...string) *pgx.Conn {
	t.Helper()
	url := testkit.PlatformURL(t)
	files := folder()
	for i, text := range migrations {
		files[fmt.Sprintf("migrations/2024010203040%d_a.sql", i)] = &fstest.MapFile{Data: []byte(text)}
	}
	up(t, url, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))...)
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

// Each function of pgTAP's stand-in has the same output as pgTAP.
func TestPgTAP(t *testing.T) {
	t.Parallel()
	tests, err := os.ReadFile("testdata/pgtap/tests.sql")
	must(t, err)
	want, err := os.ReadFile("testdata/pgtap/tests.tap")
	must(t, err)
	conn := standIn(t, "create schema tap;", "create extension if not exists pgtap with schema tap;\ncomment on extension pgtap is 'tests';")
	lines(t, conn, "begin; set search_path = tap, public")
	// pgTAP was run by a superuser with the name postgres.
	renamed := func(text []byte) string { return strings.ReplaceAll(string(text), "postgres", conn.Config().User) }
	var got []string
	for line := range strings.Lines(renamed(tests)) {
		got = append(got, lines(t, conn, line)...)
	}
	if diff := cmp.Diff(strings.Split(strings.TrimSuffix(renamed(want), "\n"), "\n"), got); diff != "" {
		t.Errorf("pgTAP's output (-want +got):\n%s", diff)
	}
}

// runtests rolls each test back and reports one that raises, and roles of the data API may test, without a search path.
func TestPgTAPRunsFunctions(t *testing.T) {
	t.Parallel()
	conn := standIn(t, `create extension pgtap with schema extensions;
		create schema tests;
		create table made (n int);
		create function tests.startup() returns setof text language sql as $$ select pass('startup') $$;
		create function tests.setup() returns setof text language sql as $$ insert into public.made values (1); select is(count(*), 1::bigint, 'made') from public.made $$;
		create function tests.test_a() returns setof text language sql as $$ select fail('wrong') $$;
		create function tests.test_b() returns setof text language plpgsql as $$ begin return next pass(); raise exception 'stop'; end $$;
		create function tests.test_c() returns setof text language sql as $$ select null::text where false $$;
		create function tests.teardown() returns setof text language sql as $$ select pass('teardown') $$;`)
	got := lines(t, conn, "set search_path = extensions, public; select runtests('tests'::name)")
	want := strings.Split(`ok 1 - startup
# Subtest: tests.test_a()
    ok 1 - made
    not ok 2 - wrong
    # Failed test 2: "wrong"
    ok 3 - teardown
    1..3
    # Looks like you failed 1 test of 3
not ok 2 - tests.test_a
# Failed test 2: "tests.test_a"
# Subtest: tests.test_b()
    ok 1 - made
    # Test died: P0001: stop
    #         CONTEXT:
not ok 3 - tests.test_b
# Failed test 3: "tests.test_b"
# Subtest: tests.test_c()
    ok 1 - made
    ok 2 - teardown
    1..2
ok 4 - tests.test_c
1..4
# Looks like you failed 2 tests of 4`, "\n")
	got = slices.DeleteFunc(got, func(line string) bool { return strings.HasPrefix(line, "    #             ") }) // where it was raised
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("runtests (-want +got):\n%s", diff)
	}
	got = lines(t, conn, "begin; select plan(3); select has_extension('pgtap'); select has_extension('extensions', 'pgcrypto'::name); select hasnt_extension('public', 'pgcrypto'::name); rollback")
	if diff := cmp.Diff([]string{"1..3", "ok 1 - Extension pgtap should exist", "ok 2 - Extension pgcrypto should exist in schema extensions", "ok 3 - Extension pgcrypto should not exist in schema public"}, got); diff != "" {
		t.Errorf("extensions (-want +got):\n%s", diff)
	}
	got = lines(t, conn, `begin; set local search_path = ''; select extensions.plan(2); set local role anon;
		select extensions.throws_ok('select * from auth.users', '42501'); select extensions.set_eq('select 1', array[1], 'set'); select extensions.finish()`)
	if diff := cmp.Diff([]string{"1..2", "ok 1 - threw 42501", "ok 2 - set"}, got); diff != "" {
		t.Errorf("as anon (-want +got):\n%s", diff)
	}
}
