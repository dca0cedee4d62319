package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plaza/tests/testkit/freeport"
)

// What was changed by hand becomes a migration, which neither the running server nor the next start
// applies again.
func TestDiffBecomesAMigration(t *testing.T) {
	t.Parallel()
	root := resettable(t)
	port := freeport.Pick()
	s := start(t, root, "PLAZA_POSTGRES_PORT="+port)
	url := "postgres://postgres:postgres@127.0.0.1:" + port + "/postgres"
	diff := func(args ...string) string {
		t.Helper()
		output, err := s.runCommand(t, nil, append([]string{"db", "diff", "--project", root}, args...)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		return output
	}
	if output := diff(); !strings.Contains(output, "No schema changes found") {
		t.Errorf("before any change: %s", output)
	}
	query(t, url, `create table public.made (id serial primary key); alter table public.notes drop column owner, add column made timestamptz default now();
		create operator public.=== (function = int4eq, leftarg = integer, rightarg = integer); select ''`)
	output := diff("--file", "by_hand")
	for _, part := range []string{"operator public.===", "drop something:\n  alter table public.notes drop constraint notes_owner_fkey\n  alter table public.notes drop column owner", "_by_hand.sql"} {
		if !strings.Contains(output, part) {
			t.Errorf("%q is missing in %s", part, output)
		}
	}
	made, err := filepath.Glob(filepath.Join(root, "supabase/migrations/*_by_hand.sql"))
	if err != nil || len(made) != 1 {
		t.Fatalf("%v, %v", made, err)
	}
	text, err := os.ReadFile(made[0])
	if err != nil || !strings.HasPrefix(string(text), "-- Not written: operator public.===") {
		t.Errorf("%v: %s", err, text)
	}
	if output := diff(); !strings.Contains(output, "No schema changes found") {
		t.Errorf("after it became a migration: %s", output)
	}
	// The server has looked at its files when it has applied a newer one.
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20990101000000_last.sql"), []byte("create table public.last (id integer);"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.await(t, "/rest/v1/last", 200, "[]")
	if strings.Contains(s.output.String(), "ERROR") {
		t.Errorf("the server has applied it again:\n%s", s.output)
	}
	// The roles, the schema and the rows make another project.
	dump := func(args ...string) []byte {
		t.Helper()
		text, err := s.prepare(t, nil, append([]string{"db", "dump", "--project", root}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	dumped := filepath.Join(root, "rows.sql")
	if output, err := s.runCommand(t, nil, "db", "dump", "--db-url", url, "--project", root, "--data-only", "-f", dumped, "-x", "auth.users"); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	rows, err := os.ReadFile(dumped)
	if err != nil {
		t.Fatal(err)
	}
	again := folder(t)
	for name, text := range map[string][]byte{"config.toml": nil, "migrations/20250101000000_roles.sql": dump("--role-only"), "migrations/20250102000000_schema.sql": dump("--local"), "seed.sql": rows} {
		path := filepath.Join(again, "supabase", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	other := start(t, again)
	other.await(t, "/rest/v1/notes?order=body", 200, `"one"`)
	for _, args := range [][]string{{"dump", "--data-only", "--role-only"}, {"dump", "--use-copy"}, {"dump", "--role-only", "-s", "public"}, {"dump", "--dry-run"}, {"diff", "--use-migra"}, {"diff", "-s", "nowhere"}, {"diff", "-f", "../x"}, {"dumb"}} {
		if output, err := s.runCommand(t, nil, append([]string{"db"}, append(args, "--project", root)...)...); err == nil {
			t.Errorf("%q: %s", args, output)
		}
	}
}
