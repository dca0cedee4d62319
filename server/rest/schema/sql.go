package schema

// Most queries take the exposed schemas as $1. Where the order of rows matters, it is fixed.

const tablesSQL = `
	select n.nspname, c.relname, coalesce(d.description, ''), c.relkind in ('v', 'm'),
		case c.relkind when 'r' then 28 when 'p' then 28 when 'm' then 0 else pg_catalog.pg_relation_is_updatable(c.oid, true) end,
		coalesce((
			select array_agg(a.attname order by k.position)
			from pg_catalog.pg_index i
			cross join unnest(i.indkey::int[]) with ordinality k (attnum, position)
			join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
			where i.indrelid = c.oid and i.indisprimary), '{}')
	from pg_catalog.pg_class c
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	left join pg_catalog.pg_description d on d.objoid = c.oid and d.objsubid = 0 and d.classoid = 'pg_catalog.pg_class'::regclass
	where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
	order by 1, 2`

// base maps each type to its base type. Domains over domains are resolved recursively. Some input
// functions take no modifier, such as PostGIS's: then only a cast to the column's type applies it.
const columnsSQL = `
	with recursive base (oid, root) as (
		select oid, oid from pg_catalog.pg_type where typtype <> 'd'
		union all
		select t.oid, b.root from pg_catalog.pg_type t join base b on b.oid = t.typbasetype
	)
	select n.nspname, c.relname, a.attname,
		pg_catalog.format_type(a.atttypid, a.atttypmod),
		pg_catalog.format_type(a.atttypid, case when i.pronargs > 1 then a.atttypmod end),
		pg_catalog.format_type(base.root, null),
		case
			when coalesce(limited.modifier, -1) < 0 then null
			when limited.type in ('pg_catalog.varchar'::regtype, 'pg_catalog.bpchar'::regtype) then limited.modifier - 4
			when limited.type in ('pg_catalog.bit'::regtype, 'pg_catalog.varbit'::regtype) then limited.modifier
		end,
		coalesce(d.description, ''),
		case
			when a.attidentity <> '' then (
				-- pg_get_serial_sequence would require the usage privilege on the schema.
				select pg_catalog.format('nextval(%L)', pg_catalog.quote_ident(sn.nspname) || '.' || pg_catalog.quote_ident(s.relname))
				from pg_catalog.pg_depend o
				join pg_catalog.pg_class s on s.oid = o.objid and s.relkind = 'S'
				join pg_catalog.pg_namespace sn on sn.oid = s.relnamespace
				where o.classid = 'pg_catalog.pg_class'::regclass and o.refclassid = 'pg_catalog.pg_class'::regclass
					and o.refobjid = a.attrelid and o.refobjsubid = a.attnum and o.deptype = 'i')
			when a.attgenerated <> '' then ''
			else coalesce(pg_catalog.pg_get_expr(f.adbin, f.adrelid), t.typdefault, '')
		end,
		not (a.attnotnull or (t.typtype = 'd' and t.typnotnull)),
		a.attgenerated <> '' or a.attidentity = 'a',
		f.adbin is not null or a.attidentity <> '',
		coalesce((select array_agg(e.enumlabel order by e.enumsortorder) from pg_catalog.pg_enum e where e.enumtypid = base.root), '{}')
	from pg_catalog.pg_attribute a
	join pg_catalog.pg_class c on c.oid = a.attrelid
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	join pg_catalog.pg_type t on t.oid = a.atttypid
	join pg_catalog.pg_proc i on i.oid = t.typinput
	join base on base.oid = t.oid
	cross join lateral (
		select case t.typtype when 'd' then t.typbasetype else t.oid end, case t.typtype when 'd' then t.typtypmod else a.atttypmod end
	) limited (type, modifier)
	left join pg_catalog.pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
	left join pg_catalog.pg_description d on d.objoid = c.oid and d.objsubid = a.attnum and d.classoid = 'pg_catalog.pg_class'::regclass
	where n.nspname = any($1) and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
		and a.attnum > 0 and not a.attisdropped
	order by 1, 2, a.attnum`

// foreignKeysSQL reads the foreign keys of all schemas, since views of an exposed schema may
// use tables of another. The last column reports whether the referencing columns are
// unique, which makes the relationship one-to-one.
const foreignKeysSQL = `
	select k.conname, k.conrelid, n.nspname, c.relname, k.confrelid, fn.nspname, fc.relname, k.conkey::int[], k.confkey::int[],
		(select array_agg(a.attname order by p.position)
			from unnest(k.conkey) with ordinality p (attnum, position)
			join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.attnum),
		(select array_agg(a.attname order by p.position)
			from unnest(k.confkey) with ordinality p (attnum, position)
			join pg_catalog.pg_attribute a on a.attrelid = k.confrelid and a.attnum = p.attnum),
		exists (
			select from pg_catalog.pg_constraint u
			where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey <@ k.conkey and u.conkey @> k.conkey)
	from pg_catalog.pg_constraint k
	join pg_catalog.pg_class c on c.oid = k.conrelid
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	join pg_catalog.pg_class fc on fc.oid = k.confrelid
	join pg_catalog.pg_namespace fn on fn.oid = fc.relnamespace
	where k.contype = 'f' and k.conparentid = 0
	order by 3, 4, 1`

// primaryKeysSQL reads the primary keys of all tables, for the views that contain them.
const primaryKeysSQL = `
	select i.indrelid, i.indkey::int[] from pg_catalog.pg_index i
	join pg_catalog.pg_class c on c.oid = i.indrelid
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where i.indisprimary and n.nspname not in ('pg_catalog', 'information_schema')
	order by 1`

const viewsSQL = `
	select c.oid, n.nspname, c.relname,
		array(select a.attname::text from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 order by a.attnum),
		r.ev_action::text
	from pg_catalog.pg_rewrite r
	join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where r.rulename = '_RETURN' and n.nspname not in ('pg_catalog', 'information_schema')
	order by c.oid`

// The last column reports whether clients may call the function. A function with an
// unnamed argument cannot be called by argument names. It can only be a computed
// column or relationship, unless the argument is its only one and has a type that a
// request's body can have. Source: PostgREST's funcsSqlQuery, "callable".
const functionsSQL = `
	select p.oid, n.nspname, p.proname, coalesce(d.description, ''), p.provolatile::text,
		pg_catalog.format_type(p.prorettype, null), p.proretset, p.prorows::float8,
		t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{t,b,o}', false) or coalesce(base.typtype = 'c', false),
		coalesce(rn.nspname, ''), coalesce(r.relname, ''), t.typname = 'void',
		coalesce(p.proargnames, '{}'), coalesce(p.proargmodes::text[], '{}'),
		(select coalesce(array_agg(pg_catalog.format_type(a.type, null) order by a.position), '{}')
			from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[])) with ordinality a (type, position)),
		p.pronargdefaults,
		case when t.typtype = 'd' and t.typname like '%/%' then t.typname else '' end, coalesce(base.typname = 'bytea', false),
		coalesce(p.proconfig, '{}'),
		inputs.named = inputs.total
			or inputs.total = 1 and inputs.first_type::oid in ('bytea'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text'::regtype, 'xml'::regtype)
	from pg_catalog.pg_proc p
	join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	join pg_catalog.pg_type t on t.oid = p.prorettype
	left join pg_catalog.pg_type base on base.oid = t.typbasetype
	left join pg_catalog.pg_class r on r.oid = coalesce(nullif(t.typrelid, 0), base.typrelid) and r.relkind <> 'c'
	left join pg_catalog.pg_namespace rn on rn.oid = r.relnamespace
	left join pg_catalog.pg_description d on d.objoid = p.oid and d.classoid = 'pg_catalog.pg_proc'::regclass
	cross join lateral (
		select count(*), count(*) filter (where i.name <> ''), min(i.type::int8)
		from unnest(p.proargnames, coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes) i (name, type, mode)
		where i.type is not null and coalesce(i.mode, 'i') in ('i', 'b', 'v')
	) inputs (total, named, first_type)
	where n.nspname = any($1) and p.prokind = 'f' and t.typname not in ('trigger', 'event_trigger')
	order by n.nspname, p.proname, p.oid`

// rowFunctionsSQL reads the functions that can be used like columns: those that take
// one row, of a table of an exposed schema or of any table. It lists the functions of
// all schemas, because the search path depends on the request.
const rowFunctionsSQL = `
	select distinct p.proname, coalesce(n.nspname, ''), coalesce(c.relname, '')
	from pg_catalog.pg_proc p
	join pg_catalog.pg_type t on t.oid = p.proargtypes[0]
	left join pg_catalog.pg_class c on c.oid = nullif(t.typrelid, 0)
	left join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where p.pronargs >= 1 and p.pronargs - p.pronargdefaults <= 1 and p.prokind = 'f'
		and (n.nspname = any($1) or t.typname in ('record', 'any', 'anyelement', 'anynonarray', 'anycompatible', 'anycompatiblenonarray'))`

const handlersSQL = `
	select n.nspname, p.proname, t.typname, coalesce(rn.nspname, ''), coalesce(r.relname, ''), base.typname = 'bytea'
	from pg_catalog.pg_proc p
	join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	join pg_catalog.pg_type t on t.oid = p.prorettype
	join pg_catalog.pg_type base on base.oid = t.typbasetype
	join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
	left join pg_catalog.pg_class r on r.oid = nullif(a.typrelid, 0)
	left join pg_catalog.pg_namespace rn on rn.oid = r.relnamespace
	where n.nspname = any($1) and p.prokind = 'a' and p.pronargs = 1 and t.typname like '%/%'
		and (r.oid is not null or a.typname = 'anyelement')
	order by 1, 2, 4, 5`

// factsSQL reports whether PostGIS is available, and whether a function may set the
// response's headers or status.
const factsSQL = `
	select exists (select from pg_catalog.pg_proc where proname = 'st_asgeojson' and proargtypes[0] = 'record'::pg_catalog.regtype),
		exists (select from pg_catalog.pg_proc where prosrc ~ 'response\.(headers|status)')`

// representationsSQL reads the implicit casts by function between domains and
// json or text.
const representationsSQL = `
	select pg_catalog.format_type(k.castsource, null), pg_catalog.format_type(k.casttarget, null), n.nspname, p.proname
	from pg_catalog.pg_cast k
	join pg_catalog.pg_proc p on p.oid = k.castfunc
	join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	join pg_catalog.pg_type source on source.oid = k.castsource
	join pg_catalog.pg_type target on target.oid = k.casttarget
	where k.castcontext = 'i' and k.castmethod = 'f'
		and (source.typtype = 'd' and k.casttarget = 'pg_catalog.json'::regtype
			or target.typtype = 'd' and k.castsource in ('pg_catalog.json'::regtype, 'pg_catalog.text'::regtype))`
