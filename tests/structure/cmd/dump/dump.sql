-- One row per statement: tables with their columns, then constraints, indexes, triggers, policies,
-- grants and functions.
with tables as (
  select c.oid, c.relname, c.relkind, c.relrowsecurity
  from pg_catalog.pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
    and not exists (select from pg_catalog.pg_depend d where d.objid = c.oid and d.deptype = 'e')
),
lines (place, name, detail, line) as (
  select 1, t.relname, '',
    format(E'\ntable %I (\n%s\n);%s', t.relname,
      (select string_agg(format('  %I %s%s%s', a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end,
          case when a.attgenerated = 's' then ' generated as ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid)
               when d.adbin is not null then ' default ' || pg_catalog.pg_get_expr(d.adbin, d.adrelid) else '' end), E',\n' order by a.attnum)
        from pg_catalog.pg_attribute a
        left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
      case when t.relrowsecurity then E'\nalter table ' || quote_ident(t.relname) || ' enable row level security;' else '' end)
  from tables t where t.relkind <> 'v'
  union all
  select 2, t.relname, k.contype::text || k.conname, format('alter table %I add constraint %I %s;', t.relname, k.conname, pg_catalog.pg_get_constraintdef(k.oid))
  from tables t join pg_catalog.pg_constraint k on k.conrelid = t.oid where k.contype <> 'n'
  union all
  select 3, t.relname, i.indexrelid::regclass::text, pg_catalog.pg_get_indexdef(i.indexrelid) || ';'
  from tables t join pg_catalog.pg_index i on i.indrelid = t.oid
  where not exists (select from pg_catalog.pg_constraint k where k.conindid = i.indexrelid)
  union all
  select 4, t.relname, g.tgname, pg_catalog.pg_get_triggerdef(g.oid) || ';'
  from tables t join pg_catalog.pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union all
  select 5, t.relname, '', format(E'\nview %I as\n%s', t.relname, pg_catalog.pg_get_viewdef(t.oid))
  from tables t where t.relkind = 'v'
  union all
  select 6, p.tablename, p.policyname, format('create policy %I on %I as %s for %s to %s%s%s;', p.policyname, p.tablename, p.permissive, p.cmd,
    array_to_string(p.roles, ', '), ' using (' || p.qual || ')', ' with check (' || p.with_check || ')')
  from pg_catalog.pg_policies p where p.schemaname = 'public'
  union all
  select 7, g.table_name, g.grantee || g.privileges, format('grant %s on %I to %s;', g.privileges, g.table_name, g.grantee)
  from (
    select table_name, grantee, string_agg(lower(privilege_type), ', ' order by privilege_type) as privileges
    from information_schema.role_table_grants
    where table_schema = 'public' and grantee in ('anon', 'authenticated')
    group by 1, 2) g
  union all
  select 8, g.table_name, g.grantee || g.privilege, format('grant %s (%s) on %I to %s;', g.privilege, g.columns, g.table_name, g.grantee)
  from (
    select c.table_name, c.grantee, lower(c.privilege_type) as privilege, string_agg(c.column_name, ', ' order by c.column_name) as columns
    from information_schema.role_column_grants c
    where c.table_schema = 'public' and c.grantee in ('anon', 'authenticated')
      and not exists (select from information_schema.role_table_grants t
        where t.table_schema = 'public' and t.table_name = c.table_name and t.grantee = c.grantee and t.privilege_type = c.privilege_type)
    group by 1, 2, 3) g
  union all
  select 9, p.proname, pg_catalog.pg_get_function_identity_arguments(p.oid), format(E'\n%s;', pg_catalog.pg_get_functiondef(p.oid))
  from pg_catalog.pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
    and not exists (select from pg_catalog.pg_depend d where d.objid = p.oid and d.deptype = 'e')
)
select line from lines where line is not null order by place, name collate "C", detail collate "C"
