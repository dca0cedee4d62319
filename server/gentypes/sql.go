package gentypes

// schemasSQL lists the schemas $1, or all but PostgreSQL's own if it is empty, without $2.
const schemasSQL = `
	select nspname from pg_catalog.pg_namespace
	where nspname !~ '^pg_' and nspname <> all($2)
		and (nspname = any($1) or cardinality($1::text[]) = 0 and nspname <> 'information_schema')`

// pg_relation_is_updatable returns a mask of PostgreSQL's CmdType: 4 is update, 8 is
// insert. With true it includes what INSTEAD OF triggers do.
const relationsSQL = `
	select c.oid, n.nspname, c.relname, c.relkind in ('v', 'm'),
		c.relkind = 'v' and pg_catalog.pg_relation_is_updatable(c.oid, true) & 8 <> 0,
		c.relkind = 'v' and pg_catalog.pg_relation_is_updatable(c.oid, true) & 4 <> 0
	from pg_catalog.pg_class c
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname = any($1)`

// A view's column is writable if PostgreSQL can write through the view, or if a trigger or
// an unconditional rule does something else instead: those replace whole rows.
// Bits of tgtype: 64 is INSTEAD, 4 is INSERT, 16 is UPDATE. ev_type: 2 is UPDATE, 3 is INSERT.
const columnsSQL = `
	select a.attrelid, a.attnum::int, a.attname, a.atttypid, a.attnotnull,
		a.atthasdef or a.attidentity <> '', a.attidentity = 'a' or a.attgenerated <> '',
		c.relkind = 'v' and (pg_catalog.pg_column_is_updatable(c.oid, a.attnum, false) or instead.writes)
	from pg_catalog.pg_class c
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
	cross join lateral (
		select exists (
			select from pg_catalog.pg_trigger t
			where t.tgrelid = c.oid and not t.tgisinternal and t.tgtype & 64 <> 0 and t.tgtype & (4 | 16) <> 0
		) or exists (
			select from pg_catalog.pg_rewrite r
			where r.ev_class = c.oid and r.is_instead and r.ev_type in ('2', '3') and r.ev_qual::text = '<>'
		) as writes
	) instead
	where c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname = any($1)
	order by a.attrelid, a.attnum`

const typesSQL = `
	select t.oid, n.nspname, t.typname, case when t.typrelid <> 0 then pg_catalog.format_type(t.oid, null) else '' end,
		coalesce(e.oid, 0), t.typbasetype, t.typrelid,
		array(select l.enumlabel::text from pg_catalog.pg_enum l where l.enumtypid = t.oid order by l.enumsortorder),
		t.typnotnull, t.typdefault is not null,
		exists (select from pg_catalog.pg_cast k where k.castsource = t.oid and k.casttarget = 'pg_catalog.json'::pg_catalog.regtype and k.castfunc <> 0)
	from pg_catalog.pg_type t
	join pg_catalog.pg_namespace n on n.oid = t.typnamespace
	left join pg_catalog.pg_type e on e.typarray = t.oid
	left join pg_catalog.pg_class c on c.oid = t.typrelid
	where t.typrelid = 0 or c.relkind in ('c', 'r', 'p', 'f', 'v', 'm')`

const attributesSQL = `
	select a.attrelid, a.attname, a.atttypid
	from pg_catalog.pg_class c
	join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
	where c.relkind = 'c'
	order by a.attrelid, a.attnum`

const functionsSQL = `
	select p.oid, n.nspname, p.proname, p.prorettype, p.proretset, p.prorows::float8, p.pronargs::int, p.pronargdefaults::int,
		coalesce(p.proargnames, '{}'), coalesce(p.proargmodes::text[], '{}'), coalesce(p.proallargtypes, p.proargtypes::oid[]),
		pg_catalog.pg_get_function_arguments(p.oid), pg_catalog.pg_get_function_identity_arguments(p.oid), pg_catalog.pg_get_function_result(p.oid)
	from pg_catalog.pg_proc p
	join pg_catalog.pg_namespace n on n.oid = p.pronamespace
	where p.prokind = 'f' and n.nspname = any($1)
		and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)`

// keysSQL excludes the copies of a key that partitions inherit.
const keysSQL = `
	select k.conname, k.conrelid, k.confrelid, k.conkey::int[], k.confkey::int[],
		coalesce(bool_or(u.conkey <@ k.conkey and u.conkey @> k.conkey), false),
		coalesce(bool_or(array(select unnest(u.conkey) order by 1) = k.conkey), false)
	from pg_catalog.pg_constraint k
	join pg_catalog.pg_namespace n on n.oid = k.connamespace
	left join pg_catalog.pg_constraint u on u.conrelid = k.conrelid and u.contype in ('p', 'u')
	where k.contype = 'f' and k.conparentid = 0 and n.nspname = any($1)
	group by k.oid, k.conname, k.conrelid, k.confrelid, k.conkey, k.confkey`

const viewsSQL = `
	select c.oid, r.ev_action::text
	from pg_catalog.pg_rewrite r
	join pg_catalog.pg_class c on c.oid = r.ev_class and c.relkind in ('v', 'm')
	join pg_catalog.pg_namespace n on n.oid = c.relnamespace
	where r.rulename = '_RETURN' and n.nspname = any($1)`
