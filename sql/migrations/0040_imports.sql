-- Imports of businesses from a CSV file (source CSV-upload). The rows of a file are staged and checked here, then become
-- businesses in one transaction.
create table private.business_imports (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  created_by uuid references private.profiles (id) on delete cascade,
  created_at timestamptz not null default now(),
  file_name text not null constraint business_imports_file_name_size check (char_length(file_name) between 1 and 200),
  state text not null default 'staging' constraint business_imports_state_check check (state in ('staging', 'checked', 'queued', 'done', 'failed')),
  total integer not null default 0,
  ready integer not null default 0,
  faulty integer not null default 0,
  duplicates integer not null default 0,
  skip_duplicates boolean not null default true,
  imported integer not null default 0,
  attempts smallint not null default 0,
  error text constraint business_imports_error_size check (char_length(error) <= 1000)
);
create index business_imports_created_by_idx on private.business_imports (created_by, created_at desc);
create index business_imports_queued_idx on private.business_imports (number) where state = 'queued';

create table private.import_rows (
  import_id uuid not null references private.business_imports (id) on delete cascade,
  -- As a spreadsheet numbers it: the header is row 1.
  line integer not null constraint import_rows_line_check check (line between 2 and 1000000),
  fields jsonb not null constraint import_rows_fields_size check (octet_length(fields::text) <= 262144),
  faults jsonb not null default '[]' constraint import_rows_faults_size check (octet_length(faults::text) <= 65536),
  duplicate_line integer,
  duplicate_business uuid,
  state text not null generated always as (
    case when faults <> '[]' then 'faulty' when duplicate_line is not null or duplicate_business is not null then 'duplicate' else 'ready' end) stored,
  -- Made from the fields when they are staged, as it takes most of an import's time and needs no lock.
  business jsonb constraint import_rows_business_size check (octet_length(business::text) <= 262144),
  search_document tsvector,
  name_key text constraint import_rows_name_key_size check (char_length(name_key) <= 400),
  place_key text constraint import_rows_place_key_size check (char_length(place_key) <= 800),
  primary key (import_id, line)
);
create index import_rows_state_idx on private.import_rows (import_id, state, line);
create index import_rows_name_idx on private.import_rows (import_id, name_key, place_key, line);
comment on column private.import_rows.faults is '[{"field": column, "code": constraint or reason, "text": text}]';

-- The category of each type in a file: finding it costs more than all else of a row.
create table private.import_types (
  import_id uuid not null references private.business_imports (id) on delete cascade,
  type text not null constraint import_types_type_size check (char_length(type) <= 100),
  category_code text not null constraint import_types_category_code_size check (char_length(category_code) <= 100),
  primary key (import_id, type)
);

-- How far the running import is: its number times a million, and its rows so far. A sequence, as its value can be read
-- before the transaction has ended.
create sequence private.import_progress minvalue 0 start 0;

-- Finds the businesses with the name and place of an imported row.
create index businesses_name_place_idx on public.businesses (private.normalize(name), coalesce(city_slug, private.normalize(location)));

-- What the rules say, for whoever breaks one.
comment on constraint businesses_name_check on public.businesses is 'A name has 2 to 100 characters, without < and >';
comment on constraint businesses_name_size on public.businesses is 'A name has 2 to 100 characters';
comment on constraint businesses_type_check on public.businesses is 'A type has 2 to 100 characters';
comment on constraint businesses_type_size on public.businesses is 'A type has 2 to 100 characters';
comment on constraint businesses_location_check on public.businesses is 'A location has 2 to 200 characters';
comment on constraint businesses_location_size on public.businesses is 'A location has 2 to 200 characters';
comment on constraint businesses_address_check on public.businesses is 'An address has 5 to 200 characters';
comment on constraint businesses_phone_check on public.businesses is 'A phone number has 7 to 15 digits, with spaces, dashes, brackets and one leading plus';
comment on constraint businesses_website_check on public.businesses is 'A website is a public address that begins with http:// or https://';
comment on constraint businesses_image_url_check on public.businesses is 'A picture is an address that begins with http:// or https://';
comment on constraint businesses_latitude_check on public.businesses is 'A latitude is between -90 and 90';
comment on constraint businesses_longitude_check on public.businesses is 'A longitude is between -180 and 180';
comment on constraint businesses_hours_check on public.businesses is 'Hours are a text of up to 1,000 characters, or an object with structured weekdays';
comment on constraint businesses_amenities_check on public.businesses is 'Amenities are up to 60 different names of up to 60 characters';
comment on constraint businesses_description_size on public.businesses is 'A description has up to 20,000 characters';
comment on constraint businesses_tagline_check on public.businesses is 'A tagline has up to 160 characters';
comment on constraint businesses_company_values_check on public.businesses is 'There are up to 30 values';
comment on constraint businesses_company_values_size on public.businesses is 'There are up to 30 values of up to 100 characters';
comment on constraint businesses_languages_check on public.businesses is 'There are up to 30 languages';
comment on constraint businesses_languages_size on public.businesses is 'There are up to 30 languages of up to 50 characters';
comment on constraint businesses_types_check on public.businesses is 'There are up to 30 types';
comment on constraint businesses_types_size on public.businesses is 'There are up to 30 types of up to 100 characters';
comment on constraint businesses_weekday_text_check on public.businesses is 'There are up to 7 lines of opening hours';
comment on constraint businesses_weekday_text_size on public.businesses is 'There are up to 7 lines of opening hours of up to 200 characters';
comment on constraint businesses_rating_check on public.businesses is 'A rating is between 0 and 5';
comment on constraint businesses_user_ratings_total_check on public.businesses is 'A number of ratings is not negative';

-- The search document as a function of a FROM clause, which a query of many businesses inlines: as a function of one
-- row, most of its time is the start of its plan. Without a search_path, which prevents that; its names are qualified.
create function private.documents(b public.businesses) returns table (document tsvector)
  language sql stable parallel safe
  as $$
    select coalesce(string_agg(quote_literal(word) || place, ' '), '')::tsvector
    from (
      select unnest(private.words(b.name)), ':1A'
      union all select unnest(private.words(b.type)), ':2B'
      union all select unnest(private.words(s.name)), ':3C' from public.services s where s.business_id = b.id
      union all select unnest(private.words(a ->> 'name')), ':4D'
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a) where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'a/' || private.slugify(a ->> 'name'), ''
        from jsonb_array_elements(case when jsonb_typeof(b.amenities) = 'array' then b.amenities else '[]' end) as each (a)
        where coalesce(a ->> 'available', 'true') = 'true'
      union all select 'l/' || unnest(private.words(concat_ws(' ', b.location, b.address))), ''
      union all select 'c/' || unnest(array[k.category_code, k.parent_category]), ''
        from public."categories-plaza" k where k.category_code = b.category_code
      union all select 'p/' || unnest(array[c.slug, c.part_of]), '' from public.cities c where c.slug = b.city_slug
      union all select 'd/' || day, '' from generate_series(1, 7) as day where b.last_slots[day] is not null
      union all select 'v/' || private.price_step(min(s.price)), '' from public.services s where s.business_id = b.id
      union all select 'h/all', '' where b.open_week @> int4range(0, 10080)
      union all select 'h/' || block, ''
        from unnest(b.open_week) as open,
          lateral (select case b.time_zone when 'Atlantic/Canary' then 60 else 0 end as later) clock,
          lateral (select generate_series((lower(open) + later) / 180, (upper(open) - 1 + later) / 180) % 56 as block) part
        where not b.open_week @> int4range(0, 10080)
      union all select private.square(b.latitude, b.longitude, level), ''
        from generate_series(0, 2) as level where b.latitude <> 0 or b.longitude <> 0
    ) as each (word, place)
    where word is not null
  $$;
create or replace function private.search_document(b public.businesses) returns tsvector
  language sql stable parallel safe
  set search_path = ''
  as $$ select document from private.documents(b) $$;
