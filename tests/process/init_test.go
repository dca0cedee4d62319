package process

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// plazaIn runs the binary to its end in a folder, with a standard input.
func plazaIn(t *testing.T, dir, input string, environ []string, args ...string) (string, error) {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), path, args...)
	command.Dir, command.Stdin, command.Env = dir, strings.NewReader(input), append(os.Environ(), environ...)
	output, err := command.CombinedOutput()
	return string(output), err
}

// A project is made with plaza init and plaza new, and served without a warning.
func TestNewProjectIsServedWithoutWarnings(t *testing.T) {
	t.Parallel()
	root := folder(t)
	if output, err := plazaIn(t, root, "", nil, "new", "early"); err == nil || !strings.Contains(output, "plaza init") {
		t.Errorf("a migration without a project (%v): %s", err, output)
	}
	if output, err := plazaIn(t, root, "", nil, "init"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if output, err := plazaIn(t, root, "", nil, "init"); err == nil || !strings.Contains(output, "--force") {
		t.Errorf("a second init (%v): %s", err, output)
	}
	if output, err := plazaIn(t, root, "create table public.notes (id int primary key, body text); insert into public.notes values (1, 'one');", nil, "new", "notes"); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	if output, err := plazaIn(t, root, "", nil, "new", "../notes"); err == nil || !strings.Contains(output, "name of a migration") {
		t.Errorf("a name with a path (%v): %s", err, output)
	}
	made, err := filepath.Glob(filepath.Join(root, "supabase/migrations/*_notes.sql"))
	if err != nil || len(made) != 1 {
		t.Fatalf("%v, %v", made, err)
	}
	s := launch(t, root)
	if !s.waitReady(t) {
		t.Fatalf("the server ended\n%s", s.output)
	}
	s.readKeys(t)
	if status, body := s.call(t, "GET", "/rest/v1/notes", s.keys.Anon, ""); status != 200 || !strings.Contains(body, "one") {
		t.Errorf("%d %s", status, body)
	}
	// New migrations are applied while it serves, once they have a statement; one that fails does not end it.
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(root, "supabase/migrations", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	await := func(path string, want int) {
		t.Helper()
		for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
			status, body := s.call(t, "GET", path, s.keys.Anon, "")
			if status == want {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%s: %d %s\n%s", path, status, body, s.output)
			}
		}
	}
	if strings.Contains(s.output.String(), "WARN") {
		t.Errorf("the server warns:\n%s", s.output)
	}
	write("20990101000000_empty.sql", "-- Not yet.\n")
	write("20990101000001_more.sql", "create table public.more (id int primary key);")
	await("/rest/v1/more", 200)
	write("20990101000002_wrong.sql", "create table public.wrong (id int primary key);\nselect nothing;")
	write("20990101000000_empty.sql", "create table public.late (id int primary key);")
	await("/rest/v1/late", 200)
	write("20990101000002_wrong.sql", "create table public.wrong (id int primary key);")
	await("/rest/v1/wrong", 200)
	if output, err := plazaIn(t, root, "", nil, "init", "--force"); err != nil {
		t.Errorf("init --force (%v): %s", err, output)
	}
	if text, err := os.ReadFile(filepath.Join(root, "supabase/.gitignore")); err != nil || !strings.Contains(string(text), ".plaza/") {
		t.Errorf("%s, %v", text, err)
	}
}
