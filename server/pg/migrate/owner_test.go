package migrate_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"plaza/server/pg/migrate"
	"plaza/sql"
	"plaza/tests/testkit"
)

// ownedURL returns the URLs of a database that postgres owns, for a superuser and for postgres.
func ownedURL(t *testing.T) (superuser, owner string) {
	t.Helper()
	superuser = testkit.EmptyURL(t)
	config, err := pgx.ParseConfig(superuser)
	must(t, err)
	_, err = testkit.Open(t, superuser).Exec(t.Context(), "alter database "+pgx.Identifier{config.Database}.Sanitize()+" owner to postgres")
	must(t, err)
	address, err := url.Parse(superuser)
	must(t, err)
	address.User = url.UserPassword("postgres", "postgres")
	return superuser, address.String()
}

// What a project creates belongs to postgres, who is no superuser. What Supabase's postgres may do without
// being one works, and so do stand-ins.
func TestProjectBelongsToPostgres(t *testing.T) {
	t.Parallel()
	superuser, owner := ownedURL(t)
	report := up(t, superuser, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder("migrations/20240102030405_a.sql",
		`create table before as select current_user::text as name;
		create extension if not exists hstore with schema extensions; comment on extension hstore is 'pairs';
		create extension postgres_fdw; create server elsewhere foreign data wrapper postgres_fdw;
		create extension pg_cron; create extension http with schema extensions; create extension vector with schema extensions;
		create extension pgmq; create extension pgtap with schema extensions; create extension pg_hashids with schema extensions;
		grant usage on schema cron to postgres; grant all on all tables in schema cron to postgres;
		create table shops (name text, near extensions.vector(3), owner uuid references auth.users (id));
		create policy read on storage.objects for select using (bucket_id = 'a');
		create function on_user() returns trigger language plpgsql security definer as $$ begin insert into public.shops (name) values (current_user); return new; end $$;
		create trigger on_user after insert on auth.users for each row execute function on_user();
		create function on_ddl() returns event_trigger language plpgsql as $$ begin end $$;
		create event trigger on_ddl on ddl_command_end execute function on_ddl();
		create publication all_of_it for all tables;
		alter publication supabase_realtime add table shops;
		alter role authenticator set pgrst.db_max_rows = '1000'; alter role authenticator reset pgrst.db_max_rows; alter role anon set statement_timeout = '3s';
		select cron.schedule('a', '0 0 * * *', 'select 1'), pgmq.create('q'), vault.create_secret('secret', 'name');
		drop extension hstore; create extension cube with schema extensions;
		set role anon;`,
		"migrations/20240102030406_b.sql", "create table after as select current_user::text as name;",
	)))...)
	_, err := migrate.Seed(t.Context(), superuser, migrate.Supabase(folder("seed.sql", "insert into auth.users (id, email) values (gen_random_uuid(), 'a@example.com'); create table seeded ();")), migrate.Demo, 0, nil)
	must(t, err)
	for _, warning := range report.Warnings {
		if !strings.Contains(warning, "does not provide the extension") {
			t.Errorf("warning: %s", warning)
		}
	}
	for statement, want := range map[string]string{
		"select name from before": "postgres",
		"select name from after":  "postgres",
		"select name from shops":  "postgres",
		"select string_agg(distinct tableowner, ',') from pg_tables where schemaname in ('public', 'cron', 'pgmq', 'supabase_migrations')":                                        "postgres",
		"select count(*) from pg_proc where prosecdef and proowner = 'supabase_admin'::regrole and pronamespace::regnamespace::text not in ('plaza', 'vault') and probin is null": "0",
		"select count(*) from pg_event_trigger join pg_proc p on p.oid = evtfoid where proowner <> 'supabase_admin'::regrole":                                                     "0",
		"select decrypted_secret from vault.decrypted_secrets":      "secret",
		"select username from cron.job":                             "postgres",
		"select extensions.vector_dims('[1,2]'::extensions.vector)": "2",
	} {
		wantValue(t, owner, statement, want)
	}
	for _, refused := range []string{
		"copy (select 1) to program 'true'", "select pg_read_file('PG_VERSION')", "set role supabase_admin", "create role other superuser",
		"select vault._key()", "update plaza.stand_ins set makes = ''", "alter system set work_mem = '1MB'",
		"create or replace function plaza.notify_ddl() returns event_trigger language plpgsql as 'begin end'",
		"create or replace function public.on_ddl() returns event_trigger language plpgsql as 'begin end'",
		"create function plaza.http_call() returns text language sql as 'select 1'",
	} {
		if _, err := testkit.Open(t, owner).Exec(t.Context(), refused); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: %v, want it refused", refused, err)
		}
	}
}

// A function that postgres gives the name of one of ours, and arguments that could fit better, is not called by
// functions of a superuser.
func TestOwnFunctionsAreCalledByTheirTypes(t *testing.T) {
	t.Parallel()
	superuser, owner := ownedURL(t)
	up(t, superuser, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder()))...)
	_, err := testkit.Open(t, owner).Exec(t.Context(), `
		create function extensions.hmac(text, bytea, text) returns bytea language plpgsql as $$ begin raise exception 'called'; end $$;
		create function extensions.encrypt_iv(bytea, bytea, bytea, varchar) returns bytea language plpgsql as $$ begin raise exception 'called'; end $$;
		select vault.create_secret('secret', 'name')`)
	must(t, err)
	wantValue(t, owner, "select decrypted_secret from vault.decrypted_secrets", "secret")
}

// The user of DATABASE_URL may be one of a managed server, who is no superuser and who owns the database.
func TestUserWithoutSuperuser(t *testing.T) {
	t.Parallel()
	superuser, _ := startServerCopy(t)
	run(t, superuser, "create role managed login createrole createdb bypassrls password 'x'")
	run(t, superuser, "create database managed owner managed")
	address, err := url.Parse(superuser)
	must(t, err)
	address.User, address.Path = url.UserPassword("managed", "x"), "/managed"
	owner := address.String()
	up(t, owner, migrate.Stack(migrate.Platform(sql.FS), migrate.Supabase(folder("migrations/20240102030405_a.sql", "create table a ()")))...)
	for _, role := range []string{"anon", "authenticated", "service_role"} {
		run(t, owner, "set role "+role)
	}
}
