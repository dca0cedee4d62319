package transfer_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/pg/migrate"
	"plaza/server/transfer"
	"plaza/sql"
	"plaza/storage/blob/disk"
	"plaza/tests/testkit"
)

// folder is a project folder that was not served yet.
var folder = migrate.Supabase(fstest.MapFS{"migrations/.keep": {}})

// schema is what the source's project consists of.
const schema = `
	create table public.notes (id bigint generated always as identity primary key, body text, length int generated always as (length(body)) stored);
	create index notes_body_idx on public.notes (body);
	alter table public.notes enable row level security;
	create policy "all read" on public.notes for select to anon using (true);`

// project returns a database with the platform's schema, and a pool for it.
func project(t *testing.T) (string, *pgxpool.Pool) {
	t.Helper()
	url := testkit.PlatformURL(t)
	if _, err := migrate.Up(t.Context(), url, migrate.Stack(migrate.Platform(sql.FS), folder), nil); err != nil {
		t.Fatal(err)
	}
	return url, testkit.Open(t, url)
}

func exec(t *testing.T, db *pgxpool.Pool, statements string) {
	t.Helper()
	if _, err := db.Exec(t.Context(), statements); err != nil {
		t.Fatalf("%s: %v", statements, err)
	}
}

func value(t *testing.T, db *pgxpool.Pool, query string) (found string) {
	t.Helper()
	if err := db.QueryRow(t.Context(), query).Scan(&found); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return found
}

// files are objects by "bucket/key".
type files map[string]string

func (f files) Open(_ context.Context, bucket, key string) (io.ReadCloser, error) {
	content, ok := f[bucket+"/"+key]
	if !ok {
		return nil, transfer.ErrNoObject
	}
	return io.NopCloser(strings.NewReader(content)), nil
}

// move is an import under test.
type move struct {
	*testing.T
	from         transfer.Source
	to           transfer.Target
	file         string
	schema       transfer.Schema
	source, here *pgxpool.Pool
}

func prepare(t *testing.T) *move {
	t.Helper()
	m := &move{T: t, file: filepath.Join(t.TempDir(), "schema.sql")}
	m.schema = transfer.SchemaFile(m.file)
	m.from.URL, m.source = project(t)
	m.to.URL, m.here = project(t)
	m.to.Project = folder
	store, err := disk.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	m.to.Blobs = store
	exec(t, m.source, schema)
	m.write(schema)
	return m
}

// write makes the schema file.
func (m *move) write(text string) {
	m.Helper()
	if err := os.WriteFile(m.file, []byte(text), 0o600); err != nil {
		m.Fatal(err)
	}
}

// run imports and checks which differences are reported.
func (m *move) run(wants ...string) {
	m.Helper()
	report, err := transfer.Import(m.Context(), m.from, m.to, transfer.Options{Schema: m.schema})
	if err != nil && !errors.Is(err, transfer.ErrDiffers) || (err == nil) != (len(wants) == 0) {
		m.Fatalf("%v, differences %q", err, report.Differences)
	}
	if !slices.Equal(report.Differences, wants) {
		m.Errorf("differences %q, want %q", report.Differences, wants)
	}
}

// unfinished checks whether the target is marked as having an unfinished import.
func (m *move) unfinished(want bool) {
	m.Helper()
	conn, err := m.here.Acquire(m.Context())
	if err != nil {
		m.Fatal(err)
	}
	defer conn.Release()
	if source, err := transfer.Unfinished(m.Context(), conn.Conn()); err != nil || (source != "") != want {
		m.Errorf("unfinished import from %q, %v", source, err)
	}
}

// refused imports and checks the error.
func (m *move) refused(want string) {
	m.Helper()
	_, err := transfer.Import(m.Context(), m.from, m.to, transfer.Options{Schema: m.schema})
	if err == nil || !strings.Contains(err.Error(), want) {
		m.Errorf("%v, want %q", err, want)
	}
}

const (
	ana  = "0a000000-0000-4000-8000-000000000001"
	user = `insert into auth.users (id, email, raw_user_meta_data) values ('` + ana + `', 'ana@example.com', '{"name": "Ana"}');
		insert into auth.sessions (id, user_id) values ('0a000000-0000-4000-8000-00000000000a', '` + ana + `'), ('0a000000-0000-4000-8000-00000000000b', '` + ana + `')`
	notes = `insert into public.notes (body) select 'note ' || n from generate_series(1, 1000) n`
)

func TestDifferencesAreReportedAndRunsContinue(t *testing.T) {
	t.Parallel()
	m := prepare(t)
	exec(t, m.source, user+"; "+notes+`;
		insert into storage.buckets (id, name) values ('b', 'b'); insert into storage.objects (bucket_id, name, version) values ('b', 'kept', 'v1'), ('b', 'deleted', 'v1');
		select vault.create_secret('of ana', 'ana', 'hers'), vault.create_secret('of nobody');
		alter table auth.users add column of_tomorrow text; update auth.users set of_tomorrow = 'used';
		create table auth.tomorrow (id int); insert into auth.tomorrow values (1);
		alter table auth.sessions add column never_used text;
		create policy "own" on storage.objects to authenticated using (true);
		create function public.on_user() returns trigger language plpgsql as 'begin return new; end';
		create trigger on_user after insert on auth.users for each row execute function public.on_user()`)
	m.write(strings.Replace(schema, "create index", "-- create index", 1) + "create function public.on_user() returns trigger language plpgsql as 'begin return new; end';")
	missing := []string{"the target lacks auth.tomorrow", "the target lacks auth.users.of_tomorrow", "only the source has the index notes_body_idx on public.notes"}
	exec(t, m.source, `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at, secret) values
		('0c000000-0000-4000-8000-000000000001', '`+ana+`', 'totp', 'verified', now(), now(), 'JBSWY3DPEHPK3PXP'), ('0c000000-0000-4000-8000-000000000002', '`+ana+`', 'totp', 'verified', now(), now(), 's1.key.sealed')`)
	m.run(missing...)
	m.unfinished(true)
	// The source keeps changing, and the next run transfers the changes.
	exec(t, m.source, `update public.notes set body = 'changed' where id = 7; insert into public.notes (body) values ('new');
		delete from auth.sessions where id::text like '%b'; set storage.allow_delete_query = 'true'; delete from storage.objects where name = 'deleted'`)
	m.run(missing...)
	if got := value(t, m.here, `select concat_ws(' ', count(*), max(id), max(body) filter (where id = 7), sum(length)) from public.notes`); got != value(t, m.source,
		`select concat_ws(' ', count(*), max(id), max(body) filter (where id = 7), sum(length)) from public.notes`) {
		t.Errorf("notes: %s", got)
	}
	exec(t, m.here, `create index notes_body_idx on public.notes (body)`)
	exec(t, m.source, `drop table auth.tomorrow; update auth.users set of_tomorrow = null`)
	m.run()
	m.unfinished(false)
	exec(t, m.here, `insert into public.notes (body) values ('after the move')`)
	if got := value(t, m.here, `select concat_ws(' ', max(n.id), (select email from auth.users), (select count(*) from auth.sessions)) from public.notes n`); got != "1002 ana@example.com 1" {
		t.Errorf("the target has %s", got)
	}
	if got := value(t, m.here, `select concat_ws('; ', (select string_agg(secret, ', ') from auth.mfa_factors), (select string_agg(name, ', ') from storage.unused_blobs), (select string_agg(right(id::text, 1), ', ') from auth.refused_tokens),
		(select string_agg(concat_ws(' ', name, description, decrypted_secret), ', ' order by name) from vault.decrypted_secrets))`); got != "JBSWY3DPEHPK3PXP; b/deleted/v1; b; ana hers of ana,  of nobody" {
		t.Errorf("second factors, blobs to delete, ended sessions and secrets: %s", got)
	}
	m.refused("was imported from")
}

func TestObjectsAreChecked(t *testing.T) {
	t.Parallel()
	m := prepare(t)
	exec(t, m.source, `insert into storage.buckets (id, name) values ('b', 'b');
		insert into storage.objects (bucket_id, name, version, metadata) values
			('b', 'good', 'v1', '{"size": 3, "eTag": "\"900150983cd24fb0d6963f7d28e17f72\""}'), ('b', 'longer', 'v1', '{"size": 3}'),
			('b', 'other', 'v1', '{"size": 3, "eTag": "\"900150983cd24fb0d6963f7d28e17f72\""}'), ('b', 'of parts', 'v1', '{"size": 3, "eTag": "\"00000000000000000000000000000000-2\""}'),
			('b', 'gone', 'v1', '{}'), ('b', '../x', 'v1', '{}')`)
	m.from.Objects = files{"b/good": "abc", "b/longer": "abcd", "b/other": "abd", "b/of parts": "abc"}
	report, err := transfer.Import(t.Context(), m.from, m.to, transfer.Options{Schema: m.schema})
	slices.Sort(report.Differences)
	wants := []string{
		"object b/../x: its name cannot be stored", "object b/gone: the source has no content of it",
		"object b/longer: its row says 3 bytes, its content has 4", "object b/other: its content does not have the checksum of its row",
	}
	if !errors.Is(err, transfer.ErrDiffers) || !slices.Equal(report.Differences, wants) || report.Objects != 2 {
		t.Errorf("%v, %d objects, differences %q", err, report.Objects, report.Differences)
	}
	for name, want := range map[string]bool{"b/good/v1": true, "b/of parts/v1": true, "b/longer/v1": false, "b/other/v1": false} {
		if _, err := m.to.Blobs.Stat(t.Context(), name); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := value(t, m.here, `select concat_ws(' ', sum(objects), sum(bytes)) from storage.usage`); got != "6 12" {
		t.Errorf("counted: %s", got)
	}
}

func TestImportOnlyIntoAnEmptyTarget(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]string{"a user": user, "a bucket": `insert into storage.buckets (id, name) values ('b', 'b')`, "a table": `create table public.x (id int)`} {
		m := prepare(t)
		exec(t, m.here, make)
		m.refused("already")
		if got := value(t, m.here, `select count(*)::text from plaza.imports`); got != "0" {
			t.Errorf("%s: an import was begun", name)
		}
	}
	m := prepare(t)
	exec(t, m.here, `create table plaza.imports (source text not null, started_at timestamptz not null default now(), schema_at timestamptz, rows_at timestamptz);
		insert into plaza.imports (source) values ('other:5432/postgres')`)
	m.refused("other:5432/postgres")
}

// The folder that the source was made with does not apply its migrations again, nor its seeds.
func TestMigrationsCountAsApplied(t *testing.T) {
	t.Parallel()
	m := prepare(t)
	m.schema = transfer.Catalogue{}
	exec(t, m.source, `create policy "own" on storage.objects to authenticated using (true)`)
	exec(t, m.source, `insert into supabase_migrations.schema_migrations (version, name, statements) values ('20250101000000', 'notes', array['`+strings.ReplaceAll(schema, "'", "''")+`'])`)
	m.to.Project = migrate.Supabase(fstest.MapFS{
		"migrations/20250101000000_notes.sql": {Data: []byte(schema)}, "migrations/20250102000000_more.sql": {Data: []byte("alter table public.notes add column more text")},
		"seed.sql": {Data: []byte("insert into public.notes (body) values ('of the seed')")},
	})
	m.run()
	report, err := migrate.Up(t.Context(), m.to.URL, []migrate.Source{m.to.Project}, nil)
	if err != nil || len(report.Applied) != 1 || report.Applied[0].Path != "migrations/20250102000000_more.sql" || len(report.Warnings) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
	if report, err = migrate.Seed(t.Context(), m.to.URL, m.to.Project, migrate.Demo, 0, nil); err != nil || len(report.Applied) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestFailedSchemaLeavesNothing(t *testing.T) {
	t.Parallel()
	m := prepare(t)
	m.write(schema + "create table public.broken (id nonsense);")
	m.refused("schema:")
	if got := value(t, m.here, `select coalesce(to_regclass('public.notes')::text, 'none')`); got != "none" {
		t.Errorf("%s was left", got)
	}
	m.write(schema)
	m.run()
}

// dump is the output of pg_dump, as far as lines of it are changed.
const dump = `\restrict AbC
SET transaction_timeout = 0;
CREATE SCHEMA "private";
CREATE EXTENSION IF NOT EXISTS "pgmq" WITH SCHEMA "pgmq";
COMMENT ON EXTENSION "pgmq" IS 'queues';
CREATE TABLE "public"."t" ("id" integer);
CREATE TABLE "cron"."mine" ("id" integer);
CREATE EVENT TRIGGER "e" ON "ddl_command_end"
         WHEN TAG IN ('CREATE TABLE')
   EXECUTE FUNCTION "public"."f"();
CREATE PUBLICATION "supabase_realtime" WITH (publish = 'insert');
CREATE PUBLICATION "mine" WITH (publish = 'insert');
GRANT USAGE ON SCHEMA "auth" TO "anon";
GRANT USAGE ON SCHEMA "private" TO "anon";
ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin" IN SCHEMA "public" GRANT ALL ON TABLES  TO "anon";
`

const restorable = `-- \restrict AbC
-- SET transaction_timeout = 0;
CREATE SCHEMA IF NOT EXISTS "private";
CREATE EXTENSION IF NOT EXISTS "pgmq";
-- COMMENT ON EXTENSION "pgmq" IS 'queues';
CREATE TABLE IF NOT EXISTS "public"."t" ("id" integer);
CREATE TABLE IF NOT EXISTS "cron"."mine" ("id" integer);
-- CREATE EVENT TRIGGER "e" ON "ddl_command_end"
--          WHEN TAG IN ('CREATE TABLE')
--    EXECUTE FUNCTION "public"."f"();
-- CREATE PUBLICATION "supabase_realtime" WITH (publish = 'insert');
CREATE PUBLICATION "mine" WITH (publish = 'insert');
-- GRANT USAGE ON SCHEMA "auth" TO "anon";
GRANT USAGE ON SCHEMA "private" TO "anon";
-- ALTER DEFAULT PRIVILEGES FOR ROLE "supabase_admin" IN SCHEMA "public" GRANT ALL ON TABLES  TO "anon";
`

func TestSchemaFileIsMadeRestorable(t *testing.T) {
	t.Parallel()
	m := prepare(t)
	conn, err := m.source.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for name, text := range map[string]string{"pg_dump": dump, "supabase db dump": restorable} {
		m.write(text)
		if got, _, err := transfer.SchemaFile(m.file).Read(t.Context(), conn.Conn()); err != nil || got != restorable+"\n" {
			t.Errorf("of %s: %v\n%s", name, err, got)
		}
	}
}
