-- pgTAP: tests of functions, triggers, enums and policies.
create or replace function _function(schema name, name name, arguments name[]) returns pg_catalog.pg_proc
  language sql stable
  as $$
    select p from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where p.proname = $2 and (n.nspname = $1 or $1 is null and pg_function_is_visible(p.oid))
      and ($3 is null or oidvectortypes(p.proargtypes) in (array_to_string($3, ', '), @extschema@._type_names($3)))
    order by p.oid limit 1
  $$;
create or replace function _no_function(path text, found pg_catalog.pg_proc) returns text
  language sql immutable
  as $$ select case when found.proname is null then '    Function ' || path || ' does not exist' end $$;
create or replace function _volatility(text) returns text
  language sql immutable
  as $$ select case left(lower($1), 1) when 'i' then 'IMMUTABLE' when 's' then 'STABLE' when 'v' then 'VOLATILE' end $$;
create or replace function _returns(pg_catalog.pg_proc) returns text
  language sql stable
  as $$ select case when $1.proretset then 'setof ' else '' end || format_type($1.prorettype, null) where $1.proname is not null $$;
do $$
declare
  t record;
  form record;
  found text;
  path text;
begin
  for form in select * from (values ('', 'null', '''()''', 2), (', name[]', '{2}', '''('' || array_to_string({2}, '', '') || '')''', 3)) form (type, arguments, shown, next) loop
    found := format('@extschema@._function({s}, {1}, %s)', form.arguments);
    path := '{o1} || ' || form.shown;
    perform pg_temp.define_pair('has_function', 'name' || form.type, format('((%s).proname is not null)', found), format('''Function '' || %s || '' %%s exist''', path));
    for t in select * from (values ('definer', '.prosecdef', 'security definer'), ('strict', '.proisstrict', 'strict'), ('aggregate', '.prokind = ''a''', 'an aggregate function'),
      ('normal_function', '.prokind = ''f''', 'a normal function'), ('procedure', '.prokind = ''p''', 'a procedure'), ('window', '.prokind = ''w''', 'a window function')) t (name, condition, what) loop
      perform pg_temp.define('is_' || t.name, 'name' || form.type, format('coalesce((%s)%s, false)', found, t.condition), format('''Function '' || %s || '' should be %s''', path, t.what),
          format('@extschema@._no_function(%s, %s)', path, found)),
        pg_temp.define('isnt_' || t.name, 'name' || form.type, format('coalesce(not (%s)%s, false)', found, t.condition), format('''Function '' || %s || '' should not be %s''', path, t.what),
          format('@extschema@._no_function(%s, %s)', path, found));
    end loop;
    for t in select * from (values
      ('function_lang_is', 'name', '(select l.lanname from pg_catalog.pg_language l where l.oid = (%s).prolang)', '%s', 'be written in'),
      ('function_owner_is', 'name', 'pg_get_userbyid((%s).proowner)', '%s', 'be owned by'),
      ('function_returns', 'text', '@extschema@._returns(%s)', 'case when %1$s like ''setof %%'' then ''setof '' || @extschema@._type_name(substr(%1$s, 7)) else @extschema@._type_name(%1$s) end', 'return'),
      ('volatility_is', 'text', '@extschema@._volatility((%s).provolatile::text)', '@extschema@._volatility(%s)', 'be')) t (name, type, have, want, what) loop
      if t.name <> 'function_owner_is' or form.type <> '' then
        perform pg_temp.define(t.name, 'name' || form.type || ', ' || t.type, format('coalesce(%s = %s, false)', format(t.have, found), format(t.want, '{' || form.next || '}')),
          format('''Function '' || %s || '' should %s '' || %s', path, t.what, case t.name when 'volatility_is' then format(t.want, '{' || form.next || '}') else '{' || form.next || '}' end),
          format('coalesce(@extschema@._no_function(%s, %s), @extschema@._have_want(%s, %s))', path, found, format(t.have, found), format(t.want, '{' || form.next || '}')));
      end if;
    end loop;
  end loop;
end
$$;
create or replace function _can(schema name, functions name[]) returns text[]
  language sql stable
  as $$
    select array_agg('    ' || concat_ws('.', quote_ident(schema), quote_ident(f)) || '() missing' order by place) from unnest(functions) with ordinality w (f, place)
    where (@extschema@._function(schema, f, null)).proname is null
  $$;
do $$
begin
  perform pg_temp.define('can', 'name[]', '@extschema@._can({s}, {1}) is null', $s$case when {s} is null then 'Schema ' || array_to_string(current_schemas(true), ' or ') else 'Schema ' || quote_ident({s}) end || ' can'$s$,
    $s$array_to_string(@extschema@._can({s}, {1}), e'\n')$s$);
end
$$;

create or replace function _trigger(schema name, relation name, name name) returns pg_catalog.pg_trigger
  language sql stable
  as $$ select t from pg_catalog.pg_trigger t where t.tgrelid = @extschema@._relation($1, $2, 'rpvf') and t.tgname = $3 and not t.tgisinternal $$;
create or replace function _trigger_function(with_schema boolean, pg_catalog.pg_trigger) returns text
  language sql stable
  as $$
    select concat_ws('.', case when with_schema then quote_ident(n.nspname) end, quote_ident(p.proname))
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace where p.oid = $2.tgfoid
  $$;
create or replace function _trigger_is(with_schema boolean, found pg_catalog.pg_trigger, want text, description text) returns text
  language sql
  as $$
    select @extschema@._ok(coalesce(@extschema@._trigger_function(with_schema, found) = want, false), description, @extschema@._have_want(@extschema@._trigger_function(with_schema, found), want))
  $$;
create or replace function trigger_is(name, name, name, name, name, text) returns text
  language sql
  as $$ select @extschema@._trigger_is(true, @extschema@._trigger($1, $2, $3), format('%I.%I', $4, $5), $6) $$;
create or replace function trigger_is(name, name, name, name, name) returns text
  language sql
  as $$ select @extschema@.trigger_is($1, $2, $3, $4, $5, format('Trigger %I should call %I.%I()', $3, $4, $5)) $$;
create or replace function trigger_is(name, name, name, text) returns text
  language sql
  as $$ select @extschema@._trigger_is(false, @extschema@._trigger(null, $1, $2), quote_ident($3), $4) $$;
create or replace function trigger_is(name, name, name) returns text language sql as $$ select @extschema@.trigger_is($1, $2, $3, format('Trigger %I should call %I()', $2, $3)) $$;
create or replace function _labels(type oid) returns text
  language sql stable
  as $$ select array_agg(e.enumlabel order by e.enumsortorder)::text from pg_catalog.pg_enum e where e.enumtypid = type $$;
create or replace function _rule(schema name, relation name, name name) returns pg_catalog.pg_rewrite
  language sql stable
  as $$ select r from pg_catalog.pg_rewrite r where r.ev_class = @extschema@._relation($1, $2, 'rpvmf') and r.rulename = $3 $$;
create or replace function _policy(schema name, relation name, name name) returns pg_catalog.pg_policy
  language sql stable
  as $$ select p from pg_catalog.pg_policy p where p.polrelid = @extschema@._relation($1, $2, 'rp') and p.polname = $3 $$;
create or replace function _policy_command(pg_catalog.pg_policy) returns text
  language sql immutable
  as $$ select case $1.polcmd when 'r' then 'SELECT' when 'a' then 'INSERT' when 'w' then 'UPDATE' when 'd' then 'DELETE' when '*' then 'ALL' end $$;
-- The roles that a policy is for: none if it is for all.
create or replace function _policy_roles(pg_catalog.pg_policy) returns name[]
  language sql stable
  as $$ select array(select r.rolname from pg_catalog.pg_roles r where r.oid = any ($1.polroles)) $$;
do $$
begin
  perform pg_temp.define_pair('has_trigger', 'name, name', '((@extschema@._trigger({s}, {1}, {2})).tgname is not null)', $s$'Table ' || {o1} || ' %s have trigger ' || quote_ident({2})$s$),
    pg_temp.define_pair('has_rule', 'name, name', '((@extschema@._rule({s}, {1}, {2})).rulename is not null)', $s$'Relation ' || {o1} || ' %s have rule ' || quote_ident({2})$s$),
    pg_temp.define('enum_has_labels', 'name, name[]', $c$coalesce(@extschema@._labels(@extschema@._type({s}, {1}, 'e')) = {2}::text, false)$c$,
      $s$'Enum ' || {o1} || ' should have labels (' || array_to_string({2}, ', ') || ')'$s$, $d$@extschema@._have_want(@extschema@._labels(@extschema@._type({s}, {1}, 'e')), {2}::text)$d$),
    pg_temp.define('policy_cmd_is', 'name, name, text', 'coalesce(@extschema@._policy_command(@extschema@._policy({s}, {1}, {2})) = upper({3}), false)',
      $s$'Policy ' || quote_ident({2}) || ' for table ' || {o1} || ' should apply to ' || upper({3}) || ' command'$s$,
      '@extschema@._have_want(@extschema@._policy_command(@extschema@._policy({s}, {1}, {2})), upper({3}))');
end
$$;
