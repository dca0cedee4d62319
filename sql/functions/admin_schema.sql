-- The tables and views of the data API for the panel (C-19): sizes with indexes, the planner's estimate of the rows,
-- columns and policies. Read only; a partitioned table counts its partitions.
create or replace function public.admin_schema()
  returns table (name text, kind text, comment text, row_estimate bigint, bytes bigint, has_rls boolean, columns jsonb, policies jsonb)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
    select c.relname::text,
      case c.relkind when 'v' then 'view' when 'm' then 'view' else 'table' end,
      pg_catalog.obj_description(c.oid, 'pg_class'),
      size.estimate, size.bytes, c.relrowsecurity,
      (select coalesce(jsonb_agg(jsonb_build_object(
            'name', a.attname, 'type', pg_catalog.format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull) order by a.attnum), '[]')
        from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
      (select coalesce(jsonb_agg(jsonb_build_object(
            'name', p.policyname, 'command', p.cmd, 'roles', p.roles, 'using', p.qual, 'check', p.with_check) order by p.policyname), '[]')
        from pg_catalog.pg_policies p where p.schemaname = 'public' and p.tablename = c.relname)
    from pg_catalog.pg_class c
    cross join lateral (
      select sum(greatest(part.reltuples, 0))::bigint as estimate, sum(pg_catalog.pg_total_relation_size(part.oid))::bigint as bytes
      from pg_catalog.pg_class part
      where part.oid = c.oid or part.oid in (select i.inhrelid from pg_catalog.pg_inherits i where i.inhparent = c.oid)
    ) size
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by c.relname;
  end
  $$;
revoke execute on function public.admin_schema() from public, anon;
