package migrate_test

import (
	"slices"
	"strings"
	"testing"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

func TestStandInsForExtensions(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	source := migrate.Supabase(folder("migrations/20240102030405_jobs.sql", `-- create extension postgis;
		create extension if not exists "pg_cron"
			with schema pg_catalog;
		create table a (text text default 'create extension pg_cron;');
		CREATE EXTENSION pg_net; create extension hstore;
		select cron.schedule('clean', '0 3 * * *', 'delete from a');`))
	report := up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
	for i, wanted := range []string{`_jobs.sql:2: this PostgreSQL does not provide the extension "pg_cron"`, `_jobs.sql:5: this PostgreSQL does not provide the extension "pg_net"`} {
		if len(report.Warnings) != 2 || !strings.Contains(report.Warnings[i], wanted) {
			t.Errorf("warnings %q, want %q as number %d of 2", report.Warnings, wanted, i+1)
		}
	}
	wantValue(t, url, "select jobname from cron.job", "clean")
	wantValue(t, url, "select count(*) from pg_extension where extname = 'hstore'", "1")
	wantValue(t, url, `select statements[1] like '%"pg_cron"%' from supabase_migrations.schema_migrations`, "true")
}

// Projects may look for a function in all schemas before they create it, so the platform's
// functions must not have common names.
func TestPlatformFunctionsHaveSupabaseNames(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	source := migrate.Supabase(folder("migrations/20240102030405_a.sql", `do $$ begin
		if not exists (select from pg_proc where proname = 'set_updated_at') then
			create function public.set_updated_at() returns trigger language plpgsql as 'begin return new; end';
		end if;
	end $$;`))
	up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
	wantValue(t, url, "select to_regproc('public.set_updated_at') is not null", "true")
	wantValue(t, url, "select tgfoid::regproc from pg_trigger where tgname = 'update_objects_updated_at'", "storage.update_updated_at_column")
}

func TestSeedFileCreatesExtension(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	files := folder("seed.sql", "create extension if not exists pg_cron;\nselect cron.schedule('clean', '0 3 * * *', 'select 1');")
	source := migrate.Supabase(files)
	up(t, url, migrate.Stack(migrate.Platform(sql.FS), source)...)
	report, err := migrate.Seed(t.Context(), url, source, migrate.Demo, 0, nil)
	if err != nil || len(report.Warnings) != 1 {
		t.Fatalf("%v, warnings %q", err, report.Warnings)
	}
	wantValue(t, url, "select jobname from cron.job", "clean")
}

func TestMissingExtension(t *testing.T) {
	t.Parallel()
	source := migrate.Supabase(folder("migrations/20240102030405_maps.sql", "create extension pg_cron;\n\ncreate extension postgis_of_nowhere;"))
	_, err := migrate.Up(t.Context(), testkit.PlatformURL(t), []migrate.Source{source}, nil)
	if err == nil || !strings.Contains(err.Error(), "_maps.sql:3: ") || !strings.Contains(err.Error(), "DATABASE_URL") {
		t.Errorf("got %v, want an error at line 3 that names DATABASE_URL", err)
	}
}

// A file may create the schema of an extension before it.
func TestSchemaOfStandIn(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	files := folder("migrations/20240102030405_a.sql", `create table before (n int);
		create schema "Own"; create schema if not exists pgmq; create extension pgmq with schema pgmq;
		create extension vector with schema "Own"; create table a (v "Own".vector(2)); create extension if not exists vector;`)
	stack := migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))
	up(t, url, stack...)
	wantValue(t, url, "select string_agg(n.nspname, ' ') from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.typname = 'vector'", "Own")
	wantValue(t, url, "select to_regproc('pgmq.send_batch') is not null or to_regprocedure('pgmq.send(text, jsonb)') is not null", "true")
	files["migrations/20240102030406_b.sql"] = folder("x", "select 1;\ncreate extension pg_hashids with schema nowhere;")["x"]
	if _, err := migrate.Up(t.Context(), url, stack, nil); err == nil || !strings.Contains(err.Error(), "_b.sql: ") {
		t.Errorf("got %v, want an error of the file", err)
	}
}

// The schema of an extension depends on whether it exists before the project's own statement,
// so the same extensions must exist as on Supabase.
func TestExtensionsMatchSupabase(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	source := migrate.Supabase(folder("migrations/20240102030405_a.sql", "create extension if not exists citext with schema public;\ncreate table a (b public.citext);"))
	stack := migrate.Stack(migrate.Platform(sql.FS), source)
	up(t, url, stack...)
	if again := up(t, url, stack...); len(again.Applied) != 0 {
		t.Errorf("a second run applied %v", again.Applied)
	}
	wantValue(t, url, "select extnamespace::regnamespace from pg_extension where extname = 'citext'", "public")
	wantValue(t, url, "select count(*) from pg_extension where extname in ('pg_trgm', 'unaccent', 'btree_gist')", "0")
	wantValue(t, url, "select vault.create_secret('s', 'n') is not null", "true")
}

// An update brings the stand-ins that a database has up to date, and does not send what an earlier one kept.
func TestStandInsAreUpdated(t *testing.T) {
	t.Parallel()
	url := testkit.PlatformURL(t)
	files := folder("migrations/20240102030405_a.sql", "create extension pg_cron;")
	stack := migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(files))
	up(t, url, stack...)
	_, err := testkit.Open(t, url).Exec(t.Context(), `
		drop function cron._parse cascade;
		insert into net.http_request_queue (method, url, timeout_milliseconds) values ('GET', 'http://old.test', 1000);
		create function net.enqueue(text, text, jsonb, jsonb, text, integer) returns bigint language sql as 'select 1::bigint';
		update plaza.repeatables set checksum = 'old' where path like 'supabase/%'`)
	must(t, err)
	if report := up(t, url, stack...); !slices.Contains(paths(report), "supabase/extensions/pg_cron/pg_cron.sql") {
		t.Errorf("applied %v, want the stand-in of pg_cron", paths(report))
	}
	wantValue(t, url, "select cron.schedule('a', '@daily', 'select 1') is not null", "true")
	wantValue(t, url, "select count(*) from net.http_request_queue", "0")
	if report := up(t, url, stack...); len(report.Applied) != 0 {
		t.Errorf("a further run applied %v", report.Applied)
	}
}
