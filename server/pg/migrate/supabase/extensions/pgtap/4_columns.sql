-- pgTAP: tests of columns, constraints and indexes.
create or replace function _no_column(path text, found pg_catalog.pg_attribute) returns text
  language sql immutable
  as $$ select case when found.attname is null then '    Column ' || path || ' does not exist' end $$;
create or replace function _column_type(pg_catalog.pg_attribute) returns text
  language sql stable
  as $$ select format_type($1.atttypid, $1.atttypmod) where $1.attname is not null $$;
create or replace function _column_default(pg_catalog.pg_attribute) returns text
  language plpgsql stable
  as $$
  declare
    expression text := (select pg_get_expr(d.adbin, d.adrelid) from pg_catalog.pg_attrdef d where (d.adrelid, d.adnum) = ($1.attrelid, $1.attnum));
  begin
    if expression is null or expression like '%(%' then
      return expression; -- a call is not made: it might do something
    end if;
    execute 'select ' || expression into expression;
    return expression;
  end
  $$;
-- A type as PostgreSQL writes it, for what may be an alias of it.
create or replace function _type_name(text) returns text
  language plpgsql stable
  as $$
  begin
    return coalesce(format_type(to_regtype($1), null) || coalesce(substring($1 from '\([^)]*\)$'), ''), $1);
  exception when syntax_error then
    return $1;
  end
  $$;
create or replace function _type_names(name[]) returns text
  language sql stable
  as $$ select coalesce(string_agg(@extschema@._type_name(t), ', ' order by place), '') from unnest($1) with ordinality types (t, place) $$;
do $$
declare
  found text := '@extschema@._column({s}, {1}, {2})';
  missing text := format('@extschema@._no_column({o2}, %s)', found);
  t record;
begin
  perform pg_temp.define_pair('has_column', 'name, name', format('((%s).attname is not null)', found), $s$'Column ' || {o2} || ' %s exist'$s$);
  for t in select * from (values ('col_not_null', '.attnotnull', 'be NOT NULL'), ('col_is_null', '.attnotnull = false', 'allow NULL'),
    ('col_has_default', '.atthasdef', 'have a default'), ('col_hasnt_default', '.atthasdef = false', 'not have a default')) t (name, condition, what) loop
    perform pg_temp.define(t.name, 'name, name', format('coalesce((%s)%s, false)', found, t.condition), format('''Column '' || {o2} || '' should %s''', t.what), missing);
  end loop;
  perform pg_temp.define('col_type_is', 'name, name, text', format('coalesce(@extschema@._column_type(%s) in ({3}, @extschema@._type_name({3})), false)', found),
    $s$'Column ' || {o2} || ' should be type ' || {3}$s$, format('coalesce(%s, @extschema@._have_want(@extschema@._column_type(%s), {3}))', missing, found));
  for t in select * from (values ('text'), ('anyelement')) t (type) loop
    perform pg_temp.define('col_default_is', 'name, name, ' || t.type, format('coalesce(@extschema@._column_default(%s) = {3}::text, false)', found),
      $s$'Column ' || {o2} || ' should default to ' || quote_literal({3})$s$,
      format($d$coalesce(%1$s, case when not (%2$s).atthasdef then '    Column ' || {o2} || ' has no default' end, @extschema@._have_want(@extschema@._column_default(%2$s), {3}::text))$d$, missing, found));
  end loop;
end
$$;
-- With the schema of the type.
create or replace function col_type_is(name, name, name, name, text, text) returns text
  language sql
  as $$
    select @extschema@._ok(coalesce(found.name in ($5, @extschema@._type_name($5)) and found.schema = $4, false), $6,
      @extschema@._have_want(found.schema || '.' || found.name, $4 || '.' || $5))
    from (select @extschema@._column_type(c) as name, (select n.nspname from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace where t.oid = c.atttypid) as schema
      from @extschema@._column($1, $2, $3) c) found
  $$;
create or replace function col_type_is(name, name, name, name, text) returns text
  language sql
  as $$ select @extschema@.col_type_is($1, $2, $3, $4, $5, format('Column %I.%I.%I should be type %I.%s', $1, $2, $3, $4, $5)) $$;

-- Constraints, by the columns that they are on. Kinds are those of pg_constraint.
create or replace function _keys(schema name, relation name, kinds text) returns setof name[]
  language sql stable
  as $$
    select array(select a.attname from unnest(c.conkey) with ordinality k (number, place)
      join pg_catalog.pg_attribute a on (a.attrelid, a.attnum) = (c.conrelid, k.number) order by k.place)
    from pg_catalog.pg_constraint c
    where c.conrelid = @extschema@._relation($1, $2, 'rpf') and strpos($3, c.contype::text) > 0
    order by 1
  $$;
create or replace function _keys_differ(schema name, relation name, kinds text, want name[]) returns text
  language sql stable
  as $$
    select @extschema@._have_want(coalesce(string_agg(k::text, e'\n              '), case when kinds = 'p' then 'NULL' else '' end), want::text) from @extschema@._keys(schema, relation, kinds) k
  $$;
create or replace function _foreign_keys_are(path text, schema name, relation name) returns text
  language sql stable
  as $$
    select coalesce('    Table ' || path || e' has foreign key constraints on these columns:\n        ' || string_agg(array_to_string(k, ', '), e'\n        '),
      '    Table ' || path || ' has no foreign key columns')
    from @extschema@._keys(schema, relation, 'f') k
  $$;
do $$
declare
  t record;
  one record;
begin
  for t in select * from (values ('pk', 'p', 'a primary key'), ('fk', 'f', 'a foreign key constraint')) t (name, kind, what) loop
    perform pg_temp.define_pair('has_' || t.name, 'name', format('(exists (select from @extschema@._keys({s}, {1}, %L)))', t.kind), format('''Table '' || {o1} || '' %%s have %s''', t.what));
  end loop;
  for t in select * from (values ('unique', 'u', 'a unique constraint'), ('check', 'c', 'a check constraint')) t (name, kind, what) loop
    perform pg_temp.define('has_' || t.name, 'name', format('exists (select from @extschema@._keys({s}, {1}, %L))', t.kind), format('''Table '' || {o1} || '' should have %s''', t.what));
  end loop;
  for one in select * from (values ('name', 'array[{2}]', 'Column', 'quote_ident({2})'), ('name[]', '{2}', 'Columns', 'array_to_string({2}, '', '')')) one (type, want, title, said) loop
    for t in select * from (values ('is_pk', 'p', 'be a primary key'), ('is_unique', 'u', 'have a unique constraint'), ('has_check', 'c', 'have a check constraint')) t (name, kinds, what) loop
      perform pg_temp.define('col_' || t.name, 'name, ' || one.type, format('%s in (select @extschema@._keys({s}, {1}, %L))', one.want, t.kinds),
        format('''%s '' || {o1} || ''('' || %s || '') should %s''', one.title, one.said, t.what), format('@extschema@._keys_differ({s}, {1}, %L, %s)', t.kinds, one.want));
    end loop;
    perform pg_temp.define('col_is_fk', 'name, ' || one.type, format('%s in (select @extschema@._keys({s}, {1}, ''f''))', one.want),
        format('''%s '' || {o1} || ''('' || %s || '') should be a foreign key''', one.title, one.said), '@extschema@._foreign_keys_are({o1}, {s}, {1})'),
      pg_temp.define('col_isnt_fk', 'name, ' || one.type, format('%s not in (select @extschema@._keys({s}, {1}, ''f''))', one.want),
        format('''%s '' || {o1} || ''('' || %s || '') should not be a foreign key''', one.title, one.said)),
      pg_temp.define('col_isnt_pk', 'name, ' || one.type, format('%s not in (select @extschema@._keys({s}, {1}, ''p''))', one.want),
        format('''%s '' || {o1} || ''('' || %s || '') should not be a primary key''', one.title, one.said), format('@extschema@._have_want((%s)::text, ''anything else'')', one.want));
  end loop;
end
$$;
create or replace function _reference(schema name, relation name, columns name[]) returns text
  language sql immutable
  as $$ select concat_ws('.', quote_ident(schema), quote_ident(relation)) || '(' || (select string_agg(quote_ident(c), ', ' order by place) from unnest(columns) with ordinality k (c, place)) || ')' $$;
-- What columns refer to, with its schema where the table has one; if they have several references, the wanted one if it is among them.
create or replace function _references(schema name, relation name, columns name[], want text) returns text
  language sql stable
  as $$
    select found.reference from (
      select @extschema@._reference(case when schema is not null then n.nspname end, f.relname, array(select a.attname from unnest(c.confkey) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on (a.attrelid, a.attnum) = (c.confrelid, k.number) order by k.place)) as reference
      from pg_catalog.pg_constraint c join pg_catalog.pg_class f on f.oid = c.confrelid join pg_catalog.pg_namespace n on n.oid = f.relnamespace
      where c.contype = 'f' and c.conrelid = @extschema@._relation(schema, relation, 'rpf')
        and columns = array(select a.attname from unnest(c.conkey) with ordinality k (number, place)
          join pg_catalog.pg_attribute a on (a.attrelid, a.attnum) = (c.conrelid, k.number) order by k.place)) found
    order by found.reference <> want limit 1
  $$;
create or replace function _fk_ok(schema name, relation name, columns name[], to_schema name, to_relation name, to_columns name[], description text) returns text
  language sql
  as $$
    select @extschema@._ok(coalesce(found = want, false), coalesce(description, source || ' should reference ' || want),
      @extschema@._have_want(source || ' REFERENCES ' || coalesce(found, 'NOTHING'), source || ' REFERENCES ' || want))
    from (select @extschema@._reference(schema, relation, columns) as source, @extschema@._reference(to_schema, to_relation, to_columns) as want) w,
      lateral (select @extschema@._references(schema, relation, columns, want) as found) f
  $$;
create or replace function fk_ok(name, name, name[], name, name, name[], text) returns text language sql as $$ select @extschema@._fk_ok($1, $2, $3, $4, $5, $6, $7) $$;
create or replace function fk_ok(name, name, name[], name, name, name[]) returns text language sql as $$ select @extschema@._fk_ok($1, $2, $3, $4, $5, $6, null) $$;
create or replace function fk_ok(name, name[], name, name[], text) returns text language sql as $$ select @extschema@._fk_ok(null, $1, $2, null, $3, $4, $5) $$;
create or replace function fk_ok(name, name[], name, name[]) returns text language sql as $$ select @extschema@._fk_ok(null, $1, $2, null, $3, $4, null) $$;
create or replace function fk_ok(name, name, name, name, name, name, text) returns text language sql as $$ select @extschema@._fk_ok($1, $2, array[$3], $4, $5, array[$6], $7) $$;
create or replace function fk_ok(name, name, name, name, name, text) returns text language sql as $$ select @extschema@._fk_ok($1, $2, array[$3], $4, $5, array[$6::name], null) $$;
create or replace function fk_ok(name, name, name, name, text) returns text language sql as $$ select @extschema@._fk_ok(null, $1, array[$2], null, $3, array[$4], $5) $$;
create or replace function fk_ok(name, name, name, name) returns text language sql as $$ select @extschema@._fk_ok(null, $1, array[$2], null, $3, array[$4], null) $$;

-- Indexes.
create or replace function _index_columns(pg_catalog.pg_index) returns text[]
  language sql stable
  as $$ select array(select pg_get_indexdef($1.indexrelid, n, false) from generate_series(1, $1.indnkeyatts) n) where $1.indexrelid is not null $$;
create or replace function _index_type(pg_catalog.pg_index) returns name
  language sql stable
  as $$ select am.amname from pg_catalog.pg_class c join pg_catalog.pg_am am on am.oid = c.relam where c.oid = $1.indexrelid $$;
create or replace function _index_differs(path text, index name, have text[], want text[]) returns text
  language sql immutable
  as $$
    select case when have is null then '    Index ' || quote_ident(index) || ' ON ' || path || ' not found'
      else @extschema@._have_want(format('%I ON %s(%s)', index, path, array_to_string(have, ', ')), format('%I ON %s(%s)', index, path, array_to_string(want, ', '))) end
  $$;
do $$
declare
  t record;
  found text := '@extschema@._index({s}, {1}, {2})';
begin
  perform pg_temp.define_pair('has_index', 'name, name', format('((%s).indexrelid is not null)', found), $s$'Index ' || quote_ident({2}) || ' %s exist'$s$),
    pg_temp.define('has_index', 'name, name, name[]', format('coalesce(@extschema@._index_columns(%s) = {3}::text[], false)', found), $s$'Index ' || quote_ident({2}) || ' should exist'$s$,
      format('@extschema@._index_differs({o1}, {2}, @extschema@._index_columns(%s), {3}::text[])', found)),
    pg_temp.define('index_is_type', 'name, name, name', format('coalesce(@extschema@._index_type(%s) = {3}, false)', found),
      $s$'Index ' || quote_ident({2}) || ' should be a ' || quote_ident({3}) || ' index'$s$, format('@extschema@._have_want(@extschema@._index_type(%s), {3})', found), false);
  for t in select * from (values ('name[]', '{2}::text[]', 'array_to_string({2}, '', '')'), ('name', 'array[{2}::text]', 'quote_ident({2})')) t (type, want, said) loop
    perform pg_temp.define('is_indexed', 'name, ' || t.type, format($c$exists (select from pg_catalog.pg_index i where i.indrelid = @extschema@._relation({s}, {1}, 'rpm') and @extschema@._index_columns(i) = %s)$c$, t.want),
      format($s$'Should have an index on ' || {o1} || '(' || %s || ')'$s$, t.said));
  end loop;
  for t in select * from (values ('index_is_unique', 'indisunique', '''Index '' || quote_ident({2}) || '' should be unique'''),
    ('index_is_primary', 'indisprimary', '''Index '' || quote_ident({2}) || '' should be on a primary key'''),
    ('is_clustered', 'indisclustered', '''Table '' || {o1} || '' should be clustered on index '' || quote_ident({2})')) t (name, field, said) loop
    perform pg_temp.define(t.name, 'name, name', format('coalesce((%s).%s, false)', found, t.field), t.said, described => false);
    execute format('create or replace function %1$s(name) returns text language sql as $t$ select @extschema@.ok(coalesce((@extschema@._index(null, null, $1)).%2$s, false), %3$s) $t$', t.name, t.field,
      replace(replace(t.said, '{2}', '$1'), ' '' || {o1} || ''', ''));
  end loop;
end
$$;
create or replace function index_is_type(name, name) returns text
  language sql
  as $$
    select @extschema@._ok(coalesce(found = $2, false), format('Index %I should be a %I index', $1, $2), @extschema@._have_want(found, $2))
    from (select @extschema@._index_type(@extschema@._index(null, null, $1)) as found) f
  $$;
create or replace function has_index(name, name, name, name, text) returns text language sql as $$ select @extschema@.has_index($1, $2, $3, array[$4], $5) $$;
create or replace function has_index(name, name, name, name) returns text language sql as $$ select @extschema@.has_index($1, $2, $3, array[$4]) $$;
