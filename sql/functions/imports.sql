-- An import of the caller, an admin. Errors: 404 import_not_found; 409 import_not_ready if it is in no state of p_states.
create or replace function private.own_import(p_import uuid, variadic p_states text[]) returns private.business_imports
  language plpgsql
  set search_path = ''
  as $$
  declare
    found_one private.business_imports;
  begin
    perform private.require_admin();
    select * into found_one from private.business_imports i where i.id = p_import and i.created_by = auth.uid();
    if found_one.id is null then
      perform private.fail(404, 'import_not_found', 'This import no longer exists');
    elsif found_one.state <> all (p_states) then
      perform private.fail(409, 'import_not_ready', format('This import is %s', found_one.state));
    end if;
    return found_one;
  end
  $$;
revoke execute on function private.own_import(uuid, text[]) from public, anon, authenticated;

-- Removes imports with their staged rows: those of one admin, or all that are older than a day. Bounded: the rest is left
-- to the next call.
create or replace function private.remove_old_imports(p_of uuid default null) returns integer
  language sql security definer
  set search_path = ''
  as $$
    with removed as (
      delete from private.business_imports i where i.id in (
        select o.id from private.business_imports o
        where o.state <> 'queued' and (o.created_by = p_of or p_of is null and o.created_at < now() - interval '1 day')
        order by o.created_at limit 20 for update skip locked)
      returning 1)
    select count(*)::integer from removed
  $$;
revoke execute on function private.remove_old_imports(uuid) from public, anon, authenticated;
grant execute on function private.remove_old_imports(uuid) to service_role;

-- Begins an import, in place of the caller's former one. Errors: 409 import_running.
create or replace function public.admin_begin_import(p_file_name text) returns uuid
  language plpgsql security definer
  set search_path = '' set statement_timeout = '60s'
  as $$
  declare
    id uuid;
  begin
    perform private.require_admin();
    perform private.lock('import.' || auth.uid());
    if exists (select from private.business_imports i where i.created_by = auth.uid() and i.state = 'queued') then
      perform private.fail(409, 'import_running', 'Your last import is still running');
    end if;
    perform private.remove_old_imports(auth.uid());
    insert into private.business_imports as i (created_by, file_name)
    values (auth.uid(), coalesce(nullif(left(btrim(p_file_name), 200), ''), 'file.csv')) returning i.id into id;
    return id;
  end
  $$;
revoke execute on function public.admin_begin_import(text) from public, anon;

-- Stages some rows of a file, up to 1,000 of its 50,000: each is its number and its texts, in the order of p_columns. A
-- repeated call changes nothing. Errors: 422 import_columns, import_too_large.
create or replace function public.admin_stage_import(p_import uuid, p_columns text[], p_rows jsonb) returns void
  language plpgsql security definer
  set search_path = '' set statement_timeout = '60s'
  as $$
  declare
    most_rows constant integer := 1000;
    last_line constant integer := 50001;
  begin
    perform private.own_import(p_import, 'staging');
    if cardinality(p_columns) = 0 or not p_columns <@ private.import_columns()
        or (select count(distinct c) from unnest(p_columns) as c) <> cardinality(p_columns) then
      perform private.fail(422, 'import_columns', 'The columns are not those of an import');
    elsif jsonb_typeof(p_rows) <> 'array' or jsonb_array_length(p_rows) > most_rows or octet_length(p_rows::text) > 16000000 or exists (
        select from jsonb_array_elements(p_rows) as r
        where case when r ->> 0 ~ '^[0-9]{1,6}$' then (r ->> 0)::integer not between 2 and last_line else true end) then
      perform private.fail(422, 'import_too_large', 'A file has up to 50,000 rows, which are staged by up to 1,000');
    elsif jsonb_array_length(p_rows) > 0 then
      perform private.stage_import_rows(p_import, p_columns, p_rows);
    end if;
  end
  $$;
revoke execute on function public.admin_stage_import(uuid, text[], jsonb) from public, anon;

-- Ends the staging: counts rows with faults and duplicates. May be repeated, since businesses are added meanwhile.
create or replace function public.admin_check_import(p_import uuid) returns void
  language plpgsql security definer
  set search_path = '' set statement_timeout = '60s'
  as $$
  begin
    perform private.own_import(p_import, 'staging', 'checked', 'failed');
    update private.business_imports i set state = 'checked', error = null, attempts = 0 where i.id = p_import;
    perform private.count_import(p_import);
  end
  $$;
revoke execute on function public.admin_check_import(uuid) from public, anon;

-- Lets the server import the rows without faults; duplicates, too, unless they are skipped. Errors: 422
-- nothing_to_import.
create or replace function public.admin_run_import(p_import uuid, p_skip_duplicates boolean) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    wanted private.business_imports := private.own_import(p_import, 'checked');
  begin
    if wanted.ready + (case when p_skip_duplicates then 0 else wanted.duplicates end) = 0 then
      perform private.fail(422, 'nothing_to_import', 'No row can be imported');
    end if;
    update private.business_imports i set state = 'queued', skip_duplicates = p_skip_duplicates, attempts = 0, error = null where i.id = p_import;
  end
  $$;
revoke execute on function public.admin_run_import(uuid, boolean) from public, anon;

-- Removes the caller's import and its staged rows. Errors: 409 import_running.
create or replace function public.admin_discard_import(p_import uuid) returns void
  language plpgsql security definer
  set search_path = '' set statement_timeout = '60s'
  as $$
  begin
    perform private.own_import(p_import, 'staging', 'checked', 'queued', 'done', 'failed');
    perform from private.business_imports i where i.id = p_import for update skip locked;
    if not found then
      perform private.fail(409, 'import_running', 'This import is running');
    end if;
    delete from private.business_imports i where i.id = p_import;
  end
  $$;
revoke execute on function public.admin_discard_import(uuid) from public, anon;

-- The caller's last import. done is the number of rows so far, while it runs.
create or replace function public.admin_import()
  returns table (id uuid, file_name text, state text, total integer, ready integer, faulty integer, duplicates integer, skip_duplicates boolean,
    imported integer, done integer, error text, created_at timestamptz)
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select i.id, i.file_name, i.state, i.total, i.ready, i.faulty, i.duplicates, i.skip_duplicates, i.imported,
        case when i.state = 'queued' and p.last_value / 1000000 = i.number then p.last_value % 1000000 else 0 end::integer,
        i.error, i.created_at
      from private.business_imports i, private.import_progress p
      where i.created_by = auth.uid()
      order by i.created_at desc limit 1;
  end
  $$;
revoke execute on function public.admin_import() from public, anon;

-- A file's ratings as a business's rating_sources; null if there are none.
create or replace function private.imported_ratings(p_source text, p_rating numeric, p_count integer) returns jsonb
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case when p_rating is not null and p_count > 0 then
      jsonb_build_array(jsonb_build_object('source', left(p_source, 100), 'rating', p_rating, 'count', least(p_count, 10000000))) end
  $$;
revoke execute on function private.imported_ratings(text, numeric, integer) from public, anon, authenticated;

-- Inserts the rows of an import and returns their number. Batches are in the order of directory_counts' key, so that two
-- writers cannot deadlock.
create or replace function private.insert_import(p_import private.business_imports) returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    batch constant integer := 2500;
    inserted integer;
  begin
    perform private.count_import(p_import.id);
    create temporary table import_plan on commit drop as
      select n.*, case
          when n.same_base = 1 and not exists (select from public.businesses b where b.slug = n.base)
            and not exists (select from public.business_former_slugs f where f.slug = n.base) then n.base
          else private.numbered_slug(n.base, n.display_id) end as slug
      from (
        select r.line, private.company_slug(r.business ->> 'name') as base,
          private.display_id('B-', nextval('private.business_display_ids')) as display_id,
          row_number() over (partition by private.company_slug(r.business ->> 'name') order by r.line) as same_base,
          row_number() over (order by coalesce(r.business ->> 'city_slug', ''), coalesce(r.business ->> 'category_code', ''), r.line) as place
        from private.import_rows r
        where r.import_id = p_import.id and (r.state = 'ready' or r.state = 'duplicate' and not p_import.skip_duplicates)
      ) as n;
    -- Without statistics the planner compares every row of the batch with every row of the file.
    create unique index on pg_temp.import_plan (place);
    analyze pg_temp.import_plan (place), private.import_rows (import_id, line);
    inserted := (select count(*) from pg_temp.import_plan);
    for so_far in 0 .. inserted by batch loop
      perform setval('private.import_progress', p_import.number * 1000000 + so_far);
      insert into public.businesses (slug, display_id, name, type, location, address, phone, website, image_url, latitude, longitude, hours, amenities,
        description, tagline, company_values, languages, types, weekday_text, rating, user_ratings_total, combined_rating, rating_sources, source,
        category_code, city_slug, time_zone, open_week, search_document)
      select p.slug, p.display_id, b.name, b.type, b.location, b.address, b.phone, b.website, b.image_url, b.latitude, b.longitude, b.hours, b.amenities,
        b.description, b.tagline, b.company_values, b.languages, b.types, b.weekday_text, b.rating, b.user_ratings_total,
        -- Ratings of the file count beside those that are written here.
        case when b.user_ratings_total > 0 then b.rating end, private.imported_ratings(b.source, b.rating, b.user_ratings_total), b.source,
        k.category_code, c.slug, b.time_zone, b.open_week,
        -- Made anew if its category or city was removed since.
        case when k.category_code is not null and (c.slug is not null or b.city_slug is null) then r.search_document else '' end
      -- Read as one list: for each row, most of the time would be the start of the function.
      from jsonb_populate_recordset(null::public.businesses, (
          select jsonb_agg(private.import_defaults() || s.business order by q.place)
          from pg_temp.import_plan q join private.import_rows s on s.import_id = p_import.id and s.line = q.line
          where q.place > so_far and q.place <= so_far + batch)) with ordinality as b
      join pg_temp.import_plan p on p.place = so_far + b.ordinality
      join private.import_rows r on r.import_id = p_import.id and r.line = p.line
      left join public."categories-plaza" k on k.category_code = b.category_code
      left join public.cities c on c.slug = b.city_slug
      order by p.place;
    end loop;
    return inserted;
  end
  $$;
revoke execute on function private.insert_import(private.business_imports) from public, anon, authenticated;

-- Runs the next import, if there is one: all of it, or nothing. One runs at a time. It is repeated twice after an error,
-- such as a slug that somebody else has taken meanwhile. The audit log gets one entry for it.
create or replace function private.run_next_import() returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    most_attempts constant integer := 3;
    next_one private.business_imports;
    inserted integer;
  begin
    if not pg_try_advisory_xact_lock(hashtextextended('plaza.imports', 0)) then
      return false;
    end if;
    select * into next_one from private.business_imports i where i.state = 'queued' order by i.number limit 1 for update skip locked;
    if next_one.id is null then
      return false;
    end if;
    perform set_config('plaza.seeding', 'on', true);
    begin
      inserted := private.insert_import(next_one);
      update private.business_imports i set state = 'done', imported = inserted, error = null where i.id = next_one.id;
      insert into public.audit_logs (user_id, table_name, action, record_id, new_data)
      select next_one.created_by, 'businesses', 'INSERT', next_one.id::text, jsonb_build_object('source', 'CSV-upload', 'file', next_one.file_name,
        'rows', inserted, 'from', min(p.display_id), 'to', max(p.display_id)) from pg_temp.import_plan p;
      delete from private.import_rows r using pg_temp.import_plan p where r.import_id = next_one.id and r.line = p.line;
      drop table pg_temp.import_plan;
    exception when others then
      update private.business_imports i
      set attempts = i.attempts + 1, error = left(sqlerrm, 1000), state = case when i.attempts + 1 >= most_attempts then 'failed' else i.state end
      where i.id = next_one.id;
    end;
    return true;
  end
  $$;
revoke execute on function private.run_next_import() from public, anon, authenticated;
grant execute on function private.run_next_import() to service_role;
