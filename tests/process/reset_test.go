package process

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit/freeport"
)

// resettable returns a project with a role, a setting of the database, a bucket and two migrations.
func resettable(t *testing.T) string {
	t.Helper()
	root := project(t)
	for name, text := range map[string]string{
		"supabase/config.toml": "project_id = \"notes\"\n[storage.buckets.photos]\npublic = true\n",
		"supabase/migrations/20250102000000_reporter.sql": `
			create role reporter login password 'secret'; grant select on public.notes to reporter;
			alter database postgres set work_mem = '5MB';`,
		"supabase/migrations/20250103000000_more.sql": `create type public.mood as enum ('good'); create table public.more (id int primary key, mood public.mood default 'good');
			insert into public.more values (1);`,
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// await calls a path until the answer's status is want and its body contains text.
func (s *server) await(t *testing.T, path string, want int, text string) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		status, body := s.call(t, "GET", path, s.keys.Service, "")
		if status == want && strings.Contains(body, text) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s: %d %s, want %d with %q\n%s", path, status, body, want, text, s.output)
		}
	}
}

// query runs statements, and returns the value that the last one selects.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	results, err := conn.PgConn().Exec(t.Context(), sql).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return string(results[len(results)-1].Rows[0][0])
}

// A reset makes the database that the first start makes, while the server runs, which goes on with it.
func TestResetWhileServing(t *testing.T) {
	t.Parallel()
	root := resettable(t)
	port := freeport.Pick()
	s := start(t, root, "PLAZA_POSTGRES_PORT="+port)
	url := "postgres://postgres:postgres@127.0.0.1:" + port + "/postgres"
	if status, body := s.call(t, "POST", "/auth/v1/signup", s.keys.Anon, `{"email":"ana@shop.cat","password":"secret"}`); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	s.await(t, "/rest/v1/more", 200, `"mood":"good"`)
	query(t, url, "delete from public.notes; select ''")
	// A session that would keep the database from being dropped.
	idle, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = idle.Close(context.Background()) }()
	if output, err := s.runCommand(t, nil, "db", "reset", "--project", root); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	// A database of others is not reset without a confirmation, and keeps its roles.
	for _, c := range []struct {
		args []string
		want string
	}{{nil, "use --yes"}, {[]string{"--yes"}, `role "reporter" already exists`}} {
		if output, err := s.runCommand(t, nil, append([]string{"db", "reset", "--project", root, "--db-url", url}, c.args...)...); err == nil || !strings.Contains(output, c.want) {
			t.Errorf("%q (%v): %s", c.args, err, output)
		}
	}
	if output, err := s.runCommand(t, nil, "db", "reset", "--project", root); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	s.await(t, "/rest/v1/notes?order=body", 200, `"one"`)
	s.await(t, "/rest/v1/more", 200, `"mood":"good"`)
	s.await(t, "/storage/v1/bucket", 200, `"photos"`)
	if users := query(t, url, "select count(*)::text from auth.users"); users != "0" {
		t.Errorf("%s users are still there", users)
	}
	if memory := query(t, url, "select current_setting('work_mem')"); memory != "5MB" {
		t.Errorf("the setting of the database is %q", memory)
	}
	if status, body := s.call(t, "POST", "/auth/v1/signup", s.keys.Anon, `{"email":"ana@shop.cat","password":"secret"}`); status != 200 {
		t.Errorf("the same user again: %d %s", status, body)
	}
}

func TestResetWithoutAServer(t *testing.T) {
	t.Parallel()
	root := resettable(t)
	dir := filepath.Join(root, "data")
	s := &server{environ: []string{"PLAZA_DATA_DIR=" + dir, "PLAZA_POSTGRES_PORT=" + freeport.Pick()}}
	reset := func(args ...string) (string, error) {
		t.Helper()
		return s.runCommand(t, nil, append([]string{"db", "reset", "--project", root}, args...)...)
	}
	state := func() string {
		t.Helper()
		output, err := s.runCommand(t, nil, "gentypes", "--project", root) // migrates, as each command does
		if err != nil {
			t.Fatal(output)
		}
		return output
	}
	if output, err := s.runCommand(t, nil, "migrate", "--project", root); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, c := range []struct {
		args []string
		want string // of the error
	}{
		{[]string{"--version", "20240101000000"}, "no migration of version"},
		{[]string{"--version", "x"}, "no version of a migration"},
		{[]string{"--version", "20250102000000", "--last", "1"}, "use either"},
		{[]string{"--linked"}, "--db-url"},
		{[]string{"--db-url", "postgres://postgres@127.0.0.1:1/postgres", "--local"}, "use either"},
	} {
		if output, err := reset(c.args...); err == nil || !strings.Contains(output, c.want) {
			t.Errorf("%q (%v): %s", c.args, err, output)
		}
	}
	if output, err := s.runCommand(t, []string{"PLAZA_DATA_DIR=" + filepath.Join(root, "production"), "PLAZA_ENV=production", "SITE_URL=https://shop.cat", "GOTRUE_SMTP_HOST=mail.shop.cat", "GOTRUE_SMTP_ADMIN_EMAIL=plaza@shop.cat", "PLAZA_TRUSTED_PROXIES=127.0.0.1"}, "db", "reset", "--project", root); err == nil || !strings.Contains(output, "PLAZA_ENV=development") {
		t.Errorf("in production (%v): %s", err, output)
	}
	for _, args := range [][]string{{"--version", "20250102000000"}, {"--last", "1"}} {
		output, err := reset(append(args, "--no-seed")...)
		if err != nil || strings.Contains(output, "_more.sql") || !strings.Contains(output, "_reporter.sql") || strings.Contains(output, "seed.sql") {
			t.Errorf("%q (%v): %s", args, err, output)
		}
	}
	if !strings.Contains(state(), "more: {") {
		t.Error("the next command does not apply the rest")
	}
	wrong := filepath.Join(root, "supabase/migrations/20250104000000_wrong.sql")
	if err := os.WriteFile(wrong, []byte("select nothing;"), 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := reset(); err == nil || !strings.Contains(output, "the database was reset, and then") || !strings.Contains(output, "_wrong.sql") {
		t.Errorf("a wrong migration (%v): %s", err, output)
	}
	if err := os.Remove(wrong); err != nil {
		t.Fatal(err)
	}
	if output, err := reset(); err != nil || !strings.Contains(output, "The database was reset.") {
		t.Errorf("%v: %s", err, output)
	}
}
