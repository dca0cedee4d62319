package migrate

// lockKey is the key of the advisory lock that a run holds: "plaza" in ASCII.
const lockKey int64 = 0x706c617a61

const (
	tryLock      = `select pg_try_advisory_lock($1)`
	reloadSchema = `notify pgrst, 'reload schema'`
	// A migration may take long; the user's own limits are for requests.
	noTimeouts = `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`
	// A process that is killed cannot cancel its statement. So PostgreSQL checks whether
	// the client is still connected, on systems where it can.
	noticeLostClient = `do $$ begin
			perform set_config('client_connection_check_interval', '2s', false);
		exception when others then null;
		end $$`
	// Files made by pg_dump empty the search path for the session, and some
	// change the role. Neither may reach the next file or our own records.
	resetSession = `reset all; ` + noTimeouts
	resetRole    = `reset role`
)

// history is a table that records versioned files.
type history struct {
	table  string
	create string
	list   string // the columns of record, latest version first
	insert string
	values func(file) []any // the parameters of insert
	offset int64            // added to versions in Go, where goose keeps 0 for itself
}

// createPlaza makes our schema, on which PUBLIC has no rights.
const createPlaza = `create schema if not exists plaza;
	revoke all on schema plaza from public;
	create table if not exists plaza.repeatables (
		path text primary key,
		checksum text not null,
		applied_at timestamptz not null default now()
	);`

func plazaHistory(name string) history {
	table := "plaza." + name
	return history{
		table: table,
		create: createPlaza + `create table if not exists ` + table + ` (
			version bigint primary key,
			name text not null,
			checksum text not null,
			applied_at timestamptz not null default now()
		)`,
		list:   `select version, version::text, checksum, null::text from ` + table + ` order by 1 desc`,
		insert: `insert into ` + table + ` (version, name, checksum) values ($1, $2, $3)`,
		values: func(f file) []any { return []any{f.version, f.name, f.checksum} },
	}
}

// supabaseHistory is the Supabase CLI's own table. The CLI stores a file's
// statements one by one; a file that we ran is stored as one.
var supabaseHistory = history{
	table: "supabase_migrations.schema_migrations",
	create: `create schema if not exists supabase_migrations;
		create table if not exists supabase_migrations.schema_migrations (
			version text not null primary key,
			statements text[],
			name text,
			created_by text,
			idempotency_key text unique,
			rollback text[]
		);
		create table if not exists supabase_migrations.seed_files (
			path text not null primary key,
			hash text not null
		)`,
	offset: 1, // the CLI takes 00000000_name.sql
	list: `select version::bigint + 1, version, null::text, array_to_string(statements, '')
		from supabase_migrations.schema_migrations where version ~ '^[0-9]{1,18}$' order by 1 desc`,
	insert: `insert into supabase_migrations.schema_migrations (version, name, statements) values ($1, $2, $3)`,
	values: func(f file) []any { return []any{f.prefix, f.name, []string{f.text}} },
}

// ownedByAdmin makes the platform's superuser the owner of our records, so that other
// roles cannot rewrite them, and of the platform's schemas, as on Supabase: the CLI's db
// reset drops schemas of other owners. The former owners keep their rights on them. Only
// a superuser can change the owners.
const ownedByAdmin = `do $$
	declare
		ours text;
		former text;
	begin
		if (select rolsuper from pg_catalog.pg_roles where rolname = current_user)
			and exists (select from pg_catalog.pg_roles where rolname = 'supabase_admin') then
			alter schema plaza owner to supabase_admin;
			for ours in select tablename from pg_catalog.pg_tables
				where schemaname = 'plaza' and tablename in ('platform_migrations', 'repeatables')
					and tableowner <> 'supabase_admin'
			loop
				execute format('alter table plaza.%I owner to supabase_admin', ours);
			end loop;
			for ours, former in select nspname, nspowner::regrole from pg_catalog.pg_namespace
				where nspname in ('auth', 'storage', 'realtime', 'net', 'graphql', 'graphql_public', 'supabase_functions')
					and nspowner <> 'supabase_admin'::regrole
			loop
				execute format('alter schema %I owner to supabase_admin', ours);
				execute format('grant all on schema %I to %s', ours, former);
			end loop;
		end if;
	end
	$$`

const (
	extensionUsable = `select exists (select from pg_catalog.pg_extension where extname = $1 and extversion <> '` + standInVersion + `')
		or exists (select from pg_catalog.pg_available_extensions where name = $1 and default_version <> '` + standInVersion + `')
			and not $2 and (not $3 or coalesce((select $1 = any(string_to_array(replace(setting, ' ', ''), ','))
				from pg_catalog.pg_settings where name = 'shared_preload_libraries'), true))`
	extensionTrusted = `select coalesce(bool_or(v.trusted), false) from pg_catalog.pg_available_extension_versions v
		join pg_catalog.pg_available_extensions a on (a.name, a.default_version) = (v.name, v.version) where v.name = $1`
	extensionOffered = `select exists (select from pg_catalog.pg_available_extensions where name = $1 and default_version = '` + standInVersion + `')`
	// standInSchemaOf takes the expression of a stand-in's schema.
	standInSchemaOf = `select case when exists (select from pg_catalog.pg_extension where extname = $1 and extversion <> '` + standInVersion + `') then '' else coalesce(%s::text, '') end`
	// The statement writes nothing where nothing has changed.
	storeStandIn = `insert into plaza.stand_ins as s (extension, schema, makes, as_superuser) values ($1, $2, $3, $4)
		on conflict (extension) do update set schema = excluded.schema, makes = excluded.makes, as_superuser = excluded.as_superuser
		where (s.schema, s.makes, s.as_superuser) is distinct from (excluded.schema, excluded.makes, excluded.as_superuser)`

	setSearchPath = `select set_config('search_path', $1, $2)`

	tableExists = `select to_regclass($1) is not null`

	listRepeatables  = `select path, checksum from plaza.repeatables`
	recordRepeatable = `insert into plaza.repeatables (path, checksum) values ($1, $2)
		on conflict (path) do update set checksum = excluded.checksum, applied_at = now()`
	forgetRepeatable = `delete from plaza.repeatables where path = $1`

	listSeedFiles  = `select path, hash from supabase_migrations.seed_files`
	recordSeedFile = `insert into supabase_migrations.seed_files (path, hash) values ($1, $2)`

	setVolume    = `select set_config('plaza.volume', $1, true)`
	createVolume = `create table if not exists plaza.volume (
			source text primary key, loaded bigint not null default 0, finished boolean not null default false)`
	selectVolume   = `select coalesce(max(loaded), 0), coalesce(bool_and(finished), true) from plaza.volume where source = $1`
	beginVolume    = `insert into plaza.volume (source) values ($1) on conflict (source) do update set finished = false`
	recordVolume   = `update plaza.volume set loaded = loaded + $2 where source = $1`
	finishedVolume = `update plaza.volume set finished = true where source = $1`
)
