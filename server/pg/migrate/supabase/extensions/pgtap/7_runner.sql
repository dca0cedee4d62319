-- pgTAP: tests that are functions.
create or replace function findfuncs(name, text, text default null) returns text[]
  language sql stable
  as $$
    select coalesce(array_agg(distinct format('%I.%I', n.nspname, p.proname) order by format('%I.%I', n.nspname, p.proname)), '{}')
    from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where (n.nspname = $1 or $1 is null and pg_function_is_visible(p.oid)) and p.prokind = 'f' and p.pronargs = 0 and p.proname ~ $2 and ($3 is null or p.proname !~ $3)
  $$;
create or replace function findfuncs(text, text default null) returns text[] language sql stable as $$ select @extschema@.findfuncs(null::name, $1, $2) $$;
create or replace function do_tap(name, text) returns setof text
  language plpgsql
  as $$
  declare
    test text;
  begin
    foreach test in array @extschema@.findfuncs($1, $2) loop
      return next @extschema@.diag(test || '()');
      return query execute format('select * from %s()', test);
    end loop;
  end
  $$;
create or replace function do_tap(name) returns setof text language sql as $$ select @extschema@.do_tap($1, '^test') $$;
create or replace function do_tap(text) returns setof text language sql as $$ select @extschema@.do_tap(null::name, $1) $$;
create or replace function do_tap() returns setof text language sql as $$ select @extschema@.do_tap(null::name, '^test') $$;

-- Both counts start again, or have the given values again.
create or replace function _set_counts(run integer, failed integer) returns void
  language sql
  as $$
    select setval(to_regclass('pg_temp.__pgtap_run'), greatest(run, 1), run > 0), setval(to_regclass('pg_temp.__pgtap_failed'), greatest(failed, 1), failed > 0)
  $$;
-- Each function that matches is a test with subtests, whose changes are rolled back. Functions whose names begin with startup and
-- shutdown run before and after all, those with setup and teardown before and after each.
create or replace function runtests(name, text) returns setof text
  language plpgsql
  as $$
  declare
    fixtures text := '^(startup|shutdown|setup|teardown)';
    test text;
    step text;
    lines text[];
    run integer;
    failed integer;
    died boolean;
    detail text; hint text; context text;
  begin
    perform @extschema@._start(0);
    foreach step in array @extschema@.findfuncs($1, '^startup') loop
      return query execute format('select * from %s()', step);
    end loop;
    foreach test in array @extschema@.findfuncs($1, $2, fixtures) loop
      return next @extschema@.diag('Subtest: ' || test || '()');
      run := @extschema@._count('run');
      failed := @extschema@._count('failed');
      perform @extschema@._set_counts(0, 0);
      lines := '{}';
      died := true;
      begin
        foreach step in array @extschema@.findfuncs($1, '^setup') || test || @extschema@.findfuncs($1, '^teardown') loop
          for step in execute format('select * from %s()', step) loop
            lines := lines || step;
          end loop;
        end loop;
        died := false;
        raise sqlstate 'TAP00';
      exception
        when sqlstate 'TAP00' then
          null;
        when others or assert_failure then
          get stacked diagnostics detail = pg_exception_detail, hint = pg_exception_hint, context = pg_exception_context;
          lines := lines || @extschema@.diag(replace(substr(@extschema@._died(sqlstate, sqlerrm, detail, hint, context, null, null, null, null, null), 5), 'died: ', 'Test died: '));
      end;
      if not died and @extschema@._count('run') > 0 then
        lines := lines || array(select @extschema@.finish());
      elsif not died then
        lines := lines || '# No tests run!'::text;
      end if;
      died := died or @extschema@._count('run') = 0 or @extschema@._count('failed') > 0;
      perform @extschema@._set_counts(run, failed), set_config('pgtap.plan', '0', false);
      foreach step in array lines loop
        return next '    ' || replace(step, e'\n', e'\n    ');
      end loop;
      return next @extschema@.ok(not died, test);
    end loop;
    foreach step in array @extschema@.findfuncs($1, '^shutdown') loop
      return query execute format('select * from %s()', step);
    end loop;
    return query select @extschema@.finish();
    drop sequence pg_temp.__pgtap_run, pg_temp.__pgtap_failed;
    perform set_config('pgtap.plan', '', false);
  end
  $$;
create or replace function runtests(name) returns setof text language sql as $$ select @extschema@.runtests($1, '^test') $$;
create or replace function runtests(text) returns setof text language sql as $$ select @extschema@.runtests(null::name, $1) $$;
create or replace function runtests() returns setof text language sql as $$ select @extschema@.runtests(null::name, '^test') $$;
