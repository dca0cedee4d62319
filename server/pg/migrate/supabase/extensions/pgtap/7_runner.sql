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

-- Tests of the output of a test, which is not counted itself: whether it passed, its description and its other lines.
create or replace function check_test(text, boolean, text, text, text, boolean) returns setof text
  language plpgsql
  as $$
  declare
    first text := split_part($1, e'\n', 1);
    passed boolean := first like 'ok %';
    excused boolean := first like '% # TODO%';
    name text := coalesce(nullif($3, ''), 'Test');
    details text := (select coalesce(string_agg(substr(line, 3), e'\n' order by place), '') from unnest(string_to_array($1, e'\n')) with ordinality u (line, place)
      where place > 1 and line !~ '^# Failed (\(TODO\) )?test \d+');
  begin
    perform @extschema@._set_counts(@extschema@._count('run') - 1, @extschema@._count('failed') - (not passed and not excused)::integer);
    return next @extschema@."is"(passed, $2, name || case when $2 then ' should pass' else ' should fail' end);
    if $4 is not null then
      return next @extschema@."is"(regexp_replace(regexp_replace(first, '^(not )?ok \d+( - )?', ''), ' # TODO.*', ''), $4, name || ' should have the proper description');
    end if;
    if $5 is not null and $6 then
      return next @extschema@.matches(details, $5, name || ' should have the proper diagnostics');
    elsif $5 is not null then
      return next @extschema@."is"(details, $5, name || ' should have the proper diagnostics');
    end if;
  end
  $$;
create or replace function check_test(text, boolean, text, text, text) returns setof text language sql as $$ select @extschema@.check_test($1, $2, $3, $4, $5, false) $$;
create or replace function check_test(text, boolean, text, text) returns setof text language sql as $$ select @extschema@.check_test($1, $2, $3, $4, null, false) $$;
create or replace function check_test(text, boolean, text) returns setof text language sql as $$ select @extschema@.check_test($1, $2, $3, null, null, false) $$;
create or replace function check_test(text, boolean) returns setof text language sql as $$ select @extschema@.check_test($1, $2, null, null, null, false) $$;
