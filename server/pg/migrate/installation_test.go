package migrate_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/embedded"
	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// startServerCopy starts a separate PostgreSQL and returns the superuser's URL. install adds
// extensions, which are SQL scripts by name. The server is a copy of the machine's
// installation, because PostgreSQL looks for its files relative to its program.
func startServerCopy(t *testing.T) (url string, install func(extensions map[string]string)) {
	t.Helper()
	root := t.TempDir()
	for dir := root; dir != os.TempDir(); dir = filepath.Dir(dir) { // PostgreSQL may run as another user
		must(t, os.Chmod(dir, 0o755))
	}
	found := installation(t, testkit.EmptyURL(t))
	at := func(name string) string {
		within, err := filepath.Rel(found["prefix"], found[name])
		must(t, err)
		return filepath.Join(root, within)
	}
	must(t, os.MkdirAll(at("BINDIR"), 0o755))
	for _, program := range []string{"postgres", "initdb"} {
		text, err := os.ReadFile(filepath.Join(found["BINDIR"], program))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(at("BINDIR"), program), text, 0o755))
	}
	linkAll(t, found["LIBDIR"], at("LIBDIR"))
	if at("PKGLIBDIR") != at("LIBDIR") {
		must(t, os.RemoveAll(at("PKGLIBDIR"))) // it is a link to the real folder, in which the test must not write
		linkAll(t, found["PKGLIBDIR"], at("PKGLIBDIR"))
	}
	linkAll(t, found["SHAREDIR"], at("SHAREDIR"))
	// The server preloads pg_net.so if the file exists. auto_explain stands in for it, as it does nothing without settings.
	must(t, os.Symlink(filepath.Join(found["PKGLIBDIR"], "auto_explain.so"), filepath.Join(at("PKGLIBDIR"), "pg_net.so")))
	folder := filepath.Join(at("SHAREDIR"), "extension")
	must(t, os.Remove(folder))
	linkAll(t, filepath.Join(found["SHAREDIR"], "extension"), folder)
	server, err := embedded.Start(t.Context(), embedded.Config{DataDir: filepath.Join(root, "data"), BinDir: at("BINDIR"), Password: "postgres"})
	must(t, err)
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	return server.AdminURL(), func(extensions map[string]string) {
		for name, script := range extensions {
			must(t, os.WriteFile(filepath.Join(folder, name+".control"), []byte("default_version = '1.0'\n"), 0o644))
			must(t, os.WriteFile(filepath.Join(folder, name+"--1.0.sql"), []byte(script), 0o644))
		}
	}
}

// reapplyRepeatables makes all repeatable files be applied again, as a release that changes
// them would.
func reapplyRepeatables(t *testing.T, url string) {
	t.Helper()
	_, err := testkit.Open(t, url).Exec(t.Context(), "delete from plaza.repeatables")
	must(t, err)
}

// installation returns the folders of the PostgreSQL behind a URL, and their common "prefix".
func installation(t *testing.T, url string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	must(t, err)
	defer conn.Close(context.Background())
	rows, err := conn.Query(t.Context(), "select name, setting from pg_config() where name in ('BINDIR', 'LIBDIR', 'PKGLIBDIR', 'SHAREDIR')")
	must(t, err)
	found := make(map[string]string)
	var name, dir string
	_, err = pgx.ForEachRow(rows, []any{&name, &dir}, func() error { found[name] = dir; return nil })
	must(t, err)
	prefix := found["BINDIR"]
	for !strings.HasPrefix(found["SHAREDIR"], prefix+"/") {
		prefix = filepath.Dir(prefix)
	}
	found["prefix"] = prefix
	return found
}

// linkAll creates links in one folder to all entries of another, except existing ones.
func linkAll(t *testing.T, from, to string) {
	t.Helper()
	must(t, os.MkdirAll(to, 0o755))
	entries, err := os.ReadDir(from)
	must(t, err)
	for _, entry := range entries {
		place := filepath.Join(to, entry.Name())
		if _, err := os.Lstat(place); err != nil {
			must(t, os.Symlink(filepath.Join(from, entry.Name()), place))
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var supabasesExtensions = map[string]string{
	"pg_graphql": `create function graphql.resolve(query text, variables jsonb default '{}', "operationName" text default null, extensions jsonb default null)
		returns jsonb language sql as $$ select jsonb_build_object('asked', query) $$;`,
	"pg_net": `create schema net; create table net.http_request_queue (url text);
		create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}', headers jsonb default '{}', timeout_milliseconds integer default 1000)
		returns bigint language sql as $$ insert into net.http_request_queue values ('sent: ' || url) returning 1::bigint $$;`,
	"supabase_vault": `create table vault.secrets (secret text); create view vault.decrypted_secrets as select * from vault.secrets;
		create function vault.create_secret(text) returns void language sql as $$ insert into vault.secrets values ('encrypted') $$;`,
}

// If PostgreSQL has Supabase's extensions, they are created instead of the stand-ins.
func TestAvailableExtensionsAreCreated(t *testing.T) {
	t.Parallel()
	url, install := startServerCopy(t)
	install(supabasesExtensions)
	stack := migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder("migrations/20240102030405_a.sql",
		`create extension if not exists pg_net with schema extensions;
		create table shops (name text);
		create trigger on_insert after insert on shops for each row execute function supabase_functions.http_request('http://shop.test', 'POST', '{}', '{}', '1000');
		insert into shops values ('a'); select vault.create_secret('s');`)))
	report := up(t, url, stack...)
	if len(report.Warnings) != 0 {
		t.Errorf("warnings %q, want none", report.Warnings)
	}
	for sql, want := range map[string]string{
		"select count(*) from pg_extension where extname in ('pg_graphql', 'pg_net', 'supabase_vault')":                                                      "3",
		"select count(*) from pg_proc where pronamespace = 'net'::regnamespace":                                                                              "1",
		"select url from net.http_request_queue":                                                                                                             "sent: http://shop.test",
		"select secret from vault.secrets":                                                                                                                   "encrypted",
		"select graphql_public.graphql(query => '{ a }')":                                                                                                    `{"asked": "{ a }"}`,
		"select has_table_privilege('service_role', 'vault.decrypted_secrets', 'select')":                                                                    "true",
		"select has_function_privilege('authenticated', 'vault.create_secret(text)', 'execute')":                                                             "false",
		"select has_schema_privilege('anon', 'graphql', 'usage') and has_function_privilege('anon', 'graphql.resolve(text, jsonb, text, jsonb)', 'execute')": "true",
	} {
		wantValue(t, url, sql, want)
	}
	if again := up(t, url, stack...); len(again.Applied) != 0 {
		t.Errorf("a second run applied %v", again.Applied)
	}
	reapplyRepeatables(t, url)
	up(t, url, stack...)
	wantValue(t, url, "select secret from vault.secrets", "encrypted")
}

// An extension that PostgreSQL has but does not preload would fail when it is created.
func TestExtensionThatIsNotPreloaded(t *testing.T) {
	t.Parallel()
	url, install := startServerCopy(t)
	install(map[string]string{"pg_cron": "do $$ begin raise 'pg_cron can only be loaded via shared_preload_libraries'; end $$"})
	report := up(t, url, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder("migrations/20240102030405_a.sql",
		"create extension pg_cron; select cron.schedule('a', '@daily', 'select 1');")))...)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], `does not provide the extension "pg_cron"`) {
		t.Errorf("warnings %q, want one about the stand-in", report.Warnings)
	}
	wantValue(t, url, "select jobname from cron.job", "a")
}

// An existing stand-in is kept when the extension becomes available later.
func TestExistingStandInIsKept(t *testing.T) {
	t.Parallel()
	url, install := startServerCopy(t)
	files := folder("migrations/20240102030405_a.sql", "select vault.create_secret('s');")
	up(t, url, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))...)
	install(supabasesExtensions)
	reapplyRepeatables(t, url)
	files["migrations/20240203040506_b.sql"] = &fstest.MapFile{Data: []byte("create extension supabase_vault;")}
	report := up(t, url, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))...)
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "reimplemented by Plaza") {
		t.Errorf("warnings %q, want one about the stand-in", report.Warnings)
	}
	wantValue(t, url, "select secret from vault.secrets", "s")
}
