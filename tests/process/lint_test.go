package process

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/tests/testkit/freeport"
)

func TestLintAndDatabaseTests(t *testing.T) {
	t.Parallel()
	root := project(t)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, "supabase", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("migrations/20250102000000_wrong.sql", `set check_function_bodies = off; create function public.wrong() returns integer language sql as 'select nothing';
		create table public.linked (note uuid references public.notes); alter table public.linked enable row level security;`)
	write("tests/notes.test.sql", "begin; select plan(2); select has_table('notes'); select is(count(*), 0::bigint) from public.notes; select * from finish(); rollback;")
	s := &server{environ: []string{"PLAZA_DATA_DIR=" + filepath.Join(root, "data"), "PLAZA_POSTGRES_PORT=" + freeport.Pick()}}
	plaza := func(args ...string) (string, error) {
		t.Helper()
		return s.runCommand(t, nil, append(args, "--project", root)...)
	}
	if output, err := plaza("test", "db"); err != nil || !strings.Contains(output, "Result: PASS") {
		t.Errorf("%v\n%s", err, output)
	}
	write("tests/fails.sql", "select '1..1'; select 'not ok 1';")
	if output, err := plaza("test", "db"); err == nil || !strings.Contains(output, "Files=2, Tests=3") || !strings.Contains(output, "Result: FAIL") {
		t.Errorf("%v\n%s", err, output)
	}
	if output, err := plaza("test", "db", filepath.Join(root, "supabase/tests/notes.test.sql")); err != nil || !strings.Contains(output, "Files=1") {
		t.Errorf("%v\n%s", err, output)
	}
	tests := []struct {
		args          []string
		fails         bool
		functions     []string
		withoutResult bool
	}{
		{nil, false, []string{"public.wrong()", "public.linked (linked_note_fkey)"}, false},
		{[]string{"--level", "error"}, false, []string{"public.wrong()"}, false},
		{[]string{"--fail-on", "error"}, true, []string{"public.wrong()"}, false},
		{[]string{"--schema", "auth", "--fail-on", "error"}, false, nil, true},
		{[]string{"--level", "none"}, true, nil, true},
		{[]string{"--linked"}, true, nil, true},
	}
	for _, tt := range tests {
		output, err := s.prepare(t, nil, append([]string{"db", "lint", "--project", root}, tt.args...)...).Output()
		if tt.fails != (err != nil) {
			t.Errorf("%q: %v", tt.args, err)
		}
		var results []struct{ Function string }
		if err := json.Unmarshal(output, &results); err != nil && !tt.withoutResult {
			t.Fatalf("%q: %v: %s", tt.args, err, output)
		}
		for _, name := range tt.functions {
			if !strings.Contains(string(output), `"function": "`+name+`"`) {
				t.Errorf("%q: %s is missing in %s", tt.args, name, output)
			}
		}
	}
}
