package transfer

// managed are the schemas that the platform makes, and those of extensions. Their definitions are not moved.
// Source: the schemas that supabase db dump leaves out.
var managed = []string{
	"_analytics", "_realtime", "_supavisor", "_timescaledb_cache", "_timescaledb_catalog", "_timescaledb_config", "_timescaledb_internal", "auth", "cron", "dbdev", "etl",
	"extensions", "graphql", "graphql_public", "information_schema", "net", "pgbouncer", "pgmq", "pgsodium", "pgsodium_masks", "pgtle", "plaza", "realtime", "repack", "storage",
	"supabase_functions", "supabase_migrations", "tiger", "tiger_data", "timescaledb_experimental", "timescaledb_information", "topology", "vault",
}

// moved are managed schemas whose rows are moved.
var moved = []string{"auth", "cron", "storage", "supabase_functions", "supabase_migrations"}

// left are tables whose rows are not moved: records of the services' own migrations, uploads and challenges in progress,
// Plaza's own counters and caches, and what is encrypted with its key.
var left = []string{
	"auth.schema_migrations", "auth.mfa_challenges", "auth.signing_keys", "auth.mfa_recovery_codes", "storage.migrations", "supabase_functions.migrations", "supabase_migrations.seed_files", "storage.s3_multipart_uploads",
	"storage.s3_multipart_uploads_parts", "storage.resumable_uploads", "storage.resumable_uploads_parts", "storage.usage", "storage.shared_usage", "storage.unused_blobs",
	"auth.refused_tokens", "auth.token_lifetime", "auth.rate_limits", "auth.mail_queue",
}

const (
	// Values have the same text on both sides. Row-level security that would hide rows is an error.
	sessionSettings = `set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0; set row_security = off;
		set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'; set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex';
		set search_path = ''`

	createImports = `create table if not exists plaza.imports (
			source text not null,
			started_at timestamptz not null default now(),
			schema_at timestamptz,
			rows_at timestamptz
		)`
	readImport  = `select source, schema_at is not null, rows_at is not null from plaza.imports`
	beginImport = `insert into plaza.imports (source) values ($1)`
	noteSchema  = `update plaza.imports set schema_at = now()`
	noteRows    = `update plaza.imports set rows_at = now()`

	unfinishedImport = `select coalesce(max(source), '') from plaza.imports where rows_at is null`

	countObjects = `select count(*) from storage.objects where bucket_id is not null`

	targetUsed = `select exists (select from auth.users) or exists (select from storage.buckets) or exists (
		select from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and n.nspname <> all ($1) and n.nspname !~ '^pg_'
			and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e'))`

	// Tables with rows of their own: $1 managed schemas, $2 those whose rows are moved, $3 left tables. An
	// extension's table is included if the extension declares it as configuration.
	listTables = `select n.nspname, c.relname, array(
			select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum),
			c.relkind = 'r' and exists (select from pg_catalog.pg_inherits i where i.inhparent = c.oid)
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't' and n.nspname !~ '^pg_' and (n.nspname <> all ($1) or n.nspname = any ($2))
			and n.nspname || '.' || c.relname <> all ($3)
			and not exists (select from pg_catalog.pg_depend d join pg_catalog.pg_extension e on e.oid = d.refobjid
				where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e' and c.oid <> all (coalesce(e.extconfig, '{}')))
		order by 1, 2`

	// The columns of a table of the target. Empty: there is no such table.
	listColumns = `select coalesce(array_agg(a.attname::text), '{}') from pg_catalog.pg_attribute a
		where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`

	listSequences = `select n.nspname, c.relname from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where c.relkind = 'S' and n.nspname !~ '^pg_' and (n.nspname <> all ($1) or n.nspname = any ($2))
			and (n.nspname = 'cron' or not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
		order by 1, 2`

	setSequence = `select pg_catalog.setval(to_regclass($1), $2, $3)`

	// Triggers that are always enabled still run; see settle.
	disableTriggers = `set local session_replication_role = replica`
)

// only has conditions for the rows that are moved, by table. Recovery codes exist only in Plaza, and secrets of second
// factors that begin with s1. are encrypted with Plaza's own key.
var only = map[string]string{"auth.mfa_factors": sharedFactors}

const (
	sharedFactors = `factor_type::text <> 'recovery_code' and coalesce(secret, '') not like 's1.%'`
	countFactors  = `select count(*) from auth.mfa_factors where not (` + sharedFactors + `)`
)

// settle has statements to run after a table's rows were replaced. Triggers that are always enabled record the deleted rows
// as gone; the statements remove these records of rows that exist again.
var settle = map[string]string{
	"storage.objects": `delete from storage.unused_blobs u using storage.objects o where u.name = storage.blob_name(o.bucket_id, o.name, o.version)`,
	"auth.sessions":   `delete from auth.refused_tokens r using auth.sessions s where r.id = s.id`,
}

// listPolicies returns the statements that make the policies on tables of managed schemas.
const listPolicies = `
	select format('create policy %I on %I.%I as %s for %s to %s%s%s;', p.polname, n.nspname, c.relname,
		case when p.polpermissive then 'permissive' else 'restrictive' end,
		case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
		(select string_agg(case when role = 0 then 'public' else quote_ident(pg_catalog.pg_get_userbyid(role)) end, ', ') from unnest(p.polroles) role),
		' using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')', ' with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')')
	from pg_catalog.pg_policy p join pg_catalog.pg_class c on c.oid = p.polrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where n.nspname in ('auth', 'storage', 'realtime') order by 1`

// listTriggers returns the statements that make a project's triggers on tables of managed schemas: those
// that call a function of the project, or a webhook. $1: the managed schemas.
const listTriggers = `
	select pg_catalog.pg_get_triggerdef(t.oid) || ';'
	from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	join pg_catalog.pg_proc f on f.oid = t.tgfoid join pg_catalog.pg_namespace fn on fn.oid = f.pronamespace
	where not t.tgisinternal and n.nspname in ('auth', 'storage', 'realtime')
		and (fn.nspname <> all ($1) and fn.nspname !~ '^pg_' or fn.nspname = 'supabase_functions') order by 1`

// listDefinitions returns what a project's schema consists of, as text that does not depend on the version of
// PostgreSQL. $1: the managed schemas.
const listDefinitions = `
	with schemas as (select oid, nspname from pg_catalog.pg_namespace where nspname <> all ($1) and nspname !~ '^pg_'),
	own as (select d.classid, d.objid from pg_catalog.pg_depend d where d.deptype = 'e'),
	tables as (select c.oid, c.relkind, c.relrowsecurity, c.relforcerowsecurity, s.nspname || '.' || c.relname as name from pg_catalog.pg_class c join schemas s on s.oid = c.relnamespace
		where c.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and (1259, c.oid) not in (select classid, objid from own))
	select 'schema ' || nspname from schemas
	union all select case relkind when 'v' then 'view ' when 'm' then 'materialized view ' when 'S' then 'sequence ' when 'f' then 'foreign table ' else 'table ' end || name
		|| case when relrowsecurity then ', row-level security' else '' end || case when relforcerowsecurity then ' (forced)' else '' end from tables
	union all select 'column ' || t.name || '.' || a.attname || ' ' || pg_catalog.format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
		from tables t join pg_catalog.pg_attribute a on a.attrelid = t.oid where t.relkind <> 'S' and a.attnum > 0 and not a.attisdropped
	union all select 'constraint ' || o.conname || ' on ' || t.name from tables t join pg_catalog.pg_constraint o on o.conrelid = t.oid where o.contype in ('c', 'f', 'p', 'u', 'x')
	union all select 'index ' || i.relname || ' on ' || t.name from tables t join pg_catalog.pg_index x on x.indrelid = t.oid join pg_catalog.pg_class i on i.oid = x.indexrelid
	union all select 'trigger ' || g.tgname || ' on ' || n.nspname || '.' || c.relname || case g.tgenabled when 'O' then '' else ' (' || g.tgenabled::text || ')' end
		from pg_catalog.pg_trigger g join pg_catalog.pg_class c on c.oid = g.tgrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		join pg_catalog.pg_proc f on f.oid = g.tgfoid join pg_catalog.pg_namespace fn on fn.oid = f.pronamespace
		where not g.tgisinternal and (n.oid in (select oid from schemas) or n.nspname in ('auth', 'storage') and fn.oid in (select oid from schemas))
	union all select format('policy %I on %I.%I for %s to %s', policyname, schemaname, tablename, cmd, roles) from pg_catalog.pg_policies
		where schemaname in (select nspname from schemas) or schemaname in ('auth', 'storage', 'realtime')
	union all select 'function ' || s.nspname || '.' || p.proname || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'
		from pg_catalog.pg_proc p join schemas s on s.oid = p.pronamespace where (1255, p.oid) not in (select classid, objid from own)
	union all select 'type ' || s.nspname || '.' || t.typname || coalesce(' (' || (select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = t.oid) || ')', '')
		from pg_catalog.pg_type t join schemas s on s.oid = t.typnamespace where t.typtype in ('e', 'd') and (1247, t.oid) not in (select classid, objid from own)
	order by 1`
