-- pgTAP: tests of what a database has. Most functions exist with and without a schema, and with and without a description; pg_temp.define
-- creates all four. In the expressions it takes, {1} is the first argument after the schema, {s} the schema or null, {o1} the qualified name
-- that the first argument stands for, {o2} that of the second one in it. Without described, the form without a schema takes no description.
create or replace function pg_temp.define(name text, arguments text, condition text, said text, details text default 'null', described boolean default true) returns void
  language plpgsql
  as $$
  declare
    types text[] := string_to_array(arguments, ', ');
    all_types text[];
    shift integer;
    statement text;
  begin
    foreach shift in array array[1, 0] loop
      all_types := case shift when 1 then array_prepend('name', types) else types end;
      statement := format('create or replace function %s(%s) returns text language sql as $t$ select @extschema@._ok(%s, %s, %s) $t$', name, array_to_string(all_types, ', '), condition, said, details);
      if shift = 1 or described then
        statement := statement || format('; create or replace function %s(%s, text) returns text language sql as $t$ select @extschema@._ok(%s, %s, %s) $t$',
          name, array_to_string(all_types, ', '), condition, '$' || cardinality(all_types) + 1, details);
      end if;
      statement := replace(statement, '{s}', case shift when 1 then '$1' else 'null::name' end);
      statement := replace(statement, '{o1}', case shift when 1 then 'concat_ws(''.'', quote_ident($1), quote_ident($2))' else 'quote_ident($1)' end);
      statement := replace(statement, '{o2}', case shift when 1 then 'concat_ws(''.'', quote_ident($1), quote_ident($2), quote_ident($3))' else 'concat_ws(''.'', quote_ident($1), quote_ident($2))' end);
      statement := replace(statement, '{where}', case shift when 1 then '''Schema '' || quote_ident($1)' else '''Search path '' || array_to_string(current_schemas(false), '', '')' end);
      for i in 1..cardinality(types) loop
        statement := replace(statement, '{' || i || '}', '$' || i + shift);
      end loop;
      execute statement;
    end loop;
  end
  $$;
-- The same for a pair of names, such as has_table and hasnt_table: %s in said is "should", or "should not".
create or replace function pg_temp.define_pair(name text, arguments text, condition text, said text, details text default 'null') returns void
  language sql
  as $$
    select pg_temp.define(name, arguments, condition, format(said, 'should'), details),
      pg_temp.define(replace(name, 'has_', 'hasnt_'), arguments, 'not ' || condition, format(said, 'should not'), details)
  $$;
-- The same for what is in no schema.
create or replace function pg_temp.define_global(name text, condition text, said text) returns void
  language plpgsql
  as $$
  declare
    statement text := $f$
      create or replace function %1$s(name, text) returns text language sql as $t$ select @extschema@.ok(%2$s %3$s, $2) $t$;
      create or replace function %1$s(name) returns text language sql as $t$ select @extschema@.%1$s($1, %4$s) $t$;
      $f$;
  begin
    execute format(statement, name, '', condition, format(said, 'should'));
    execute format(statement, replace(name, 'has_', 'hasnt_'), 'not', condition, format(said, 'should not'));
  end
  $$;

-- Whether a schema is the wanted one or, if that is null, in the search path.
create or replace function _in(schema name, wanted name) returns boolean
  language sql stable
  as $$ select case when wanted is null then schema = any (current_schemas(false)) else schema = wanted end $$;
create or replace function _relation(schema name, name name, kinds text) returns oid
  language sql stable
  as $$
    select c.oid from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relname = $2 and strpos($3, c.relkind::text) > 0 and (n.nspname = $1 or $1 is null and pg_table_is_visible(c.oid))
  $$;
create or replace function _type(schema name, name name, kinds text) returns oid
  language sql stable
  as $$
    select t.oid from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
    where t.typname = $2 and strpos($3, t.typtype::text) > 0 and (n.nspname = $1 or $1 is null and pg_type_is_visible(t.oid))
      and (t.typrelid = 0 or exists (select from pg_catalog.pg_class c where c.oid = t.typrelid and c.relkind = 'c'))
  $$;
create or replace function _column(schema name, relation name, name name) returns pg_catalog.pg_attribute
  language sql stable
  as $$
    select a from pg_catalog.pg_attribute a
    where a.attrelid = @extschema@._relation($1, $2, 'rpvmfc') and a.attname = $3 and a.attnum > 0 and not a.attisdropped
  $$;
-- The extensions, and those that Plaza stands in for, which have no schema here. Its table of files that it has applied names them.
create or replace function _extensions() returns table (name name, schema name)
  language sql stable security definer
  set search_path = ''
  as $$
    select e.extname, n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
    union all
    select distinct (case r.path when 'supabase/base/pg_net.sql' then 'pg_net' when 'supabase/base/vault.sql' then 'supabase_vault' else split_part(r.path, '/', 3) end)::name, null::name
    from plaza.repeatables r
    where r.path like 'supabase/extensions/%' or r.path in ('supabase/base/pg_net.sql', 'supabase/base/vault.sql')
  $$;
create or replace function _owner_differs(missing text, have name, want name) returns text
  language sql immutable
  as $$ select case when have is null then '    ' || missing else @extschema@._have_want(have, want) end $$;
create or replace function _relation_owner(schema name, name name, kinds text) returns name
  language sql stable
  as $$ select pg_get_userbyid(c.relowner) from pg_catalog.pg_class c where c.oid = @extschema@._relation($1, $2, $3) $$;
create or replace function _type_owner(schema name, name name) returns name
  language sql stable
  as $$ select pg_get_userbyid(t.typowner) from pg_catalog.pg_type t where t.oid = @extschema@._type($1, $2, 'bcderm') $$;
do $$
declare
  t record;
begin
  for t in select * from (values ('table', 'Table', 'rp'), ('view', 'View', 'v'), ('materialized_view', 'Materialized view', 'm'), ('foreign_table', 'Foreign table', 'f'),
    ('sequence', 'Sequence', 'S'), ('composite', 'Composite type', 'c'), ('relation', 'Relation', 'rpvmfSc')) t (name, title, kinds) loop
    perform pg_temp.define_pair('has_' || t.name, 'name', format('(@extschema@._relation({s}, {1}, %L) is not null)', t.kinds), format('''%s '' || {o1} || '' %%s exist''', t.title)),
      pg_temp.define(t.name || '_owner_is', 'name, name', format('coalesce(@extschema@._relation_owner({s}, {1}, %L) = {2}, false)', t.kinds), format('''%s '' || {o1} || '' should be owned by '' || quote_ident({2})', t.title),
        format('@extschema@._owner_differs(%L || {o1} || '' does not exist'', @extschema@._relation_owner({s}, {1}, %L), {2})', t.title || ' ', t.kinds));
  end loop;
  for t in select * from (values ('type', 'Type', 'bcderm'), ('domain', 'Domain', 'd'), ('enum', 'Enum', 'e')) t (name, title, kinds) loop
    perform pg_temp.define_pair('has_' || t.name, 'name', format('(@extschema@._type({s}, {1}, %L) is not null)', t.kinds), format('''%s '' || {o1} || '' %%s exist''', t.title));
  end loop;
  for t in select * from (values ('schema', 'Schema', 'pg_namespace', 'nspname', 'true'), ('role', 'Role', 'pg_roles', 'rolname', 'true'), ('user', 'User', 'pg_user', 'usename', 'true'), ('group', 'Group', 'pg_group', 'groname', 'true'),
    ('language', 'Procedural language', 'pg_language', 'lanname', 'lanispl'), ('tablespace', 'Tablespace', 'pg_tablespace', 'spcname', 'true')) t (name, title, catalog, column_name, condition) loop
    perform pg_temp.define_global('has_' || t.name, format('exists (select from pg_catalog.%s where %s = $1 and %s)', t.catalog, t.column_name, t.condition),
      format('''%s '' || quote_ident($1) || '' %%s exist''', t.title));
  end loop;
end
$$;
create or replace function _index(schema name, relation name, name name) returns pg_catalog.pg_index
  language sql stable
  as $$
    select i from pg_catalog.pg_index i join pg_catalog.pg_class c on c.oid = i.indexrelid join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relname = $3 and (n.nspname = $1 or $1 is null and pg_table_is_visible(c.oid)) and ($2 is null or i.indrelid = @extschema@._relation($1, $2, 'rpm'))
  $$;
create or replace function _index_owner(schema name, relation name, name name) returns name
  language sql stable
  as $$ select pg_get_userbyid(c.relowner) from pg_catalog.pg_class c where c.oid = (@extschema@._index($1, $2, $3)).indexrelid $$;
do $$
declare
  t record;
begin
  perform pg_temp.define('type_owner_is', 'name, name', 'coalesce(@extschema@._type_owner({s}, {1}) = {2}, false)', $s$'Type ' || {o1} || ' should be owned by ' || quote_ident({2})$s$,
      $s$@extschema@._owner_differs('Type ' || {o1} || ' not found', @extschema@._type_owner({s}, {1}), {2})$s$),
    pg_temp.define('index_owner_is', 'name, name, name', 'coalesce(@extschema@._index_owner({s}, {1}, {2}) = {3}, false)', $s$'Index ' || quote_ident({2}) || ' ON ' || {o1} || ' should be owned by ' || quote_ident({3})$s$,
      $s$@extschema@._owner_differs('Index ' || quote_ident({2}) || ' ON ' || {o1} || ' not found', @extschema@._index_owner({s}, {1}, {2}), {3})$s$);
  for t in select * from (values ('schema', 'Schema', 'nspowner', 'pg_namespace', 'nspname'), ('db', 'Database', 'datdba', 'pg_database', 'datname')) t (name, title, owner, catalog, column_name) loop
    execute format($f$
      create or replace function %1$s_owner_is(name, name, text) returns text language sql as $t$
        select @extschema@._ok(coalesce(owner = $2, false), $3, @extschema@._owner_differs('%2$s ' || quote_ident($1) || ' does not exist', owner, $2))
        from (select (select pg_get_userbyid(%3$s) from pg_catalog.%4$s where %5$s = $1) as owner) o
      $t$;
      create or replace function %1$s_owner_is(name, name) returns text language sql as
        $t$ select @extschema@.%1$s_owner_is($1, $2, '%2$s ' || quote_ident($1) || ' should be owned by ' || quote_ident($2)) $t$;
      $f$, t.name, t.title, t.owner, t.catalog, t.column_name);
  end loop;
end
$$;
do $$
begin
  perform pg_temp.define_pair('has_extension', 'name', '(exists (select from @extschema@._extensions() e where e.name = {1} and coalesce(e.schema = {s}, true)))',
    $s$'Extension ' || quote_ident({1}) || ' %s exist' || coalesce(' in schema ' || quote_ident({s}), '')$s$);
end
$$;
create or replace function _is_superuser(role name, wanted boolean, description text) returns text
  language sql
  as $$
    select @extschema@._ok(coalesce((select r.rolsuper from pg_catalog.pg_roles r where r.rolname = role) = wanted, false), description,
      case when to_regrole(quote_ident(role)) is null then '    User ' || quote_ident(role) || ' does not exist' end)
  $$;
create or replace function is_superuser(name, text) returns text language sql as $$ select @extschema@._is_superuser($1, true, $2) $$;
create or replace function is_superuser(name) returns text language sql as $$ select @extschema@._is_superuser($1, true, 'User ' || quote_ident($1) || ' should be a super user') $$;
create or replace function isnt_superuser(name, text) returns text language sql as $$ select @extschema@._is_superuser($1, false, $2) $$;
create or replace function isnt_superuser(name) returns text language sql as $$ select @extschema@._is_superuser($1, false, 'User ' || quote_ident($1) || ' should not be a super user') $$;
