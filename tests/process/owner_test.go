package process

import (
	"os"
	"path/filepath"
	"testing"

	"plaza/tests/testkit/freeport"
)

// While it serves, the server has no session of a superuser: a project's triggers, policies and functions that requests
// run cannot become one.
func TestServerHasNoSuperuserSession(t *testing.T) {
	t.Parallel()
	root := resettable(t)
	if err := os.WriteFile(filepath.Join(root, "supabase/migrations/20250104000000_a.sql"), []byte(`create table public.seen (user_name text);
		create function public.note() returns trigger language plpgsql as $$ begin
			reset role; set session authorization default; insert into public.seen values (session_user); return new; end $$;
		grant insert on public.seen to public;
		create trigger note after insert on auth.users for each row execute function public.note();`), 0o600); err != nil {
		t.Fatal(err)
	}
	port := freeport.Pick()
	s := start(t, root, "PLAZA_POSTGRES_PORT="+port)
	if status, body := s.call(t, "POST", "/auth/v1/signup", s.keys.Anon, `{"email":"ana@shop.cat","password":"secret"}`); status != 200 {
		t.Fatalf("%d %s", status, body)
	}
	s.await(t, "/storage/v1/bucket", 200, "[")
	url := "postgres://postgres:postgres@127.0.0.1:" + port + "/postgres"
	if user := query(t, url, "select string_agg(user_name, ',') from public.seen"); user != "postgres" {
		t.Errorf("the session of a sign-up is one of %q", user)
	}
	if count := query(t, url, "select count(*) from pg_stat_activity a join pg_roles r on r.oid = a.usesysid where r.rolsuper and a.backend_type = 'client backend'"); count != "0" {
		t.Errorf("%s sessions of a superuser are open", count)
	}
}

// An upgrade replaces all functions of the marketplace in one session of a database's owner, who is no superuser and may
// set what an extension adds only after its library is loaded.
func TestOwnerReplacesAllFunctions(t *testing.T) {
	t.Parallel()
	dir, port := filepath.Join(folder(t), "data"), freeport.Pick()
	url := "postgres://postgres:postgres@127.0.0.1:" + port + "/postgres"
	serve := func() *server {
		t.Helper()
		web := freeport.Pick()
		s := run(t, web, []string{"serve"}, []string{"PLAZA_PORT=" + web, "PLAZA_POSTGRES_PORT=" + port, "PLAZA_DATA_DIR=" + dir})
		if !s.waitReady(t) {
			t.Fatalf("the server ended\n%s", s.output)
		}
		return s
	}
	s := serve()
	query(t, url, `update plaza.repeatables set checksum = 'old'; select 1`)
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	serve()
	if old := query(t, url, `select count(*) from plaza.repeatables where checksum = 'old' and path like 'functions/%'`); old != "0" {
		t.Errorf("%s files of functions were not applied again", old)
	}
}
