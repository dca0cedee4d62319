-- pgTAP: tests of what queries return.
create or replace function _fetch(have refcursor, want refcursor, out row_number integer, out have_row text, out want_row text, out failure text, out same boolean)
  language plpgsql
  as $$
  declare
    have_record record;
    want_record record;
    have_found boolean;
  begin
    row_number := 0;
    same := true;
    loop
      fetch have into have_record;
      have_found := found;
      fetch want into want_record;
      have_row := case when have_found then have_record::text end;
      want_row := case when found then want_record::text end;
      row_number := row_number + 1;
      if not have_found and not found then
        return;
      end if;
      if have_found <> found or have_record is distinct from want_record then
        same := false;
        return;
      end if;
    end loop;
  exception when datatype_mismatch then
    same := false;
    failure := sqlerrm;
  end
  $$;
create or replace function results_eq(refcursor, refcursor, text) returns text
  language plpgsql
  as $$
  declare
    compared record := @extschema@._fetch($1, $2);
  begin
    return @extschema@._ok(compared.same, $3, case when compared.failure is null then '    Results differ beginning at row ' || compared.row_number || e':\n' else e'    Number of columns or their types differ between the queries:\n' end
      || @extschema@._have_want(compared.have_row, compared.want_row) || coalesce(e'\n        ERROR: ' || compared.failure, ''));
  end
  $$;
create or replace function results_ne(refcursor, refcursor, text) returns text
  language plpgsql
  as $$
  declare
    compared record := @extschema@._fetch($1, $2);
  begin
    return @extschema@._ok(not compared.same and compared.failure is null, $3, e'    Number of columns or their types differ between the queries:\n'
      || case when compared.failure is not null then @extschema@._have_want(compared.have_row, compared.want_row) || e'\n        ERROR: ' || compared.failure end);
  end
  $$;
create or replace function _open(text) returns refcursor
  language plpgsql
  as $$ declare made refcursor; begin open made for execute @extschema@._statement($1); return made; end $$;
create or replace function _open(anyarray) returns refcursor
  language plpgsql
  as $$ declare made refcursor; begin open made for select * from unnest($1); return made; end $$;
do $$
declare
  t record;
begin
  for t in select *, case have when 'refcursor' then '$1' else '@extschema@._open($1)' end as open_have, case want when 'refcursor' then '$2' else '@extschema@._open($2)' end as open_want
    from (values ('results_eq'), ('results_ne')) n (name), (values ('refcursor'), ('text')) h (have), (values ('refcursor'), ('text'), ('anyarray')) w (want) loop
    if (t.have, t.want) <> ('refcursor', 'refcursor') then
      execute format('create or replace function %1$s(%2$s, %3$s, text) returns text language sql as $t$ select @extschema@.%1$s(%4$s, %5$s, $3) $t$', t.name, t.have, t.want, t.open_have, t.open_want);
    end if;
    execute format('create or replace function %1$s(%2$s, %3$s) returns text language sql as $t$ select @extschema@.%1$s($1, $2, null::text) $t$', t.name, t.have, t.want);
  end loop;
end
$$;

-- Sets and bags. The rows of both queries are in temporary tables meanwhile.
create or replace function _keep(name text, rows text) returns void
  language plpgsql
  as $$ begin execute format('create temporary table %I as %s', name, @extschema@._statement(rows)); end $$;
create or replace function _keep(name text, rows anyarray) returns void
  language plpgsql
  as $$ begin execute format('create temporary table %I as select unnest(%L::%s)', name, rows, pg_typeof(rows)); end $$;
-- The rows that the one query has and the other lacks. Counted is 'all ' for bags.
create or replace function _compare(counted text, out extra text[], out missing text[], out have_types text, out want_types text)
  language plpgsql
  as $$
  declare
    difference text := $f$select array_agg('    ' || d::text) from (table pg_temp.__taphave__ except %1$stable pg_temp.__tapwant__) d$f$;
  begin
    select string_agg(case attrelid when 'pg_temp.__taphave__'::text::regclass then format_type(atttypid, atttypmod) end, ',' order by attnum),
      string_agg(case attrelid when 'pg_temp.__tapwant__'::text::regclass then format_type(atttypid, atttypmod) end, ',' order by attnum)
    into have_types, want_types
    from pg_catalog.pg_attribute where attrelid in ('pg_temp.__taphave__'::text::regclass, 'pg_temp.__tapwant__'::text::regclass) and attnum > 0;
    begin
      execute format(difference, counted) into extra;
      execute format(replace(replace(replace(difference, '__taphave__', '?'), '__tapwant__', '__taphave__'), '?', '__tapwant__'), counted) into missing;
      have_types := null;
    exception when syntax_error or datatype_mismatch then
      null; -- the number of columns, or their types
    end;
    drop table pg_temp.__taphave__, pg_temp.__tapwant__;
  end
  $$;
create or replace function _lines(title text, rows text[]) returns text
  language sql immutable
  as $$ select e'    ' || title || e':\n    ' || array_to_string(rows, e'\n    ') $$;
-- What a test of two sets finds: kind is eq, ne, has or hasnt.
create or replace function _compared(kind text, counted text, description text) returns text
  language plpgsql
  as $$
  declare
    found_rows record := @extschema@._compare(counted);
    differ text := format(e'    Columns differ between queries:\n        have: (%s)\n        want: (%s)', found_rows.have_types, found_rows.want_types);
  begin
    if found_rows.have_types is not null then
      return @extschema@._ok(false, description, differ);
    end if;
    return case kind
      when 'eq' then @extschema@._ok(num_nonnulls(found_rows.extra, found_rows.missing) = 0, description,
        concat_ws(e'\n', @extschema@._lines('Extra records', found_rows.extra), @extschema@._lines('Missing records', found_rows.missing)))
      when 'ne' then @extschema@.ok(num_nonnulls(found_rows.extra, found_rows.missing) > 0, description)
      when 'has' then @extschema@._ok(found_rows.missing is null, description, @extschema@._lines('Missing records', found_rows.missing))
    end;
  end
  $$;
-- No row of the second query is in the first one.
create or replace function _disjoint(counted text, description text) returns text
  language plpgsql
  as $$
  declare
    common text[];
  begin
    execute format($f$select array_agg('    ' || d::text) from (table pg_temp.__taphave__ intersect %stable pg_temp.__tapwant__) d$f$, counted) into common;
    drop table pg_temp.__taphave__, pg_temp.__tapwant__;
    return @extschema@._ok(common is null, description, @extschema@._lines('Extra records', common));
  end
  $$;
do $$
declare
  t record;
begin
  for t in select *, case counted when '' then 'set' else 'bag' end || '_' || kind as name, case kind when 'hasnt' then '@extschema@._disjoint(' else format('@extschema@._compared(%L, ', kind) end || format('%L, $3)', counted) as verdict
    from (values (''), ('all ')) c (counted), (values ('eq', 'text'), ('eq', 'anyarray'), ('ne', 'text'), ('ne', 'anyarray'), ('has', 'text'), ('hasnt', 'text')) k (kind, want) loop
    execute format($f$
      create or replace function %1$s(text, %2$s, text) returns text language plpgsql as $t$
      begin
        perform @extschema@._keep('__taphave__', $1);
        perform @extschema@._keep('__tapwant__', $2);
        return %3$s;
      end
      $t$;
      create or replace function %1$s(text, %2$s) returns text language sql as $t$ select @extschema@.%1$s($1, $2, null::text) $t$;
      $f$, t.name, t.want, t.verdict);
  end loop;
end
$$;

create or replace function is_empty(text, text) returns text
  language plpgsql
  as $$
  declare
    one record;
    unexpected text[];
  begin
    for one in execute @extschema@._statement($1) loop
      unexpected := unexpected || ('    ' || one::text);
    end loop;
    return @extschema@._ok(unexpected is null, $2, @extschema@._lines('Unexpected records', unexpected));
  end
  $$;
create or replace function is_empty(text) returns text language sql as $$ select @extschema@.is_empty($1, null) $$;
create or replace function isnt_empty(text, text) returns text
  language plpgsql
  as $$
  declare
    one record;
  begin
    for one in execute @extschema@._statement($1) loop
      return @extschema@.ok(true, $2);
    end loop;
    return @extschema@.ok(false, $2);
  end
  $$;
create or replace function isnt_empty(text) returns text language sql as $$ select @extschema@.isnt_empty($1, null) $$;
create or replace function row_eq(text, anyelement, text) returns text
  language plpgsql
  as $$
  declare
    have record;
    rows integer;
  begin
    execute @extschema@._statement($1) into have;
    get diagnostics rows = row_count;
    return @extschema@._ok(have is not distinct from $2, $3, @extschema@._have_want(case when rows > 0 then have::text end, $2::text));
  exception when datatype_mismatch then
    return @extschema@._ok(false, $3, e'    Number of columns or their types differ between the queries:\n' || @extschema@._have_want(have::text, $2::text) || e'\n        ERROR: ' || sqlerrm);
  end
  $$;
create or replace function row_eq(text, anyelement) returns text language sql as $$ select @extschema@.row_eq($1, $2, null) $$;
