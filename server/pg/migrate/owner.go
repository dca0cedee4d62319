package migrate

import (
	"context"

	"github.com/jackc/pgx/v5"

	"plaza/server/lazyregexp"
)

// Files of a project run as the role postgres if that owns the database and is no superuser, as on Supabase, so
// that what they create belongs to it. A few statements need a superuser; they run as the role that signed in.
const (
	// hasOwner reports whether a session that signed in as a superuser is to become postgres.
	hasOwner = `select (select rolsuper from pg_catalog.pg_roles where rolname = current_user) and exists (
		select from pg_catalog.pg_roles r join pg_catalog.pg_database d on d.datdba = r.oid
		where d.datname = current_database() and r.rolname = 'postgres' and not r.rolsuper)`
	becomeOwner     = `set session authorization postgres`
	becomeSuperuser = `set session authorization default`

	// shareRecords lets postgres record its files. Those of the Supabase CLI belong to it.
	shareRecords = `do $$
		declare
			ours regclass;
		begin
			if to_regnamespace('plaza') is not null then
				grant usage on schema plaza to postgres;
			end if;
			if to_regnamespace('supabase_migrations') is not null then
				alter schema supabase_migrations owner to postgres;
			end if;
			foreach ours in array array[to_regclass('plaza.migrations'), to_regclass('plaza.repeatables'), to_regclass('plaza.volume')] loop
				if ours is not null then
					execute format('grant select, insert, update, delete on %s to postgres', ours);
				end if;
			end loop;
			foreach ours in array array[to_regclass('supabase_migrations.schema_migrations'), to_regclass('supabase_migrations.seed_files')] loop
				if ours is not null then
					execute format('alter table %s owner to postgres', ours);
				end if;
			end loop;
		end
		$$`
)

// shareExtensions lets postgres use the objects of extensions that a superuser created, if the platform's schema exists.
const shareExtensions = `do $$
	begin
		if to_regprocedure('plaza.share_extensions()') is not null then
			perform plaza.share_extensions();
		end if;
	end
	$$`

// asSuperuser runs fn as the role that signed in. A session that ran as postgres does so again afterwards.
func asSuperuser(ctx context.Context, conn *pgx.Conn, fn func() error) error {
	if conn.PgConn().ParameterStatus("session_authorization") == conn.Config().User {
		return fn()
	}
	if _, err := conn.Exec(ctx, becomeSuperuser); err != nil {
		return err
	}
	if err := fn(); err != nil {
		return err // the transaction is over, and with it the change of the role
	}
	_, err := conn.Exec(ctx, becomeOwner)
	return err
}

// needsSuperuser matches statements that PostgreSQL allows only a superuser, but Supabase its postgres, too. It also matches
// those that create a function which statements of a superuser call, for event triggers: a superuser has to own it, so that
// SQL injected into a function of postgres cannot replace it. Default privileges of supabase_admin are part of schemas that
// older versions of the Supabase CLI have pulled.
// Source: supautils. replaceExtension decides about creating an extension.
var needsSuperuser = lazyregexp.New(`(?is)^(?:(?:alter|drop|comment\s+on)\s+extension\b|(?:create|alter|drop|comment\s+on)\s+event\s+trigger\b` +
	`|(?:create|alter)\s+publication\b.*\bfor\s+(?:all\s+tables|tables\s+in\s+schema)\b` +
	`|alter\s+default\s+privileges\s+for\s+(?:role|user)\s+"?supabase_admin\b|create\s+(?:or\s+replace\s+)?function\b.*?\breturns\s+event_trigger\b)`)

// superuserFiles are the beginnings of the paths of our files that need a superuser.
var superuserFiles = []string{
	"supabase/base/extensions.sql", "supabase/base/stand_ins.sql", "supabase/base/vault.sql", "supabase/installed/",
	"supabase/extensions/http/", "supabase/extensions/vector/",
}

// runSuperuserPart runs whole statements of a file that need a superuser. Extensions may be among them.
func runSuperuserPart(ctx context.Context, conn *pgx.Conn, f file, part span) error {
	return asSuperuser(ctx, conn, func() error {
		err := runPart(ctx, conn, f, part)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, shareExtensions)
		return err
	})
}
