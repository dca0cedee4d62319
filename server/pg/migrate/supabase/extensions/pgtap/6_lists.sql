-- pgTAP: tests of all objects of a kind, and of privileges.
create or replace function _same(have name[], want name[]) returns boolean
  language sql immutable
  as $$ select have @> want and have <@ want $$;
create or replace function _differences(what text, have name[], want name[]) returns text
  language sql immutable
  as $$
    select nullif(concat_ws(e'\n',
      @extschema@._lines('Extra ' || what, (select array_agg('    ' || case what when 'privileges' then n else quote_ident(n) end order by n) from (select unnest(have) except select unnest(want)) d (n))),
      @extschema@._lines('Missing ' || what, (select array_agg('    ' || case what when 'privileges' then n else quote_ident(n) end order by n) from (select unnest(want) except select unnest(have)) d (n)))), '')
  $$;
-- A list: names is a query. Without a schema it is of those in the search path.
create or replace function pg_temp.define_list(name text, arguments text, names text, what text, said text) returns void
  language sql
  as $$
    select pg_temp.define(name, arguments || 'name[]', format('@extschema@._same(array(%s), %s)', names, wanted), said, format('@extschema@._differences(%L, array(%s), %s)', what, names, wanted))
    from (select '{' || (length(arguments) + 2) / 6 + 1 || '}' as wanted) w
  $$;
create or replace function pg_temp.define_global_list(name text, names text, what text, said text) returns void
  language plpgsql
  as $$
  begin
    execute format($f$
      create or replace function %1$s(name[], text) returns text language sql as $t$ select @extschema@._ok(@extschema@._same(array(%2$s), $1), $2, @extschema@._differences(%3$L, array(%2$s), $1)) $t$;
      create or replace function %1$s(name[]) returns text language sql as $t$ select @extschema@.%1$s($1, %4$L) $t$;
      $f$, name, names, what, said);
  end
  $$;
do $$
declare
  t record;
  listed text := 'select %s from pg_catalog.%s join pg_catalog.pg_namespace n on n.oid = %s where @extschema@._in(n.nspname, {s}) and n.nspname not in (''pg_catalog'', ''information_schema'') and ';
begin
  for t in select * from (values ('tables', 'tables', 'rp'), ('views', 'views', 'v'), ('materialized_views', 'Materialized views', 'm'), ('sequences', 'sequences', 'S'), ('foreign_tables', 'foreign tables', 'f')) t (name, what, kinds) loop
    perform pg_temp.define_list(t.name || '_are', '', format(listed, 'c.relname', 'pg_class c', 'c.relnamespace') || format('strpos(%L, c.relkind::text) > 0', t.kinds), t.what,
      format('{where} || '' should have the correct %s''', lower(t.what)));
  end loop;
  for t in select * from (values ('types', 'bcderm'), ('domains', 'd'), ('enums', 'e')) t (name, kinds) loop
    perform pg_temp.define_list(t.name || '_are', '', format(listed, 't.typname', 'pg_type t', 't.typnamespace')
      || format('strpos(%L, t.typtype::text) > 0 and t.typelem = 0 and (t.typrelid = 0 or exists (select from pg_catalog.pg_class c where c.oid = t.typrelid and c.relkind = ''c''))', t.kinds), 'types',
      format('{where} || '' should have the correct %s''', t.name));
  end loop;
  perform pg_temp.define_list('functions_are', '', format(listed, 'p.proname', 'pg_proc p', 'p.pronamespace') || 'true', 'functions', '{where} || '' should have the correct functions'''),
    pg_temp.define_list('extensions_are', '', $q$select e.name from @extschema@._extensions() e where {s} is null or e.schema = {s}$q$, 'extensions',
      $s$case when {s} is null then 'Should' else 'Schema ' || quote_ident({s}) || ' should' end || ' have the correct extensions'$s$);
  for t in select * from (values
    ('columns', 'Table', $q$select a.attname from pg_catalog.pg_attribute a where a.attrelid = @extschema@._relation({s}, {1}, 'rpvmfc') and a.attnum > 0 and not a.attisdropped$q$),
    ('indexes', 'Table', $q$select c.relname from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid where i.indrelid = @extschema@._relation({s}, {1}, 'rpm')$q$),
    ('triggers', 'Table', $q$select t.tgname from pg_catalog.pg_trigger t where t.tgrelid = @extschema@._relation({s}, {1}, 'rpvf') and not t.tgisinternal$q$),
    ('rules', 'Relation', $q$select r.rulename from pg_catalog.pg_rewrite r where r.ev_class = @extschema@._relation({s}, {1}, 'rpvmf') and r.rulename <> '_RETURN'$q$),
    ('policies', 'Table', $q$select p.polname from pg_catalog.pg_policy p where p.polrelid = @extschema@._relation({s}, {1}, 'rp')$q$)) t (name, title, names) loop
    perform pg_temp.define_list(t.name || '_are', 'name, ', t.names, t.name, format('''%s '' || {o1} || '' should have the correct %s''', t.title, t.name));
  end loop;
  perform pg_temp.define_list('policy_roles_are', 'name, name, ', 'select unnest(@extschema@._policy_roles(@extschema@._policy({s}, {1}, {2})))', 'policy roles',
    $s$'Policy ' || quote_ident({2}) || ' for table ' || {o1} || ' should have the correct roles'$s$);
  for t in select * from (values ('schemas', 'nspname', 'pg_namespace where nspname !~ ''^pg_'' and nspname <> ''information_schema''', 'schemas'), ('roles', 'rolname', 'pg_roles', 'roles'),
    ('users', 'usename', 'pg_user', 'users'), ('groups', 'groname', 'pg_group', 'groups'), ('languages', 'lanname', 'pg_language where lanispl', 'procedural languages')) t (name, field, catalog, said) loop
    perform pg_temp.define_global_list(t.name || '_are', format('select %s from pg_catalog.%s', t.field, t.catalog), t.name, 'There should be the correct ' || t.said);
  end loop;
end
$$;

-- Membership in roles.
create or replace function _members(role name, users name[], members boolean) returns text[]
  language sql stable
  as $$
    select array_agg('    ' || quote_ident(u) order by place) from unnest(users) with ordinality w (u, place)
    where members = exists (select from pg_catalog.pg_auth_members m where m.roleid = to_regrole(quote_ident(role)) and m.member = to_regrole(quote_ident(u)))
  $$;
do $$
declare
  t record;
begin
  for t in select * from (values ('is_member_of', false, 'Should', 'Members missing from the '' || quote_ident($1) || '' role'), ('isnt_member_of', true, 'Should not', 'Members, who should not be in '' || quote_ident($1) || '' role')) t (name, wrong, said, title) loop
    execute format($f$
      create or replace function %1$s(name, name[], text) returns text language sql as $t$
        select case when to_regrole(quote_ident($1)) is null then @extschema@._ok(false, $3, '    Role ' || quote_ident($1) || ' does not exist')
          else @extschema@._ok(@extschema@._members($1, $2, %2$L) is null, $3, @extschema@._lines('%4$s', @extschema@._members($1, $2, %2$L))) end
      $t$;
      create or replace function %1$s(name, name[]) returns text language sql as $t$ select @extschema@.%1$s($1, $2, '%3$s have members of role ' || quote_ident($1)) $t$;
      create or replace function %1$s(name, name, text) returns text language sql as $t$ select @extschema@.%1$s($1, array[$2], $3) $t$;
      create or replace function %1$s(name, name) returns text language sql as $t$ select @extschema@.%1$s($1, array[$2]) $t$;
      $f$, t.name, t.wrong, t.said, t.title);
  end loop;
end
$$;

-- Privileges: those that a role has, directly, as a member of others or by grants to all.
create or replace function _privileges(names name[]) returns text
  language sql immutable
  as $$ select case when names = '{}' then 'no privileges' else array_to_string(names, ', ') end $$;
do $$
declare
  t record;
  condition text;
begin
  for t in select * from (values
    ('table_privs_are', 'name, ', 2, 'table '' || {o1}', 'Table '' || {o1}', $h$@extschema@._relation({s}, {1}, 'rpvmf')$h$, 'has_table_privilege({2}, (%s), p)', '{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'),
    ('sequence_privs_are', 'name, ', 2, 'sequence '' || {o1}', 'Sequence '' || {o1}', $h$@extschema@._relation({s}, {1}, 'S')$h$, 'has_sequence_privilege({2}, (%s), p)', '{USAGE,SELECT,UPDATE}'),
    ('any_column_privs_are', 'name, ', 2, 'any column in '' || {o1}', 'Table '' || {o1}', $h$@extschema@._relation({s}, {1}, 'rpvmf')$h$, 'has_any_column_privilege({2}, (%s), p)', '{SELECT,INSERT,UPDATE,REFERENCES}'),
    ('column_privs_are', 'name, name, ', 3, 'column '' || {o2}', 'Column '' || {o2}', '(@extschema@._column({s}, {1}, {2})).attrelid', 'has_column_privilege({3}, (%s), {2}, p)', '{SELECT,INSERT,UPDATE,REFERENCES}'),
    ('function_privs_are', 'name, name[], ', 3, 'function '' || {o1} || ''('' || array_to_string({2}, '', '') || '')''', 'Function '' || {o1} || ''('' || array_to_string({2}, '', '') || '')''', '(@extschema@._function({s}, {1}, {2})).oid',
      'has_function_privilege({3}, (%s), p)', '{EXECUTE}')) t (name, arguments, role, object, title, found, check_sql, privileges) loop
    condition := format('array(select p from unnest(%L::name[]) p where to_regrole(quote_ident({%s})) is not null and %s)', t.privileges, t.role, format(t.check_sql, t.found));
    perform pg_temp.define(t.name, t.arguments || 'name, name[]', format('%s is not null and to_regrole(quote_ident({%s})) is not null and @extschema@._same(%s, {%s})', t.found, t.role, condition, t.role + 1),
      format('''Role '' || quote_ident({%s}) || '' should be granted '' || @extschema@._privileges({%s}) || '' on %s', t.role, t.role + 1, t.object),
      format($d$case when %s is null then '    %s || ' does not exist' when to_regrole(quote_ident({%s})) is null then '    Role ' || quote_ident({%3$s}) || ' does not exist' else @extschema@._differences('privileges', %s, {%s}) end$d$,
        t.found, t.title, t.role, condition, t.role + 1));
  end loop;
  for t in select * from (values ('schema', 'Schema', 'pg_namespace', 'nspname', '{CREATE,USAGE}'), ('database', 'Database', 'pg_database', 'datname', '{CREATE,CONNECT,TEMPORARY}')) t (name, title, catalog, field, privileges) loop
    execute format($f$
      create or replace function %1$s_privs_are(name, name, name[], text) returns text language sql as $t$
        select case when object is null then @extschema@._ok(false, $4, '    %2$s ' || quote_ident($1) || ' does not exist')
          when role is null then @extschema@._ok(false, $4, '    Role ' || quote_ident($2) || ' does not exist')
          else @extschema@._ok(@extschema@._same(have, $3), $4, @extschema@._differences('privileges', have, $3)) end
        from (select (select oid from pg_catalog.%3$s where %4$s = $1) as object, to_regrole(quote_ident($2)) as role) o,
          lateral (select array(select p from unnest(%5$L::name[]) p where has_%1$s_privilege(role, object, p)) as have) h
      $t$;
      create or replace function %1$s_privs_are(name, name, name[]) returns text language sql as
        $t$ select @extschema@.%1$s_privs_are($1, $2, $3, format('Role %%I should be granted %%s on %1$s %%I', $2, @extschema@._privileges($3), $1)) $t$;
      $f$, t.name, t.title, t.catalog, t.field, t.privileges);
  end loop;
end
$$;
drop function pg_temp.define(text, text, text, text, text, boolean), pg_temp.define_pair(text, text, text, text, text), pg_temp.define_global(text, text, text),
  pg_temp.define_list(text, text, text, text, text), pg_temp.define_global_list(text, text, text, text);
