package pgtap_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/server/pgtap"
	"plaza/sql"
	"plaza/tests/testkit"
)

// prove runs files in a folder of their own.
func prove(t *testing.T, url string, files map[string]string) (out, notes string, err error) {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr strings.Builder
	err = pgtap.Run(t.Context(), url, []string{root}, &stdout, &stderr)
	return strings.ReplaceAll(stdout.String(), root+"/", ""), stderr.String(), err
}

func TestFilesAreReportedAsByProve(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	tests := []struct {
		name, text string
		fails      bool
		want       string // in the report or the notes
	}{
		{"passes", "begin; select '1..2'; select 'ok 1 - a'; select 'ok 2'; rollback;", false, "a.sql .. ok\nAll tests successful.\nFiles=1, Tests=2"},
		{"a plan at the end", "select 'ok'; select 'ok'; select '1..2';", false, "Tests=2"},
		{"rows, and values of several lines", `select * from (values ('1..3' || chr(10) || 'ok 1'), ('ok 2'), ('ok 3')) v;`, false, "Tests=3"},
		{"fails", "select '1..4'; select 'ok 1'; select 'not ok 2 - b' || chr(10) || '# Failed test 2: \"b\"'; select 'not ok 3'; select 'ok 4'", true,
			"# Failed test 2: \"b\"\na.sql .. Failed 2/4 subtests\n\nTest Summary Report\n-------------------\na.sql (Wstat: 0 Tests: 4 Failed: 2)\n  Failed tests: 2-3\n"},
		{"fewer tests than planned", "select '1..3'; select 'ok 1';", true, "You planned 3 tests but ran 1."},
		{"no plan", "select 'ok 1';", true, "No plan found"},
		{"out of sequence", "select '1..2'; select 'ok 2'; select 'ok 1';", true, "out of sequence: 1-2"},
		{"todo and skip do not fail", `select '1..3'; select 'not ok 1 - a # TODO later'; select 'ok 2 # SKIP no need'; select 'not ok 3 # skip';`, false, "Result: PASS"},
		{"an escaped directive is none", `select '1..1'; select 'not ok 1 - a \# TODO b';`, true, "Failed test: 1"},
		{"a todo that passes is reported", "select '1..1'; select 'ok 1 # todo';", false, "TODO passed: 1\n"},
		{"all skipped", "select '1..0 # SKIP nothing to do';", false, "skipped: nothing to do"},
		{"bails out", "select '1..3'; select 'ok 1'; select 'Bail out!  no table';", true, "Further testing stopped:  no table"},
		{"an error ends the file", "select '1..2';\nselect 'ok 1';\nselect 1/0;\nselect 'ok 2';", true, "a.sql .. Dubious, test returned 3\n"},
		{"an error has its line", "select '1..1';\n\n-- why\nselect 1/0;", true, "a.sql:4: ERROR:  division by zero"},
		{"errors need not end a file", "\\set ON_ERROR_STOP off\nselect '1..1'; select 1/0; select 'ok 1';", false, "division by zero"},
		{"psql's settings", "\\unset ECHO\n\\set QUIET 1\n\\pset format unaligned\n\\pset tuples_only true\n\\pset pager off\n\\set ON_ERROR_ROLLBACK 1\n\\set ON_ERROR_STOP true\nselect '1..1'; select 'ok 1';", false, "Result: PASS"},
		{"variables", "\\set who 'it''s'\n\\set n 1\n\\echo 1..:n\nselect 'ok ' || :n || ' :n' where 'a'::text = 'a' and $x$:n$x$ = ':' || 'n' and :'who' <> '';", false, "Result: PASS"},
		{"functions with semicolons", "create function pg_temp.f() returns text language plpgsql as $$ begin return 'ok 1'; end $$; select '1..1'; select pg_temp.f();", false, "Result: PASS"},
		{"other files", "\\ir inc/plan.inc\n\\i " + "missing.sql", true, "missing.sql"},
		{"commands that are not followed", "\\gexec", true, "\\gexec is not supported"},
		{"quit", "select '1..1'; select 'ok 1';\n\\q\nselect 'not ok 2';", false, "Result: PASS"},
		{"a file that includes itself", "\\ir a.sql", true, "include each other"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, notes, err := prove(t, url, map[string]string{"a.sql": tt.text, "inc/plan.inc": "select '1..1';\nselect 'ok 1';"})
			if tt.fails != errors.Is(err, pgtap.ErrFailed) || err != nil && !tt.fails {
				t.Errorf("it ends with %v", err)
			}
			if !strings.Contains(out+notes, tt.want) {
				t.Errorf("%q is missing in\n%s\n%s", tt.want, out, notes)
			}
		})
	}
}

// Each file has a session of its own, and the files of a folder run in the order of their names.
func TestSeveralFiles(t *testing.T) {
	t.Parallel()
	out, _, err := prove(t, testkit.PlatformURL(t), map[string]string{
		"b.pg": "select '1..1'; select case when to_regclass('pg_temp.left') is null then 'ok 1' else 'not ok 1' end;", "a.sql": "create temp table left_over (); create temp table \"left\" (); select '1..1'; select 'ok 1';",
		"deep/longer.sql": "select '1..1'; select 'ok 1';", "notes.txt": "no test",
	})
	want := "a.sql ............ ok\nb.pg ............. ok\ndeep/longer.sql .. ok\nAll tests successful.\nFiles=3, Tests=3"
	if err != nil || !strings.HasPrefix(out, want) {
		t.Errorf("%v\n%s", err, out)
	}
	if _, _, err := prove(t, testkit.PlatformURL(t), map[string]string{"notes.txt": ""}); err == nil || errors.Is(err, pgtap.ErrFailed) {
		t.Errorf("a folder without tests: %v", err)
	}
}

// The stand-in of pgTAP is there for the tests, and nothing of it afterwards.
func TestStandInIsRemoved(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "pgtap ")
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
	source := migrate.Supabase(fstest.MapFS{"migrations/1_a.sql": {Data: []byte("create function extensions.has_mine() returns boolean language sql as 'select true'")}})
	if _, err := migrate.Up(t.Context(), server.AdminURL(), migrate.Stack(migrate.Platform(sql.FS), source), nil); err != nil {
		t.Fatal(err)
	}
	conn, err := pgx.Connect(t.Context(), server.URL())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	functions := func() (names string) {
		t.Helper()
		if err := conn.QueryRow(t.Context(), "select string_agg(oid::regprocedure::text, ' ' order by 1) from pg_proc where pronamespace = 'extensions'::regnamespace").Scan(&names); err != nil {
			t.Fatal(err)
		}
		return names
	}
	before := functions()
	for range 2 {
		out, notes, err := prove(t, server.URL(), map[string]string{"a.sql": "set search_path = extensions; select plan(1); select ok(has_mine()); select * from finish();"})
		if err != nil || !strings.Contains(out, "Tests=1") {
			t.Fatalf("%v\n%s\n%s", err, out, notes)
		}
		if after := functions(); after != before {
			t.Errorf("after the tests there are the functions %s\nbefore there were %s", after, before)
		}
	}
}
