-- The columns that a file can have; those without a default are required in each row.
create or replace function private.import_columns() returns text[]
  language sql immutable parallel safe
  as $$
    select array['name', 'type', 'location', 'address', 'phone', 'website', 'image_url', 'latitude', 'longitude', 'hours', 'amenities',
      'description', 'tagline', 'company_values', 'languages', 'types', 'weekday_text', 'rating', 'user_ratings_total']
  $$;

-- The JSON value of a text for a column of this type; null if it is none. Lists are separated by |, numbers may have a
-- decimal comma.
create or replace function private.import_value(p_column text, p_type text, p_text text) returns jsonb
  language plpgsql immutable parallel safe
  as $$
  begin
    case
      when p_type = 'integer' then
        return case when p_text ~ '^\d{1,9}$' then to_jsonb(p_text::integer) end;
      when p_type like 'numeric%' then
        -- Kept within what the type can hold: the constraint refuses it.
        return case when p_text ~ '^[+-]?\d{1,9}([.,]\d{1,15})?$' then to_jsonb(greatest(least(replace(p_text, ',', '.')::numeric, 9), -9)) end;
      when p_type = 'double precision' then
        return case when p_text ~ '^[+-]?\d{1,9}([.,]\d{1,20})?$' then to_jsonb(replace(p_text, ',', '.')::double precision) end;
      when p_type = 'text[]' then
        return (select jsonb_agg(btrim(one)) from unnest(string_to_array(p_text, '|')) as one where btrim(one) <> '');
      when p_column = 'amenities' and p_text !~ '^\[' then
        return (select jsonb_agg(jsonb_build_object('name', btrim(one), 'category', 'custom', 'available', true))
          from unnest(string_to_array(p_text, '|')) as one where btrim(one) <> '');
      when p_type = 'jsonb' and p_text ~ '^[{[]' then
        return p_text::jsonb;
      else
        return to_jsonb(p_text);
    end case;
  exception when invalid_text_representation or untranslatable_character then
    return null;
  end
  $$;

-- A query that lists the faults of the businesses in the array $1, made from the constraints of the table: for each, an
-- array of {field, code, text}, in their order.
create or replace function private.import_faults_query() returns text
  language sql stable
  set search_path = ''
  as $$
    select format($query$
        select jsonb_agg((select coalesce(jsonb_agg(fault), '[]') from unnest(array[%s]::jsonb[]) as fault where fault is not null) order by place_in_list)
        from unnest($1) with ordinality as businesses (%s, place_in_list)$query$,
      string_agg(format('case when not (%s) then %L::jsonb end', rule, jsonb_build_object('field', field, 'code', code, 'text', text)), ', ' order by field, code),
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_catalog.pg_attribute a
        where a.attrelid = 'public.businesses'::regclass and a.attnum > 0 and not a.attisdropped))
    from (
      select pg_catalog.pg_get_expr(k.conbin, k.conrelid) as rule, a.attname as field, k.conname as code,
        coalesce(pg_catalog.obj_description(k.oid, 'pg_constraint'), 'This is not allowed') as text
      from pg_catalog.pg_constraint k join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.conrelid = 'public.businesses'::regclass and k.contype = 'c' and a.attname = any (private.import_columns())
      union all
      select format('%I is not null', a.attname), a.attname, 'missing', 'This is required'
      from pg_catalog.pg_attribute a
      where a.attrelid = 'public.businesses'::regclass and a.attnotnull and not a.atthasdef and a.attname = any (private.import_columns())
    ) rules
  $$;

-- What two rows of the same name and city need to be the same business: no coordinates, or near ones (about 250 m).
create or replace function private.are_near(lat1 double precision, lon1 double precision, lat2 double precision, lon2 double precision) returns boolean
  language sql immutable parallel safe
  as $$
    select coalesce(lat1, 0) = 0 and coalesce(lon1, 0) = 0 or coalesce(lat2, 0) = 0 and coalesce(lon2, 0) = 0
      or (abs(lat1 - lat2) < 0.00225 and abs(lon1 - lon2) * cos(radians(lat1)) < 0.00225)
  $$;

-- The defaults of the columns that a file leaves out. Slug and search document are not made here: they have values so
-- that derive_business leaves them alone.
create or replace function private.import_defaults() returns jsonb
  language sql immutable parallel safe
  as $$
    select jsonb_build_object('slug', 'import', 'id', '00000000-0000-0000-0000-000000000000',
      'amenities', '[]'::jsonb, 'latitude', 0, 'longitude', 0, 'user_ratings_total', 0, 'time_zone', 'Europe/Madrid', 'search_document', 'later',
      'source', 'CSV-upload')
  $$;

-- The business that a row of a file describes.
create or replace function private.imported_business(p_values jsonb) returns public.businesses
  language sql stable
  set search_path = ''
  as $$
    select jsonb_populate_record(null::public.businesses, private.import_defaults() || p_values)
  $$;

-- Converts the texts of a file's rows; one that is not a value of its column is a fault. Each element of p_rows is the
-- row's number and its texts, in the order of p_columns.
create or replace function private.read_import_rows(p_columns text[], p_rows jsonb)
  returns table (line integer, fields jsonb, "values" jsonb, faults jsonb)
  language sql stable
  set search_path = ''
  as $$
    with columns as materialized (
      select c.place::integer, a.attname::text as name, pg_catalog.format_type(a.atttypid, a.atttypmod) as type
      from unnest(p_columns) with ordinality as c (name, place)
      join pg_catalog.pg_attribute a on a.attrelid = 'public.businesses'::regclass and a.attname = c.name
    )
    select (given ->> 0)::integer, read.*
    from jsonb_array_elements(p_rows) as given, lateral (
      select coalesce(jsonb_object_agg(name, text), '{}'), coalesce(jsonb_object_agg(name, value) filter (where value is not null), '{}'),
        coalesce(jsonb_agg(jsonb_build_object('field', name, 'code', 'wrong_type', 'text',
          case when type = 'integer' then 'This is not a whole number' when type = 'jsonb' then 'This cannot be read' else 'This is not a number' end))
          filter (where value is null), '[]')
      from (
        select name, type, text, private.import_value(name, type, text) as value
        from (select c.*, nullif(btrim(given ->> c.place, E' \t\r\n\u00a0'), '') as text from columns c) as cell
        where text is not null
        offset 0 -- each value is made once
      ) as converted
    ) as read
  $$;

-- Stages rows with their faults. What follows from a row without faults is made here, because it takes most of an
-- import's time and needs no lock.
create or replace function private.stage_import_rows(p_import uuid, p_columns text[], p_rows jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    lines integer[];
    given jsonb[];
    converted jsonb[];
    unread jsonb[];
    businesses public.businesses[];
    broken jsonb;
  begin
    select array_agg(r.line), array_agg(r.fields), array_agg(r.values), array_agg(r.faults), array_agg(private.imported_business(r.values))
    into lines, given, converted, unread, businesses
    from private.read_import_rows(p_columns, p_rows) r;
    execute private.import_faults_query() into broken using businesses;

    insert into private.import_types (import_id, type, category_code)
    select p_import, type, public.map_business_type_to_category(type)
    from (select distinct v ->> 'type' as type from unnest(converted) as v where char_length(v ->> 'type') <= 100) as used
    where not exists (select from private.import_types t where t.import_id = p_import and t.type = used.type)
    order by type
    on conflict do nothing;

    with made as materialized (
      select line, fields, faults, "values", case when faults = '[]' then private.derive_business(private.imported_business("values"), null) end as business
      from (
        select u.line, u.fields, u.unread || (broken -> (u.place::integer - 1)) as faults,
          u.converted || coalesce(jsonb_build_object('category_code', t.category_code), '{}')
            || jsonb_build_object('city_slug', c.slug, 'time_zone', c.time_zone) as "values"
        from unnest(lines, given, converted, unread) with ordinality as u (line, fields, converted, unread, place)
        left join private.import_types t on t.import_id = p_import and t.type = u.converted ->> 'type'
        left join lateral private.city_in(concat_ws(', ', u.converted ->> 'address', u.converted ->> 'location')) as c on true
      ) as checked
    )
    insert into private.import_rows (import_id, line, fields, faults, business, search_document, name_key, place_key)
    select p_import, line, fields, faults,
      "values" || jsonb_build_object('city_slug', (business).city_slug, 'category_code', (business).category_code, 'time_zone', (business).time_zone,
        'open_week', (business).open_week),
      d.document, private.normalize((business).name), coalesce((business).city_slug, private.normalize((business).location))
    from made left join lateral private.documents(made.business) as d on made.faults = '[]'
    on conflict do nothing;
  end
  $$;
revoke execute on function private.stage_import_rows(uuid, text[], jsonb) from public, anon, authenticated;

-- Marks the rows that are the same business as an earlier row or as one that exists, and counts the rows by state.
create or replace function private.count_import(p_import uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update private.import_rows r set duplicate_line = found.line, duplicate_business = found.business
    from (
      select o.line as at,
        (select e.line from private.import_rows e
          where e.import_id = p_import and e.name_key = o.name_key and e.place_key = o.place_key and e.line < o.line and e.faults = '[]'
            and private.are_near((e.business ->> 'latitude')::double precision, (e.business ->> 'longitude')::double precision,
              (o.business ->> 'latitude')::double precision, (o.business ->> 'longitude')::double precision)
          order by e.line limit 1) as line,
        (select b.id from public.businesses b
          where private.normalize(b.name) = o.name_key and coalesce(b.city_slug, private.normalize(b.location)) = o.place_key
            and private.are_near(b.latitude, b.longitude, (o.business ->> 'latitude')::double precision, (o.business ->> 'longitude')::double precision)
          limit 1) as business
      from private.import_rows o where o.import_id = p_import and o.faults = '[]'
    ) as found
    where r.import_id = p_import and r.line = found.at
      and (r.duplicate_line, r.duplicate_business) is distinct from (found.line, found.business);

    update private.business_imports i set total = c.total, ready = c.ready, faulty = c.faulty, duplicates = c.duplicates
    from (
      select count(*) as total, count(*) filter (where state = 'ready') as ready, count(*) filter (where state = 'faulty') as faulty,
        count(*) filter (where state = 'duplicate') as duplicates
      from private.import_rows r where r.import_id = p_import
    ) as c
    where i.id = p_import;
  end
  $$;
revoke execute on function private.count_import(uuid) from public, anon, authenticated;
