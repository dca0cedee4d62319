package check

// Names are as quote_ident writes them, so that they can be put into statements.

const ours = `n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast') and n.nspname !~ '^pg_(temp|toast_temp)_'`

const (
	listRelations = `select c.oid, coalesce(pg_catalog.pg_partition_root(c.oid)::oid, c.oid), coalesce(i.indrelid, 0),
			coalesce(pg_catalog.pg_relation_filenode(c.oid), 0), c.reltablespace, c.relam::text || c.relpersistence::text, c.relispartition, coalesce(i.indisunique, false),
			pg_catalog.quote_ident(n.nspname), pg_catalog.quote_ident(c.relname), c.relkind::text,
			coalesce(pg_catalog.pg_stat_get_xact_numscans(c.oid), 0)
		from pg_catalog.pg_class c
		join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		left join pg_catalog.pg_index i on i.indexrelid = c.oid
		where c.relkind in ('r', 'p', 'm', 'v', 'f', 'i', 'I') and ` + ours
	listColumns = `select a.attrelid, a.attnum, pg_catalog.quote_ident(a.attname), pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
			a.atthasdef or a.attidentity <> '', a.attidentity::text, a.attgenerated::text
		from pg_catalog.pg_attribute a
		join pg_catalog.pg_class c on c.oid = a.attrelid
		join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where c.relkind in ('r', 'p', 'm', 'v', 'f') and a.attnum > 0 and not a.attisdropped and ` + ours
	// Constraints that partitions inherit are left out.
	listConstraints = `select c.oid, c.conrelid, c.contypid, c.conindid, pg_catalog.quote_ident(c.conname), c.contype::text, c.convalidated
		from pg_catalog.pg_constraint c
		join pg_catalog.pg_namespace n on n.oid = c.connamespace
		where c.conparentid = 0 and ` + ours
	listRoutines = `select pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(p.proname) || '(' || pg_catalog.pg_get_function_identity_arguments(p.oid) || ')'
		from pg_catalog.pg_proc p
		join pg_catalog.pg_namespace n on n.oid = p.pronamespace
		where p.prokind in ('f', 'p') and p.prorettype not in ('pg_catalog.trigger'::pg_catalog.regtype, 'pg_catalog.event_trigger'::pg_catalog.regtype)
			and not exists (select from pg_catalog.pg_depend d where d.classid = 'pg_catalog.pg_proc'::pg_catalog.regclass and d.objid = p.oid and d.deptype = 'e') and ` + ours
	listLocks = `select relation, mode from pg_catalog.pg_locks
		where pid = pg_catalog.pg_backend_pid() and locktype = 'relation' and granted
			and database = (select oid from pg_catalog.pg_database where datname = pg_catalog.current_database())`
	showLockTimeout = `select setting::bigint from pg_catalog.pg_settings where name = 'lock_timeout'`

	columnDefault  = `select coalesce(pg_catalog.pg_get_expr(adbin, adrelid), '') from pg_catalog.pg_attrdef where adrelid = $1 and adnum = $2`
	constraintText = `select pg_catalog.pg_get_constraintdef($1)`
	indexText      = `select pg_catalog.pg_get_indexdef($1)`
	partitionBound = `select coalesce(pg_catalog.pg_get_partition_constraintdef($1), 'true')`
	domainName     = `select pg_catalog.format_type($1, null)`

	setLockTimeout = `select pg_catalog.set_config('lock_timeout', $1, false)`

	// The size of a partitioned table is the sum of its partitions. -1 rows: one of them was never analyzed.
	listSizes = `select pg_catalog.quote_ident(rn.nspname) || '.' || pg_catalog.quote_ident(r.relname),
			case when bool_or(c.reltuples < 0 and s.bytes > 0) then -1 else sum(greatest(c.reltuples, 0))::bigint end, sum(s.bytes)::bigint
		from pg_catalog.pg_class c
		cross join lateral (select coalesce(pg_catalog.pg_table_size(c.oid), 0)) s (bytes)
		join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		join pg_catalog.pg_class r on r.oid = coalesce(pg_catalog.pg_partition_root(c.oid)::oid, c.oid)
		join pg_catalog.pg_namespace rn on rn.oid = r.relnamespace
		where c.relkind in ('r', 'm') and ` + ours + `
		group by 1`
)
