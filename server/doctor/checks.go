package doctor

// relations selects the relations of the exposed schemas, with their quoted names.
const relations = `(
		select c.*, format('%I.%I', n.nspname, c.relname) as name, n.nspname,
			coalesce(c.reloptions::text[] && array['security_invoker=true', 'security_invoker=on', 'security_invoker=1'], false) as invoker
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where n.nspname = any($1)
			and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
	) c`

// Conditions that a relation is accessible with the public key or to any signed-in user.
const (
	publicMayRead = `(has_any_column_privilege('anon', c.oid, 'select') or has_any_column_privilege('authenticated', c.oid, 'select'))`
	publicMayUse  = `(has_table_privilege('anon', c.oid, 'select, insert, update, delete') or has_table_privilege('authenticated', c.oid, 'select, insert, update, delete')
		or has_any_column_privilege('anon', c.oid, 'select, insert, update') or has_any_column_privilege('authenticated', c.oid, 'select, insert, update'))`
)

// checks lists the checks. Their codes are those of Supabase's linter if it has the same check.
var checks = []check{
	{"rls_disabled_in_public", "row-level security is off: everybody with the public key, or signed in, can read or change all rows",
		`select name, format('alter table %s enable row level security; -- and add policies', name) from ` + relations + `
		where relkind in ('r', 'p') and not relrowsecurity and ` + publicMayUse + ` order by 1`},
	{"policy_exists_rls_disabled", "the table has policies, but row-level security is off, so they do nothing",
		`select name, format('alter table %s enable row level security;', name) from ` + relations + `
		where relkind in ('r', 'p') and not relrowsecurity and exists (select from pg_catalog.pg_policy p where p.polrelid = c.oid) order by 1`},
	{"security_definer_view", "the view reads with its owner's rights, past the policies of the tables behind it, and anon may select from it",
		`select name, format('alter view %s set (security_invoker = true); -- or revoke select on %1$s from anon', name) from ` + relations + `
		where relkind = 'v' and not invoker and has_any_column_privilege('anon', c.oid, 'select') order by 1`},
	{"auth_users_exposed", "the view shows auth.users to anon or authenticated",
		`select distinct name, format('revoke all on %s from anon, authenticated;', name) from ` + relations + `
		join pg_catalog.pg_rewrite r on r.ev_class = c.oid
		join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
		where relkind in ('v', 'm') and not invoker and d.refobjid = to_regclass('auth.users') and ` + publicMayRead + ` order by 1`},
	{"materialized_view_in_api", "a materialized view has no row-level security: whoever may select sees all of it",
		`select name, format('revoke select on %s from anon, authenticated;', name) from ` + relations + `
		where relkind = 'm' and ` + publicMayRead + ` order by 1`},
	{"foreign_table_in_api", "a foreign table has no row-level security: whoever may select sees all of it",
		`select name, format('revoke all on %s from anon, authenticated;', name) from ` + relations + `
		where relkind = 'f' and ` + publicMayUse + ` order by 1`},
	{"function_search_path_mutable", "a security definer function without a fixed search_path can be made to run somebody else's code",
		`select format('%I.%I(%s)', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid)),
			format('alter routine %I.%I(%s) set search_path = ''''; -- and qualify the names in it', n.nspname, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid))
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
		where n.nspname = any($1) and p.prosecdef
			and not exists (select from unnest(p.proconfig) s (setting) where s.setting like 'search_path=%')
			and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
		order by 1`},
	{"unindexed_foreign_keys", "the foreign key has no index: deletes and embeds scan the whole table",
		`select format('%s (%s)', name, k.conname), format('create index on %s (%s);', name,
			(select string_agg(quote_ident(a.attname), ', ' order by at) from unnest(k.conkey) with ordinality u (number, at)
				join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number))
		from ` + relations + ` join pg_catalog.pg_constraint k on k.conrelid = c.oid
		where k.contype = 'f' and k.conparentid = 0
			and not exists (select from pg_catalog.pg_index i where i.indrelid = k.conrelid and i.indpred is null
				and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)
		order by 1`},
	{"extension_in_public", "the extension's functions are in a schema that the API shows",
		`select e.extname, format('create schema if not exists extensions; alter extension %I set schema extensions;', e.extname)
		from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
		where n.nspname = any($1) and e.extrelocatable order by 1`},
	{"role_bypasses_rls", "requests run as this role, and policies do not apply to it",
		`select rolname, format('alter role %I nosuperuser nobypassrls;', rolname) from pg_catalog.pg_roles
		where rolname in ('anon', 'authenticated', 'authenticator') and (rolsuper or rolbypassrls) and $1::text[] is not null order by 1`},
	{"realtime_wal_level", "realtime can send neither table changes nor broadcasts from the database, as the write-ahead log does not contain them",
		`select 'wal_level', 'alter system set wal_level = logical; -- and restart PostgreSQL'
		where current_setting('wal_level') <> 'logical' and $1::text[] is not null`},
	{"realtime_publications_differ", "the publications of realtime contain the table with different columns, so that changes cannot be read",
		`select format('%I.%I', schemaname, tablename), format('alter publication supabase_realtime drop table %I.%I;', schemaname, tablename)
		from pg_catalog.pg_publication_tables a join pg_catalog.pg_publication_tables b using (schemaname, tablename)
		where a.pubname = 'supabase_realtime' and b.pubname = 'supabase_realtime_messages_publication'
			and a.attnames is distinct from b.attnames and $1::text[] is not null order by 1`},
	{"replication_slot_lags", "PostgreSQL retains WAL for the slot, which has no reader or a slow one, until the disk is full",
		`select slot_name::text, case when active then 'find out why its reader is slow, or end it: select pg_terminate_backend(' || active_pid || ');'
			else format('select pg_drop_replication_slot(%L);', slot_name) end
		from pg_catalog.pg_replication_slots s
		where database = current_database() and not pg_is_in_recovery() and $1::text[] is not null
			and (not active or pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn) > 256 * 1024 * 1024) order by 1`},
}
