package ddl

// Each query of catalogue returns objects with the fields of row. $1 is the list of selected schemas,
// $2 that of the platform's schemas in which projects create triggers and policies. The search path is
// empty, so that PostgreSQL qualifies every name.

// listSchemas lists the schemas that are dumped without a choice. The names of the others are those that
// the Supabase CLI leaves out, and our own.
// Source: supabase/cli, InternalSchemas.
const listSchemas = `
	select nspname::text from pg_catalog.pg_namespace n
	where nspname !~ '^(pg_|timescaledb_|_timescaledb_)' and nspname <> all (array['information_schema', '_analytics', '_realtime', '_supavisor', 'auth', 'etl',
			'extensions', 'pgbouncer', 'realtime', 'storage', 'supabase_functions', 'supabase_migrations', 'cron', 'dbdev', 'graphql', 'graphql_public',
			'net', 'pgmq', 'pgsodium', 'pgsodium_masks', 'pgtle', 'repack', 'tiger', 'tiger_data', 'topology', 'vault', 'plaza'])
		and not exists (select from pg_catalog.pg_depend where classid = 'pg_namespace'::regclass and objid = n.oid and deptype = 'e')
	order by 1`

// own is the condition that an object is no part of an extension.
const own = ` not exists (select from pg_catalog.pg_depend e where e.classid = own.class and e.objid = own.oid and e.deptype = 'e')`

// noAttributes are the last columns of objects without properties that can be altered.
const noAttributes = `null::jsonb`

// relations are the tables and views of the selected schemas.
const relations = `(
		select c.*, n.nspname, format('%I.%I', n.nspname, c.relname) as qualified, 'pg_class'::regclass::oid as class,
			case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table' else 'table' end as word,
			pg_catalog.pg_get_userbyid(c.relowner)::text as owner
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	)`

// catalogue are the queries in any order.
var catalogue = []string{
	`select 'schema', format('schema %I', nspname), format('create schema if not exists %I', nspname), '', '', '', 'pg_namespace'::regclass::oid, oid, 0,
		case when nspname = 'public' then '' else pg_catalog.pg_get_userbyid(nspowner)::text end, format('schema %I', nspname), ` + noAttributes + `
	from pg_catalog.pg_namespace where nspname = any ($1) and $2::text[] is not null`,

	// An extension that is created in one schema only makes it.
	`select 'extension', format('extension %I', extname), format('create extension if not exists %I', extname)
			|| case when not exists (select from pg_catalog.pg_available_extension_versions v where v.name = extname and v.version = extversion and v.schema is not null)
				then format(' with schema %I', n.nspname) else '' end, '', '', '',
		'pg_extension'::regclass::oid, e.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
	where extname <> 'plpgsql' and 'public' = any ($1) and $2::text[] is not null`,

	// Types.
	`select own.kind, own.word || ' ' || own.qualified, own.made, '', '', '', own.class, own.oid, 0, own.owner, 'type ' || own.qualified, own.attributes
	from (
		select case t.typtype when 'd' then 'domain' when 'e' then 'enum' when 'c' then 'composite' else 'range' end as kind, case t.typtype when 'd' then 'domain' else 'type' end as word,
			format('%I.%I', n.nspname, t.typname) as qualified, 'pg_type'::regclass::oid as class, t.oid, pg_catalog.pg_get_userbyid(t.typowner)::text as owner,
			case t.typtype
				when 'e' then format('create type %I.%I as enum (%s)', n.nspname, t.typname,
					(select coalesce(string_agg(quote_literal(enumlabel), ', ' order by enumsortorder), '') from pg_catalog.pg_enum where enumtypid = t.oid))
				when 'c' then format('create type %I.%I as (%s)', n.nspname, t.typname, parts.list)
				when 'd' then format('create domain %I.%I as %s', n.nspname, t.typname, pg_catalog.format_type(t.typbasetype, t.typtypmod))
					|| case when t.typcollation <> 0 and t.typcollation <> b.typcollation then ' collate ' || t.typcollation::regcollation::text else '' end
					|| coalesce(' default ' || t.typdefault, '') || case when t.typnotnull then ' not null' else '' end
				else format('create type %I.%I as range (subtype = %s, subtype_opclass = %I.%I', n.nspname, t.typname, pg_catalog.format_type(r.rngsubtype, null), opn.nspname, op.opcname)
					|| case when r.rngcollation <> 0 then ', collation = ' || r.rngcollation::regcollation::text else '' end
					|| case when r.rngcanonical <> 0 then ', canonical = ' || r.rngcanonical::regproc::text else '' end
					|| case when r.rngsubdiff <> 0 then ', subtype_diff = ' || r.rngsubdiff::regproc::text else '' end
					|| format(', multirange_type_name = %s)', r.rngmultitypid::regtype)
			end as made,
			case t.typtype
				when 'e' then (select jsonb_build_object('Labels', coalesce(jsonb_agg(enumlabel order by enumsortorder), '[]')) from pg_catalog.pg_enum where enumtypid = t.oid)
				when 'c' then jsonb_build_object('Parts', coalesce(parts.listed, '[]'))
				when 'd' then jsonb_build_object('Base', pg_catalog.format_type(t.typbasetype, t.typtypmod), 'Default', coalesce(t.typdefault, ''), 'NotNull', t.typnotnull)
			end as attributes
		from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
		left join pg_catalog.pg_type b on b.oid = t.typbasetype
		left join pg_catalog.pg_range r on r.rngtypid = t.oid
		left join pg_catalog.pg_opclass op on op.oid = r.rngsubopc
		left join pg_catalog.pg_namespace opn on opn.oid = op.opcnamespace
		left join lateral (
			select string_agg(format('%I %s', a.name, a.type), ', ' order by a.attnum) as list, jsonb_agg(jsonb_build_object('Name', a.name, 'Type', a.type) order by a.attnum) as listed
			from (
				select c.attname as name, c.attnum, pg_catalog.format_type(c.atttypid, c.atttypmod) || case when c.attcollation <> 0 and c.attcollation <> ct.typcollation then ' collate ' || c.attcollation::regcollation::text else '' end as type
				from pg_catalog.pg_attribute c join pg_catalog.pg_type ct on ct.oid = c.atttypid where c.attrelid = t.typrelid and c.attnum > 0 and not c.attisdropped
			) a
		) parts on true
		where n.nspname = any ($1) and $2::text[] is not null and t.typtype in ('e', 'd', 'c', 'r')
			and (t.typtype <> 'c' or (select relkind from pg_catalog.pg_class where oid = t.typrelid) = 'c')
	) own where ` + own,

	// Sequences, other than those of identity columns.
	`select 'sequence', 'sequence ' || own.qualified, 'create sequence ' || own.qualified || own.options, '', '', coalesce(own.holder, ''), own.class, own.oid, 0, own.owner,
		'sequence ' || own.qualified, jsonb_build_object('Options', own.options)
	from (
		select c.qualified, c.class, c.oid, c.owner, format(' as %s increment by %s minvalue %s maxvalue %s start with %s cache %s', s.seqtypid::regtype, s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache)
				|| case when s.seqcycle then ' cycle' else ' no cycle' end as options,
			(select format('column %I.%I.%I', n.nspname, t.relname, a.attname) from pg_catalog.pg_depend d join pg_catalog.pg_class t on t.oid = d.refobjid
				join pg_catalog.pg_namespace n on n.oid = t.relnamespace join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
				where d.classid = c.class and d.objid = c.oid and d.deptype = 'a' and d.refclassid = c.class) as holder
		from ` + relations + ` c join pg_catalog.pg_sequence s on s.seqrelid = c.oid
		where c.nspname = any ($1) and $2::text[] is not null
			and not exists (select from pg_catalog.pg_depend i where i.classid = c.class and i.objid = c.oid and i.deptype = 'i')
	) own where ` + own,

	// Which column a sequence belongs to.
	`select 'sequence owner', format('owner column of sequence %I.%I', n.nspname, s.relname), format('alter sequence %I.%I owned by %I.%I.%I', n.nspname, s.relname, tn.nspname, t.relname, a.attname),
		format('alter sequence %I.%I owned by none', n.nspname, s.relname), format('sequence %I.%I', n.nspname, s.relname), format('column %I.%I.%I', tn.nspname, t.relname, a.attname), 0::oid, s.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_depend d join pg_catalog.pg_class s on s.oid = d.objid and s.relkind = 'S' join pg_catalog.pg_namespace n on n.oid = s.relnamespace
	join pg_catalog.pg_class t on t.oid = d.refobjid join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
	join pg_catalog.pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
	where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a' and n.nspname = any ($1) and $2::text[] is not null`,

	// Tables. Their columns are objects of their own.
	`select 'table', 'table ' || own.qualified, 'create ' || case own.relpersistence when 'u' then 'unlogged ' else '' end || 'table ' || own.qualified, '', '', '', own.class, own.oid, 0, own.owner,
		'table ' || own.qualified, jsonb_build_object('Unlogged', own.relpersistence = 'u', 'Options', coalesce(array_to_string(own.reloptions, ', '), ''),
			'Partitioned', coalesce(pg_catalog.pg_get_partkeydef(own.oid), ''), 'Bound', coalesce(pg_catalog.pg_get_expr(own.relpartbound, own.oid), ''),
			'Parents', coalesce((select jsonb_agg(i.inhparent::regclass::text order by i.inhseqno) from pg_catalog.pg_inherits i where i.inhrelid = own.oid), '[]'))
	from ` + relations + ` own where own.relkind in ('r', 'p') and own.reloftype = 0 and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'column', format('column %s.%I', own.qualified, a.attname), '', format('alter table %s drop column %I', own.qualified, a.attname), 'table ' || own.qualified, 'table ' || own.qualified,
		own.class, own.oid, a.attnum, '', 'table ' || own.qualified, jsonb_build_object(
			'Table', own.qualified, 'Name', quote_ident(a.attname), 'Number', a.attnum, 'Type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'NotNull', a.attnotnull, 'Local', a.attislocal,
			'Collation', case when a.attcollation <> 0 and a.attcollation <> t.typcollation then a.attcollation::regcollation::text else '' end,
			'Generated', case when a.attgenerated <> '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) else '' end, 'Virtual', a.attgenerated = 'v',
			'Identity', case a.attidentity when 'a' then 'always' when 'd' then 'by default' else '' end,
			'Sequence', coalesce((select format('increment by %s minvalue %s maxvalue %s start with %s cache %s', s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache) || case when s.seqcycle then ' cycle' else ' no cycle' end
				from pg_catalog.pg_sequence s join pg_catalog.pg_depend i on i.classid = own.class and i.objid = s.seqrelid and i.refclassid = own.class and i.refobjid = own.oid and i.refobjsubid = a.attnum and i.deptype = 'i'), ''))
	from ` + relations + ` own join pg_catalog.pg_attribute a on a.attrelid = own.oid and a.attnum > 0 and not a.attisdropped
	join pg_catalog.pg_type t on t.oid = a.atttypid
	left join pg_catalog.pg_attrdef d on d.adrelid = own.oid and d.adnum = a.attnum
	where own.relkind in ('r', 'p') and own.reloftype = 0 and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'default', format('default of column %s.%I', own.qualified, a.attname), format('alter table only %s alter column %I set default %s', own.qualified, a.attname, pg_catalog.pg_get_expr(d.adbin, d.adrelid)),
		format('alter table only %s alter column %I drop default', own.qualified, a.attname), format('column %s.%I', own.qualified, a.attname), format('column %s.%I', own.qualified, a.attname),
		'pg_attrdef'::regclass::oid, d.oid, 0, '', '', jsonb_build_object('Expression', pg_catalog.pg_get_expr(d.adbin, d.adrelid))
	from ` + relations + ` own join pg_catalog.pg_attrdef d on d.adrelid = own.oid join pg_catalog.pg_attribute a on a.attrelid = own.oid and a.attnum = d.adnum and a.attgenerated = ''
	where own.relkind in ('r', 'p') and own.reloftype = 0 and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	// Constraints of tables and of domains. NOT NULL is a property of the column.
	`select case k.contype when 'f' then 'foreign key' else 'constraint' end, format('constraint %I on %s', k.conname, own.qualified), format('alter table %s add constraint %I %s', own.qualified, k.conname, pg_catalog.pg_get_constraintdef(k.oid)),
		format('alter table %s drop constraint %I', own.qualified, k.conname), 'table ' || own.qualified, 'table ' || own.qualified, 'pg_constraint'::regclass::oid, k.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own join pg_catalog.pg_constraint k on k.conrelid = own.oid
	where own.relkind in ('r', 'p') and k.contype in ('c', 'p', 'u', 'x', 'f') and k.conparentid = 0 and (k.contype <> 'c' or k.conislocal) and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'domain constraint', format('constraint %I on domain %I.%I', k.conname, n.nspname, t.typname), format('alter domain %I.%I add constraint %I %s', n.nspname, t.typname, k.conname, pg_catalog.pg_get_constraintdef(k.oid)),
		format('alter domain %I.%I drop constraint %I', n.nspname, t.typname, k.conname), format('domain %I.%I', n.nspname, t.typname), format('domain %I.%I', n.nspname, t.typname),
		'pg_constraint'::regclass::oid, k.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_constraint k join pg_catalog.pg_type t on t.oid = k.contypid join pg_catalog.pg_namespace n on n.oid = t.typnamespace
	where k.contype = 'c' and n.nspname = any ($1) and $2::text[] is not null
		and not exists (select from pg_catalog.pg_depend e where e.classid = 'pg_type'::regclass and e.objid = t.oid and e.deptype = 'e')`,

	`select 'index', format('index %I.%I', own.nspname, i.relname), pg_catalog.pg_get_indexdef(i.oid), '', own.word || ' ' || own.qualified, own.word || ' ' || own.qualified, own.class, i.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own join pg_catalog.pg_index x on x.indrelid = own.oid join pg_catalog.pg_class i on i.oid = x.indexrelid
	where own.relkind in ('r', 'p', 'm') and not i.relispartition and own.nspname = any ($1) and $2::text[] is not null
		and not exists (select from pg_catalog.pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x')) and ` + own,

	// Functions. Those with a body in SQL may need tables and views.
	`select 'function', own.word || ' ' || own.signature, rtrim(pg_catalog.pg_get_functiondef(own.oid), E'\n'), '', '', '', own.class, own.oid, 0, own.owner, own.word || ' ' || own.signature,
		jsonb_build_object('Result', coalesce(pg_catalog.pg_get_function_result(own.oid), ''), 'Arguments', pg_catalog.pg_get_function_arguments(own.oid))
	from (
		select p.oid, 'pg_proc'::regclass::oid as class, p.oid::regprocedure::text as signature, case p.prokind when 'p' then 'procedure' else 'function' end as word,
			pg_catalog.pg_get_userbyid(p.proowner)::text as owner
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
		where n.nspname = any ($1) and $2::text[] is not null and p.prokind <> 'a'
			and not exists (select from pg_catalog.pg_depend i where i.classid = 'pg_proc'::regclass and i.objid = p.oid and i.deptype = 'i') -- a range's constructors
	) own where ` + own,

	`select 'aggregate', 'aggregate ' || own.signature, 'create aggregate ' || own.signature || format(' (sfunc = %s, stype = %s', a.aggtransfn, a.aggtranstype::regtype)
			|| case when a.aggtransspace <> 0 then ', sspace = ' || a.aggtransspace else '' end
			|| case when a.aggfinalfn <> 0 then ', finalfunc = ' || a.aggfinalfn::text || case when a.aggfinalextra then ', finalfunc_extra' else '' end else '' end
			|| case when a.aggcombinefn <> 0 then ', combinefunc = ' || a.aggcombinefn::text else '' end
			|| case when a.aggserialfn <> 0 then format(', serialfunc = %s, deserialfunc = %s', a.aggserialfn, a.aggdeserialfn) else '' end
			|| coalesce(', initcond = ' || quote_literal(a.agginitval), '')
			|| case own.proparallel when 's' then ', parallel = safe' when 'r' then ', parallel = restricted' else '' end || ')',
		'', '', '', own.class, own.oid, 0, own.owner, 'function ' || own.signature, ` + noAttributes + `
	from (
		select p.oid, p.proparallel, 'pg_proc'::regclass::oid as class, p.oid::regprocedure::text as signature, pg_catalog.pg_get_userbyid(p.proowner)::text as owner
		from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = any ($1) and $2::text[] is not null and p.prokind = 'a'
	) own join pg_catalog.pg_aggregate a on a.aggfnoid = own.oid
	where a.aggkind = 'n' and a.aggmtransfn = 0 and ` + own,

	`select own.word, own.word || ' ' || own.qualified, format('create %s %s%s as%s', own.word, own.qualified, coalesce(' with (' || array_to_string(own.reloptions, ', ') || ')', ''),
			E'\n' || rtrim(pg_catalog.pg_get_viewdef(own.oid), '; ')), '', '', '', own.class, own.oid, 0, own.owner, 'table ' || own.qualified,
		jsonb_build_object('Columns', (select jsonb_agg(format('%I %s', attname, pg_catalog.format_type(atttypid, atttypmod)) order by attnum) from pg_catalog.pg_attribute where attrelid = own.oid and attnum > 0))
	from ` + relations + ` own where own.relkind in ('v', 'm') and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'rule', format('rule %I on %s', r.rulename, own.qualified), rtrim(pg_catalog.pg_get_ruledef(r.oid), '; '), '', own.word || ' ' || own.qualified, own.word || ' ' || own.qualified,
		'pg_rewrite'::regclass::oid, r.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own join pg_catalog.pg_rewrite r on r.ev_class = own.oid and r.rulename <> '_RETURN' where own.nspname = any ($1) and $2::text[] is not null and ` + own,

	// Triggers, also those of a project's functions on the platform's tables.
	`select 'trigger', format('trigger %I on %s', t.tgname, own.qualified), pg_catalog.pg_get_triggerdef(t.oid) || case t.tgenabled
			when 'D' then format(E';\nalter table %s disable trigger %I', own.qualified, t.tgname) when 'A' then format(E';\nalter table %s enable always trigger %I', own.qualified, t.tgname)
			when 'R' then format(E';\nalter table %s enable replica trigger %I', own.qualified, t.tgname) else '' end,
		'', own.word || ' ' || own.qualified, own.word || ' ' || own.qualified, 'pg_trigger'::regclass::oid, t.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own join pg_catalog.pg_trigger t on t.tgrelid = own.oid and not t.tgisinternal and t.tgparentid = 0
	join pg_catalog.pg_proc p on p.oid = t.tgfoid join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	where (own.nspname = any ($1) or own.nspname = any ($2) and n.nspname = any ($1)) and ` + own,

	`select 'event trigger', format('event trigger %I', t.evtname), format('create event trigger %I on %s%s execute function %s()', t.evtname, t.evtevent,
			coalesce(' when tag in (' || (select string_agg(quote_literal(tag), ', ') from unnest(t.evttags) tag) || ')', ''), t.evtfoid::regproc)
			|| case t.evtenabled when 'D' then format(E';\nalter event trigger %I disable', t.evtname) else '' end, '', '', '', 'pg_event_trigger'::regclass::oid, t.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_event_trigger t join pg_catalog.pg_proc p on p.oid = t.evtfoid join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	where n.nspname = any ($1) and $2::text[] is not null
		and not exists (select from pg_catalog.pg_depend e where e.classid = 'pg_event_trigger'::regclass and e.objid = t.oid and e.deptype = 'e')`,

	`select 'row security', own.state || ' row level security of ' || own.qualified, format('alter table %s %s row level security', own.qualified, own.state),
		format('alter table %s %s row level security', own.qualified, case own.state when 'enable' then 'disable' else 'no force' end), 'table ' || own.qualified, 'table ' || own.qualified, 0::oid, own.oid, 0, '', '', ` + noAttributes + `
	from (select c.*, s.state from ` + relations + ` c, (values ('enable'), ('force')) s (state)
		where c.relkind in ('r', 'p') and case s.state when 'enable' then c.relrowsecurity else c.relforcerowsecurity end) own
	where own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'policy', format('policy %I on %s', p.polname, own.qualified), format('create policy %I on %s as %s for %s to %s', p.polname, own.qualified,
			case when p.polpermissive then 'permissive' else 'restrictive' end,
			case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
			(select string_agg(coalesce(quote_ident(r.rolname), 'public'), ', ' order by r.rolname) from unnest(p.polroles) o left join pg_catalog.pg_roles r on r.oid = o))
			|| coalesce(' using (' || pg_catalog.pg_get_expr(p.polqual, p.polrelid) || ')', '') || coalesce(' with check (' || pg_catalog.pg_get_expr(p.polwithcheck, p.polrelid) || ')', ''),
		'', 'table ' || own.qualified, 'table ' || own.qualified, 'pg_policy'::regclass::oid, p.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own join pg_catalog.pg_policy p on p.polrelid = own.oid where own.nspname = any ($1::text[] || $2::text[]) and ` + own,

	`select 'replica identity', 'replica identity of ' || own.qualified, format('alter table only %s replica identity %s', own.qualified, case own.relreplident when 'f' then 'full' when 'n' then 'nothing' else
			'using index ' || quote_ident((select i.relname from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid where x.indrelid = own.oid and x.indisreplident)) end),
		format('alter table only %s replica identity default', own.qualified),
		coalesce((select coalesce((select format('constraint %I on %s', k.conname, own.qualified) from pg_catalog.pg_constraint k where k.conindid = i.oid and k.contype in ('p', 'u', 'x')), format('index %I.%I', own.nspname, i.relname))
			from pg_catalog.pg_index x join pg_catalog.pg_class i on i.oid = x.indexrelid where x.indrelid = own.oid and x.indisreplident), 'table ' || own.qualified),
		'table ' || own.qualified, 0::oid, own.oid, 0, '', '', ` + noAttributes + `
	from ` + relations + ` own where own.relkind in ('r', 'p') and own.relreplident <> 'd' and own.nspname = any ($1) and $2::text[] is not null and ` + own,

	`select 'statistics', format('statistics %I.%I', n.nspname, s.stxname), pg_catalog.pg_get_statisticsobjdef(s.oid), '', 'table ' || s.stxrelid::regclass::text, 'table ' || s.stxrelid::regclass::text, 'pg_statistic_ext'::regclass::oid, s.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_statistic_ext s join pg_catalog.pg_namespace n on n.oid = s.stxnamespace where n.nspname = any ($1) and $2::text[] is not null`,

	// Publications. Those of realtime belong to the platform; which tables they have is the project's.
	`select 'publication', format('publication %I', p.pubname), format('create publication %I%s with (publish = %L, publish_via_partition_root = %s)', p.pubname, case when p.puballtables then ' for all tables' else '' end,
			concat_ws(', ', case when p.pubinsert then 'insert' end, case when p.pubupdate then 'update' end, case when p.pubdelete then 'delete' end, case when p.pubtruncate then 'truncate' end), p.pubviaroot::text),
		'', '', '', 'pg_publication'::regclass::oid, p.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_publication p where p.pubname !~ '^supabase_realtime' and 'public' = any ($1) and $2::text[] is not null`,

	`select 'publication table', format('table %s in publication %I', own.qualified, p.pubname), format('alter publication %I add table %s%s%s', p.pubname, own.qualified,
			coalesce(' (' || (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from unnest(m.prattrs) n join pg_catalog.pg_attribute a on a.attrelid = own.oid and a.attnum = n) || ')', ''),
			coalesce(' where (' || pg_catalog.pg_get_expr(m.prqual, m.prrelid) || ')', '')),
		format('alter publication %I drop table %s', p.pubname, own.qualified), 'table ' || own.qualified, 'table ' || own.qualified, 'pg_publication_rel'::regclass::oid, m.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_publication_rel m join pg_catalog.pg_publication p on p.oid = m.prpubid join ` + relations + ` own on own.oid = m.prrelid
	where own.nspname = any ($1) and $2::text[] is not null`,

	`select 'publication table', format('tables in schema %I in publication %I', n.nspname, p.pubname), format('alter publication %I add tables in schema %I', p.pubname, n.nspname),
		format('alter publication %I drop tables in schema %I', p.pubname, n.nspname), format('schema %I', n.nspname), format('schema %I', n.nspname), 'pg_publication_namespace'::regclass::oid, m.oid, 0, '', '', ` + noAttributes + `
	from pg_catalog.pg_publication_namespace m join pg_catalog.pg_publication p on p.oid = m.pnpubid join pg_catalog.pg_namespace n on n.oid = m.pnnspid
	where n.nspname = any ($1) and $2::text[] is not null`,
}

// listAliases lists what PostgreSQL's dependencies name instead of an object of ours.
const listAliases = `
	select 'pg_type'::regclass::oid, t.oid, 0, 'pg_class'::regclass::oid, t.typrelid, 0 from pg_catalog.pg_type t where t.typrelid <> 0
	union all select 'pg_type'::regclass, t.oid, 0, 'pg_type'::regclass, t.typelem, 0 from pg_catalog.pg_type t where t.typelem <> 0 and t.typcategory = 'A'
	union all select 'pg_type'::regclass, r.rngmultitypid, 0, 'pg_type'::regclass, r.rngtypid, 0 from pg_catalog.pg_range r
	union all select 'pg_class'::regclass, c.oid, 0, 'pg_type'::regclass, c.reltype, 0 from pg_catalog.pg_class c where c.relkind = 'c'
	union all select 'pg_rewrite'::regclass, r.oid, 0, 'pg_class'::regclass, r.ev_class, 0 from pg_catalog.pg_rewrite r where r.rulename = '_RETURN'
	union all select 'pg_class'::regclass, k.conindid, 0, 'pg_constraint'::regclass, k.oid, 0 from pg_catalog.pg_constraint k where k.contype in ('p', 'u', 'x')
	union all select 'pg_attrdef'::regclass, d.oid, 0, 'pg_class'::regclass, d.adrelid, d.adnum from pg_catalog.pg_attrdef d
	union all select 'pg_class'::regclass, i.objid, 0, 'pg_class'::regclass, i.refobjid, i.refobjsubid from pg_catalog.pg_depend i
		where i.classid = 'pg_class'::regclass and i.refclassid = 'pg_class'::regclass and i.deptype = 'i' and i.refobjsubid > 0
	union all select e.classid, e.objid, 0, e.refclassid, e.refobjid, 0 from pg_catalog.pg_depend e where e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'`

// listDependencies lists which object needs which, without those that belong to PostgreSQL itself.
const listDependencies = `
	select classid, objid, objsubid, refclassid, refobjid, refobjsubid from pg_catalog.pg_depend where objid >= 16384 and refobjid >= 16384 and deptype <> 'e'`

const listComments = `select classoid, objoid, objsubid, description from pg_catalog.pg_description where objoid >= 16384 or classoid = 'pg_namespace'::regclass`

// listPrivileges lists the privileges on objects, and the ones that they would have if the current user
// had just created them.
const listPrivileges = `
	with named as (
		select 'pg_namespace'::regclass::oid as class, oid, 0 as sub, nspowner as owner, nspacl as acl, 'n' as type, 0::oid as namespace from pg_catalog.pg_namespace where nspname = any ($1)
		union all select 'pg_class'::regclass, c.oid, 0, c.relowner, c.relacl, case c.relkind when 'S' then 's' else 'r' end, c.relnamespace
			from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace where n.nspname = any ($1) and c.relkind in ('r', 'p', 'v', 'm', 'S')
		union all select 'pg_class'::regclass, c.oid, a.attnum, c.relowner, a.attacl, 'c', 0
			from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attacl is not null where n.nspname = any ($1)
		union all select 'pg_proc'::regclass, p.oid, 0, p.proowner, p.proacl, 'f', p.pronamespace from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where n.nspname = any ($1)
		union all select 'pg_type'::regclass, t.oid, 0, t.typowner, t.typacl, 'T', t.typnamespace from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where n.nspname = any ($1)
	), given as (
		select *, false as initial, coalesce(acl, acldefault(type::"char", owner)) as list from named
		union all
		select *, true, case type when 'c' then '{}' else coalesce((select defaclacl from pg_catalog.pg_default_acl where defaclrole = current_user::regrole and defaclnamespace = 0
				and defaclobjtype = (case type when 's' then 'S' else type end)::"char"), acldefault(type::"char", owner))
			|| coalesce((select defaclacl from pg_catalog.pg_default_acl where defaclrole = current_user::regrole and defaclnamespace = namespace and namespace <> 0
				and defaclobjtype = (case type when 's' then 'S' else type end)::"char"), '{}') end
		from named
	)
	select class, oid, sub, initial, case e.grantee when 0 then 'public' else quote_ident(pg_catalog.pg_get_userbyid(e.grantee)) end, e.is_grantable, array_agg(distinct lower(e.privilege_type))
	from given, aclexplode(nullif(given.list, '{}')) e
	where e.grantee <> given.owner
	group by 1, 2, 3, 4, 5, 6`

// listDefaultPrivileges lists what the current user's new objects get.
const listDefaultPrivileges = `
	select case d.defaclobjtype when 'r' then 'tables' when 'S' then 'sequences' when 'f' then 'functions' when 'T' then 'types' else 'schemas' end,
		quote_ident(pg_catalog.pg_get_userbyid(d.defaclrole)), coalesce(quote_ident(n.nspname), ''), g.initial,
		case e.grantee when 0 then 'public' else quote_ident(pg_catalog.pg_get_userbyid(e.grantee)) end, e.is_grantable, array_agg(distinct lower(e.privilege_type))
	from pg_catalog.pg_default_acl d left join pg_catalog.pg_namespace n on n.oid = d.defaclnamespace,
		lateral (values (false, d.defaclacl), (true, case d.defaclnamespace when 0 then acldefault(case d.defaclobjtype when 'S' then 's' else d.defaclobjtype end, d.defaclrole) else '{}' end)) g (initial, list),
		aclexplode(nullif(g.list, '{}')) e
	where d.defaclrole = current_user::regrole and (n.nspname = any ($1) or d.defaclnamespace = 0 and 'public' = any ($1)) and (d.defaclnamespace <> 0 or e.grantee <> d.defaclrole)
	group by 1, 2, 3, 4, 5, 6`

// listUnwritten lists objects of the selected schemas that no query of catalogue returns.
const listUnwritten = `
	select own.class, own.oid, format('%s %s', i.type, i.identity) from (
		select 'pg_operator'::regclass::oid as class, o.oid from pg_catalog.pg_operator o join pg_catalog.pg_namespace n on n.oid = o.oprnamespace where n.nspname = any ($1)
		union all select 'pg_opclass'::regclass, o.oid from pg_catalog.pg_opclass o join pg_catalog.pg_namespace n on n.oid = o.opcnamespace where n.nspname = any ($1)
		union all select 'pg_ts_config'::regclass, o.oid from pg_catalog.pg_ts_config o join pg_catalog.pg_namespace n on n.oid = o.cfgnamespace where n.nspname = any ($1)
		union all select 'pg_ts_dict'::regclass, o.oid from pg_catalog.pg_ts_dict o join pg_catalog.pg_namespace n on n.oid = o.dictnamespace where n.nspname = any ($1)
		union all select 'pg_collation'::regclass, o.oid from pg_catalog.pg_collation o join pg_catalog.pg_namespace n on n.oid = o.collnamespace where n.nspname = any ($1)
		union all select 'pg_conversion'::regclass, o.oid from pg_catalog.pg_conversion o join pg_catalog.pg_namespace n on n.oid = o.connamespace where n.nspname = any ($1)
		union all select 'pg_type'::regclass, o.oid from pg_catalog.pg_type o join pg_catalog.pg_namespace n on n.oid = o.typnamespace where n.nspname = any ($1) and o.typtype = 'b' and o.typelem = 0
		union all select 'pg_class'::regclass, o.oid from pg_catalog.pg_class o join pg_catalog.pg_namespace n on n.oid = o.relnamespace where n.nspname = any ($1) and (o.relkind = 'f' or o.reloftype <> 0)
		union all select 'pg_proc'::regclass, o.oid from pg_catalog.pg_proc o join pg_catalog.pg_namespace n on n.oid = o.pronamespace join pg_catalog.pg_aggregate a on a.aggfnoid = o.oid
			where n.nspname = any ($1) and (a.aggkind <> 'n' or a.aggmtransfn <> 0)
		union all select 'pg_cast'::regclass, o.oid from pg_catalog.pg_cast o where o.oid >= 16384 and 'public' = any ($1)
			and not exists (select from pg_catalog.pg_depend i where i.classid = 'pg_cast'::regclass and i.objid = o.oid and i.deptype = 'i') -- a range's
		union all select 'pg_foreign_server'::regclass, o.oid from pg_catalog.pg_foreign_server o where 'public' = any ($1)
	) own, pg_catalog.pg_identify_object(own.class, own.oid, 0) i where ` + own + ` order by 3`
