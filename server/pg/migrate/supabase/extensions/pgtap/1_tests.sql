-- pgTAP: the plan, single tests and their output in the Test Anything Protocol.
-- Source: names, arguments and messages of pgTAP 1.3.
create or replace function pgtap_version() returns numeric language sql immutable as 'select 1.3';
create or replace function pg_version() returns text language sql immutable as $$ select current_setting('server_version') $$;
create or replace function pg_version_num() returns integer language sql immutable as $$ select current_setting('server_version_num')::integer $$;

-- The plan and the TODOs are settings, which end with the transaction. The numbers of tests and of failures are temporary sequences:
-- they outlast a rollback to a savepoint.
create or replace function _setting(name text) returns text
  language sql stable
  as $$ select nullif(current_setting('pgtap.' || name, true), '') $$;
create or replace function _count(name text, how_many integer default 0) returns integer
  language plpgsql
  as $$
  declare
    counter regclass := to_regclass('pg_temp.__pgtap_' || name);
    counted integer := 0;
  begin
    if @extschema@._setting('plan') is null or counter is null then
      raise exception 'You tried to run a test without a plan! Gotta have a plan';
    end if;
    for i in 1..how_many loop
      counted := nextval(counter);
    end loop;
    return case when how_many > 0 then counted else coalesce(pg_sequence_last_value(counter), 0) end;
  end
  $$;
create or replace function _start(how_many integer) returns void
  language plpgsql
  as $$
  begin
    if @extschema@._setting('plan') is not null and to_regclass('pg_temp.__pgtap_run') is not null then
      raise exception 'You tried to plan twice!';
    end if;
    perform set_config('pgtap.plan', how_many::text, false), set_config('pgtap.todo', '', false);
    create temporary sequence __pgtap_run;
    create temporary sequence __pgtap_failed;
    grant all on sequence pg_temp.__pgtap_run, pg_temp.__pgtap_failed to public;
  end
  $$;
create or replace function plan(integer) returns text
  language plpgsql strict
  as $$ begin perform @extschema@._start($1); return '1..' || $1; end $$;
create or replace function no_plan() returns setof boolean
  language plpgsql strict
  as $$ begin perform @extschema@._start(0); return; end $$;
create or replace function num_failed() returns integer language sql strict as $$ select @extschema@._count('failed') $$;

create or replace function finish(exception_on_failure boolean default null) returns setof text
  language plpgsql
  as $$
  declare
    planned integer := @extschema@._setting('plan');
    run integer := @extschema@._count('run');
    failed integer := @extschema@._count('failed');
    verdict text := case
      when run = 0 then '# No tests run!'
      when planned not in (0, run) then format('# Looks like you planned %s test%s but ran %s', planned, case when planned > 1 then 's' end, run)
      when failed > 0 then format('# Looks like you failed %s test%s of %s', failed, case when failed > 1 then 's' end, run)
    end;
  begin
    if run = 0 then
      raise exception '%', verdict;
    elsif exception_on_failure and failed > 0 and planned in (0, run) then
      raise exception '% test% failed of %', failed, case when failed > 1 then 's' else '' end, run;
    elsif planned = 0 and run > 0 then
      return next '1..' || run;
      perform set_config('pgtap.plan', run::text, false);
    end if;
    if verdict is not null then
      return next verdict;
    end if;
  end
  $$;

create or replace function diag(msg text) returns text
  language sql strict
  as $$ select '# ' || replace(replace(replace(msg, e'\r\n', e'\n'), e'\r', e'\n'), e'\n', e'\n# ') $$;
create or replace function diag(msg anyelement) returns text language sql as $$ select @extschema@.diag(msg::text) $$;
create or replace function diag(variadic text[]) returns text language sql as $$ select @extschema@.diag(array_to_string($1, '')) $$;
create or replace function diag(variadic anyarray) returns text language sql as $$ select @extschema@.diag(array_to_string($1, '')) $$;

-- What TODOs hold now, innermost last: their reasons, and for how many tests. A block has no number.
create or replace function _todos() returns jsonb
  language sql stable
  as $$ select coalesce(@extschema@._setting('todo')::jsonb, '[]') $$;
create or replace function in_todo() returns boolean
  language sql stable
  as $$ select @extschema@._todos() <> '[]' $$;
create or replace function todo(how_many integer, why text) returns setof boolean
  language plpgsql
  as $$
  begin
    perform set_config('pgtap.todo', (@extschema@._todos() || jsonb_build_object('why', coalesce(why, ''), 'left', coalesce(how_many, 1)))::text, false);
    return;
  end
  $$;
create or replace function todo(why text, how_many integer) returns setof boolean language sql as $$ select @extschema@.todo($2, $1) $$;
create or replace function todo(why text) returns setof boolean language sql as $$ select @extschema@.todo(1, $1) $$;
create or replace function todo(how_many integer) returns setof boolean language sql as $$ select @extschema@.todo($1, '') $$;
create or replace function todo_start(text) returns setof boolean
  language plpgsql
  as $$ begin perform set_config('pgtap.todo', (@extschema@._todos() || jsonb_build_object('why', coalesce($1, '')))::text, false); return; end $$;
create or replace function todo_start() returns setof boolean language sql as $$ select @extschema@.todo_start('') $$;
create or replace function todo_end() returns setof boolean
  language plpgsql
  as $$
  begin
    if not @extschema@.in_todo() then
      raise exception 'todo_end() called without todo_start()';
    end if;
    perform set_config('pgtap.todo', (@extschema@._todos() - -1)::text, false);
    return;
  end
  $$;
-- The reason of the TODO that the next test falls under, which counts for that.
create or replace function _next_todo() returns text
  language plpgsql
  as $$
  declare
    todos jsonb := @extschema@._todos();
    last jsonb := todos -> -1;
    remaining integer := (last ->> 'left')::integer - 1;
  begin
    if remaining is not null then
      perform set_config('pgtap.todo', case when remaining > 0 then jsonb_set(todos, '{-1,left}', to_jsonb(remaining)) else todos - -1 end ::text, false);
    end if;
    return last ->> 'why';
  end
  $$;
create or replace function skip(why text, how_many integer) returns text
  language plpgsql
  as $$
  begin
    return (select string_agg(rtrim('ok ' || @extschema@._count('run', 1) || ' ' || @extschema@.diag('SKIP ' || coalesce(why, ''))), e'\n') from generate_series(1, how_many));
  end
  $$;
create or replace function skip(text) returns text language sql as $$ select @extschema@.skip($1, 1) $$;
create or replace function skip(integer, text) returns text language sql as $$ select @extschema@.skip($2, $1) $$;
create or replace function skip(integer) returns text language sql as $$ select @extschema@.skip('', $1) $$;

create or replace function ok(boolean, text) returns text
  language plpgsql
  as $$
  declare
    number integer := @extschema@._count('run', 1);
    todo text := @extschema@._next_todo();
  begin
    if $1 is not true and todo is null then
      perform @extschema@._count('failed', 1);
    end if;
    return case when $1 is true then 'ok ' else 'not ok ' end || number || coalesce(' - ' || substr(@extschema@.diag(nullif($2, '')), 3), '') || coalesce(' ' || @extschema@.diag('TODO ' || todo), '')
      || case when $1 is true then ''
        else e'\n' || @extschema@.diag('Failed ' || case when todo is null then '' else '(TODO) ' end || 'test ' || number || coalesce(': "' || nullif($2, '') || '"', '')) end
      || case when $1 is null then e'\n' || @extschema@.diag('    (test result was NULL)') else '' end;
  end
  $$;
create or replace function ok(boolean) returns text language sql as $$ select @extschema@.ok($1, null) $$;
create or replace function pass(text) returns text language sql as $$ select @extschema@.ok(true, $1) $$;
create or replace function pass() returns text language sql as $$ select @extschema@.ok(true, null) $$;
create or replace function fail(text) returns text language sql as $$ select @extschema@.ok(false, $1) $$;
create or replace function fail() returns text language sql as $$ select @extschema@.ok(false, null) $$;
-- A test, with lines that follow where it fails.
create or replace function _ok(boolean, text, details text) returns text
  language sql
  as $$ select @extschema@.ok($1, $2) || case when $1 is true then '' else coalesce(e'\n' || @extschema@.diag(details), '') end $$;
create or replace function _have_want(have text, want text) returns text
  language sql immutable
  as $$ select format(e'        have: %s\n        want: %s', coalesce(have, 'NULL'), coalesce(want, 'NULL')) $$;

create or replace function "is"(anyelement, anyelement, text) returns text
  language sql
  as $$ select @extschema@._ok($1 is not distinct from $2, $3, @extschema@._have_want($1::text, $2::text)) $$;
create or replace function "is"(anyelement, anyelement) returns text language sql as $$ select @extschema@."is"($1, $2, null) $$;
create or replace function isnt(anyelement, anyelement, text) returns text
  language sql
  as $$ select @extschema@._ok($1 is distinct from $2, $3, @extschema@._have_want($1::text, 'anything else')) $$;
create or replace function isnt(anyelement, anyelement) returns text language sql as $$ select @extschema@.isnt($1, $2, null) $$;
create or replace function cmp_ok(anyelement, text, anyelement, text) returns text
  language plpgsql
  as $$
  declare
    holds boolean;
  begin
    execute format('select $1 %s $2', $2) into holds using $1, $3;
    return @extschema@._ok(coalesce(holds, false), $4, format(e'    %s\n        %s\n    %s', quote_nullable($1), $2, quote_nullable($3)));
  end
  $$;
create or replace function cmp_ok(anyelement, text, anyelement) returns text language sql as $$ select @extschema@.cmp_ok($1, $2, $3, null) $$;
create or replace function isa_ok(anyelement, regtype, text) returns text
  language sql
  as $$ select @extschema@._ok(pg_typeof($1) = $2, $3 || ' isa ' || $2, format('    %s isn''t a "%s" it''s a "%s"', $3, $2, pg_typeof($1))) $$;
create or replace function isa_ok(anyelement, regtype) returns text language sql as $$ select @extschema@.isa_ok($1, $2, 'the value') $$;

-- Patterns: each operator, the name of the test that it holds, and the name of the one that it does not.
do $$
declare
  t record;
begin
  for t in select * from (values ('~', 'matches', 'doesnt_match'), ('~*', 'imatches', 'doesnt_imatch'), ('~~', 'alike', 'unalike'), ('~~*', 'ialike', 'unialike')) t (operator, holds, fails) loop
    execute format($f$
      create or replace function %1$s(anyelement, text, text) returns text language sql as
        $t$ select @extschema@._ok($1::text %3$s $2, $3, format(e'                  %%s\n   doesn''t match: %%s', quote_nullable($1), quote_nullable($2))) $t$;
      create or replace function %1$s(anyelement, text) returns text language sql as $t$ select @extschema@.%1$s($1, $2, null) $t$;
      create or replace function %2$s(anyelement, text, text) returns text language sql as
        $t$ select @extschema@._ok(not $1::text %3$s $2, $3, format(e'                  %%s\n         matches: %%s', quote_nullable($1), quote_nullable($2))) $t$;
      create or replace function %2$s(anyelement, text) returns text language sql as $t$ select @extschema@.%2$s($1, $2, null) $t$;
      $f$, t.holds, t.fails, t.operator);
  end loop;
end
$$;

-- Statements and prepared statements that raise, end, and end in time.
create or replace function _statement(text) returns text
  language sql immutable
  as $$ select case when $1 ~ '^\s*"' or $1 !~ '\s' then 'execute ' || $1 else $1 end $$;
create or replace function throws_ok(text, character, text, text) returns text
  language plpgsql
  as $$
  declare
    wanted text := coalesce($2 || coalesce(': ' || $3, ''), 'an exception' || coalesce(': ' || $3, ''));
    description text := coalesce($4, 'threw ' || case when $2 is null then coalesce($3, 'an exception') else wanted end);
  begin
    execute @extschema@._statement($1);
    return @extschema@._ok(false, description, format(e'      caught: no exception\n      wanted: %s', coalesce($2, 'an exception')));
  exception when others or assert_failure then
    return @extschema@._ok(($2 is null or sqlstate = $2) and ($3 is null or sqlerrm = $3), description,
      format(e'      caught: %s: %s\n      wanted: %s', sqlstate, sqlerrm, wanted));
  end
  $$;
-- A second argument of five bytes is a code, any other a message.
create or replace function throws_ok(text, text, text) returns text
  language sql
  as $$
    select case when octet_length($2) = 5 then @extschema@.throws_ok($1, $2::character(5), $3, null) else @extschema@.throws_ok($1, null, $2, $3) end
  $$;
create or replace function throws_ok(text, text) returns text language sql as $$ select @extschema@.throws_ok($1, $2, null::text) $$;
create or replace function throws_ok(text) returns text language sql as $$ select @extschema@.throws_ok($1, null, null, null) $$;
create or replace function throws_ok(text, integer, text, text) returns text language sql as $$ select @extschema@.throws_ok($1, $2::character(5), $3, $4) $$;
create or replace function throws_ok(text, integer, text) returns text language sql as $$ select @extschema@.throws_ok($1, $2::character(5), $3, null) $$;
create or replace function throws_ok(text, integer) returns text language sql as $$ select @extschema@.throws_ok($1, $2::character(5), null, null) $$;
do $$
declare
  t record;
begin
  for t in select * from (values ('throws_like', '~~', 'like'), ('throws_ilike', '~~*', 'like'), ('throws_matching', '~', 'matching'), ('throws_imatching', '~*', 'matching')) t (name, operator, how) loop
    execute format($f$
      create or replace function %1$s(text, text, text) returns text language plpgsql as $t$
      begin
        execute @extschema@._statement($1);
        return @extschema@._ok(false, $3, '    no exception thrown');
      exception when others or assert_failure then
        return @extschema@._ok(sqlerrm %2$s $2, $3, format(e'   error message: %%s\n   doesn''t match: %%s', quote_nullable(sqlerrm), quote_nullable($2)));
      end
      $t$;
      create or replace function %1$s(text, text) returns text language sql as
        $t$ select @extschema@.%1$s($1, $2, 'Should throw exception %3$s ' || quote_nullable($2)) $t$;
      $f$, t.name, t.operator, t.how);
  end loop;
end
$$;
create or replace function _died(code text, message text, detail text, hint text, context text, at_schema text, at_table text, at_column text, at_constraint text, at_type text) returns text
  language sql immutable
  as $$
    select concat('    died: ', code, ': ', message, e'\n        DETAIL:     ' || nullif(detail, ''), e'\n        HINT:       ' || nullif(hint, ''), e'\n        SCHEMA:     ' || nullif(at_schema, ''),
      e'\n        TABLE:      ' || nullif(at_table, ''), e'\n        COLUMN:     ' || nullif(at_column, ''), e'\n        CONSTRAINT: ' || nullif(at_constraint, ''),
      e'\n        TYPE:       ' || nullif(at_type, ''), e'\n        CONTEXT:\n            ' || replace(nullif(context, ''), e'\n', e'\n            '))
  $$;
create or replace function lives_ok(text, text) returns text
  language plpgsql
  as $$
  declare
    detail text; hint text; context text; at_schema text; at_table text; at_column text; at_constraint text; at_type text;
  begin
    execute @extschema@._statement($1);
    return @extschema@.ok(true, $2);
  exception when others or assert_failure then
    get stacked diagnostics detail = pg_exception_detail, hint = pg_exception_hint, context = pg_exception_context, at_schema = schema_name,
      at_table = table_name, at_column = column_name, at_constraint = constraint_name, at_type = pg_datatype_name;
    return @extschema@._ok(false, $2, @extschema@._died(sqlstate, sqlerrm, detail, hint, context, at_schema, at_table, at_column, at_constraint, at_type));
  end
  $$;
create or replace function lives_ok(text) returns text language sql as $$ select @extschema@.lives_ok($1, null) $$;
create or replace function _milliseconds(text) returns numeric
  language plpgsql
  as $$
  declare
    started timestamptz := clock_timestamp();
  begin
    execute @extschema@._statement($1);
    return round(extract(epoch from clock_timestamp() - started) * 1000, 3);
  end
  $$;
create or replace function performs_ok(text, numeric, text) returns text
  language plpgsql
  as $$
  declare
    took numeric := @extschema@._milliseconds($1);
  begin
    return @extschema@._ok(took <= $2, $3, format(e'      runtime: %s ms\n      exceeds: %s ms', took, $2));
  end
  $$;
create or replace function performs_ok(text, numeric) returns text
  language sql
  as $$ select @extschema@.performs_ok($1, $2, 'Should run in less than ' || $2 || ' ms') $$;
create or replace function performs_within(text, numeric, numeric, integer, text) returns text
  language plpgsql
  as $$
  declare
    took numeric := (select round(avg(@extschema@._milliseconds($1)), 3) from generate_series(1, $4));
  begin
    return @extschema@._ok(took between $2 - $3 and $2 + $3, $5, format(e' average runtime: %s ms\n desired average: %s +/- %s ms', took, $2, $3));
  end
  $$;
create or replace function performs_within(text, numeric, numeric, integer) returns text
  language sql
  as $$ select @extschema@.performs_within($1, $2, $3, $4, format('Should run within %s +/- %s ms', $2, $3)) $$;
create or replace function performs_within(text, numeric, numeric, text) returns text language sql as $$ select @extschema@.performs_within($1, $2, $3, 10, $4) $$;
create or replace function performs_within(text, numeric, numeric) returns text language sql as $$ select @extschema@.performs_within($1, $2, $3, 10) $$;
create or replace function collect_tap(variadic text[]) returns text language sql as $$ select array_to_string($1, e'\n') $$;
