-- What filters and sorts of a search read of a business, kept by triggers, the towns that searches may name beside
-- public.cities, and the searches whose users are told when somebody is found.
alter table public.businesses
  add column price_from numeric(10, 2),
  add column open_week int4multirange,
  add column last_slots smallint[] constraint businesses_last_slots_size check (octet_length(last_slots::text) <= 100);
comment on column public.businesses.price_from is 'The lowest price of its services; null without any. By trigger.';
comment on column public.businesses.open_week is
  'The minutes of a week since Monday 0:00 in which it is open by its hours; null where they are unknown. By trigger.';
comment on column public.businesses.last_slots is
  'Of Monday to Sunday the last slot of 30 minutes that hours and availability allow, in minutes of the day; null without an owner. By trigger.';

-- The same as private.hours_of_day for each day of a week, in one pass.
create function private.open_week(hours jsonb) returns int4multirange
  language sql immutable parallel safe
  as $$
    select case when jsonb_typeof(hours -> 'structured') = 'object' then coalesce((
      select range_agg(int4range(greatest(opens - week, 0), least(opens + lasts - week, 10080)))
      from jsonb_each(hours -> 'structured') as one (weekday, entry),
        lateral (select array_position(array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], weekday) - 1 as day,
          extract(epoch from coalesce(entry ->> 'open', '09:00')::time)::integer / 60 as starts,
          extract(epoch from coalesce(entry ->> 'close', '17:00')::time)::integer / 60 as ends offset 0) clock,
        lateral (select 1440 * day + starts as opens, case when ends > starts then ends - starts else ends - starts + 1440 end as lasts) times,
        -- Sunday night reaches over into Monday.
        lateral (values (0), (10080)) as weeks (week)
      where jsonb_typeof(entry) = 'object' and coalesce((entry ->> 'isOpen')::boolean, true) and not coalesce((entry ->> 'closed')::boolean, false)
        and opens + lasts > week), '{}') end
  $$;

-- The last slot of each weekday, as private.slots has them, that is neither closed nor unavailable. Read after open_week.
create function private.last_slots(b public.businesses) returns smallint[]
  language plpgsql stable parallel safe
  as $$
  declare
    has_week boolean;
    its_week int4multirange;
    allowed int4multirange;
  begin
    if b.owner_id is null then
      return null;
    end if;
    select count(*) > 0, coalesce(range_agg(int4range(
        1440 * day + extract(epoch from (one ->> 'start')::time)::integer / 60,
        1440 * day + extract(epoch from (one ->> 'end')::time)::integer / 60)) filter (where one is not null), '{}')
    into has_week, its_week
    from public.business_availability a
    cross join lateral (select array_position(
      array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'], a.weekday) - 1 as day) known
    left join lateral jsonb_array_elements(a.slots) as one on a.is_open
    where a.business_id = b.id;
    -- Without hours and a week, those of private.default_hours.
    allowed := coalesce(b.open_week, case when has_week then int4multirange(int4range(0, 10080))
      else '{[540,1020),[1980,2460),[3420,3900),[4860,5340),[6300,6780)}'::int4multirange end);
    if has_week then
      allowed := allowed * its_week;
    end if;
    return array(
      select (select max(slot) from generate_series(540, 1050, 30) as slot where allowed @> int4range(1440 * day + slot, 1440 * day + slot + 30))
      from generate_series(0, 6) as day
      order by day);
  end
  $$;

-- Filters are words of documents, too, so that the search index leaves out most who cannot pass. They need not be exact:
-- d/ weekdays with a slot, v/ the step of the lowest price, h/ hours of the week (from 0) with an open minute, without
-- those in which most are open, or all, g/ squares of 1, 1/8 and 1/64 degree.

create function private.price_step(price numeric) returns integer
  language sql immutable strict parallel safe
  as $$
    select width_bucket(price, array[5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, 1000]::numeric[])
  $$;

create function private.square(latitude double precision, longitude double precision, level integer) returns text
  language sql immutable parallel safe
  as $$
    select 'g/' || level || to_hex(floor((latitude + 90) * 8 ^ level)::integer * 25000 + floor((longitude + 180) * 8 ^ level)::integer)
  $$;

create or replace function private.search_document(b public.businesses) returns tsvector
  language sql stable parallel safe
  set search_path = ''
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
        from unnest(b.open_week) as open, generate_series(lower(open) / 180, (upper(open) - 1) / 180) as block
        where not b.open_week @> int4range(0, 10080)
      union all select private.square(b.latitude, b.longitude, level), ''
        from generate_series(0, 2) as level where b.latitude <> 0 or b.longitude <> 0
    ) as each (word, place)
    where word is not null
  $$;
comment on column public.businesses.search_document is
  'Words by weight: A name, B type, C services, D amenities; l/ words of location and address; a/ amenities, c/ categories, p/ places, d/ v/ h/ g/ what filters ask. By trigger.';

-- One pass over all rows, without the index that costs most to write. Nothing else follows from it, and nobody has changed them.
drop index public.businesses_search_document_idx;
alter table public.businesses disable trigger user;
create function private.fill_business() returns trigger
  language plpgsql
  as $$
  begin
    new.price_from := (select min(s.price) from public.services s where s.business_id = new.id);
    new.open_week := private.open_week(new.hours);
    new.last_slots := private.last_slots(new);
    new.search_document := private.search_document(new);
    return new;
  end
  $$;
create trigger fill before update on public.businesses for each row execute function private.fill_business();
update public.businesses set id = id;
drop trigger fill on public.businesses;
drop function private.fill_business();
alter table public.businesses enable trigger user;

create index businesses_search_document_idx on public.businesses using gin (search_document);
create index businesses_price_idx on public.businesses (price_from, ranking desc, created_at desc);

-- A point of the earth in space, in kilometres: the nearer in a straight line, the nearer along the ground.
create extension if not exists cube schema extensions;
create function private.earth(latitude double precision, longitude double precision) returns extensions.cube
  language sql immutable strict parallel safe
  as $$
    select extensions.cube(array[6371 * cosd(latitude) * cosd(longitude), 6371 * cosd(latitude) * sind(longitude), 6371 * sind(latitude)])
  $$;
create index businesses_earth_idx on public.businesses using gist (private.earth(latitude, longitude));

-- Towns of Spain and Andorra. Nobody is found in a town that is none of public.cities, but it has a place on the map.
create table public.towns (
  slug text primary key check (slug = private.slugify(slug) and char_length(slug) <= 50),
  name text not null check (char_length(name) between 1 and 100),
  country text not null check (country in ('Spain', 'Andorra')),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  population integer not null check (population >= 0),
  aliases text[] not null default '{}' check (private.are_short_texts(aliases, 10, 100)),
  spellings text[] not null generated always as (private.normalize_all(aliases || array[name, slug])) stored
);
create index towns_spellings_idx on public.towns using gin (spellings);
comment on table public.towns is 'From GeoNames (geonames.org), CC BY 4.0.';
comment on column public.towns.spellings is 'All spellings as they are compared.';

-- A search with all that it asks for, checked by private.search_of, and how it is understood, by private.understood.
-- Not asked is null, of open_now false.
create type private.search as (
  find_desc text,
  find_loc text,
  category text,
  with_amenities text[],
  min_rating numeric,
  open_now boolean,
  free_on date,
  min_price numeric,
  max_price numeric,
  latitude double precision,
  longitude double precision,
  within_km double precision,
  bounds double precision[],
  sort_by text,
  -- The minute of the week that it is in the Canary Islands and elsewhere.
  canary_minute integer,
  minute integer,
  -- The places and categories meant; the query of all that is asked, filters as far as words of documents tell; that of
  -- the text beside places and categories; that of the text as the best results have it; whether it is broad.
  slugs text[],
  codes text[],
  query tsquery,
  rest tsquery,
  strict tsquery,
  is_broad boolean
);

-- "Tell me when there is one."
create table public.search_alerts (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  find_desc text check (char_length(find_desc) <= 100),
  find_loc text check (char_length(find_loc) <= 100),
  category text check (char_length(category) <= 100),
  created_at timestamptz not null default now(),
  notified_at timestamptz,
  is_due boolean not null default true,
  constraint search_alerts_asks check (
    coalesce(private.normalize(find_desc), '') || coalesce(private.normalize(find_loc), '') || coalesce(private.normalize(category), '') <> '')
);
create unique index search_alerts_open_key on public.search_alerts (user_id, coalesce(private.normalize(find_desc), ''),
  coalesce(private.normalize(find_loc), ''), coalesce(private.normalize(category), '')) where notified_at is null;
create index search_alerts_user_idx on public.search_alerts (user_id, created_at desc);
create index search_alerts_due_idx on public.search_alerts (created_at) where notified_at is null and is_due;
comment on column public.search_alerts.notified_at is 'When its user was told; null while nobody is found.';
comment on column public.search_alerts.is_due is 'Whether what search knows has changed since it was asked last.';

-- One row for each statement that changed what search knows of businesses, until the alerts are asked anew.
create table private.search_changes (id bigint primary key generated always as identity);

-- Their arguments are others; the files of functions make them anew.
drop function if exists public.best_businesses(text, text, text, text[], numeric);
drop function if exists public.count_businesses(text, text, text, text[], numeric);
drop function if exists public.promoted_businesses(text, text, text, text[], numeric);
drop function if exists private.found_businesses(text, text, text, text[]);
drop function if exists private.is_broad(tsquery);
drop function if exists private.is_broad_search(text, text, text, text[]);
drop function if exists private.remaining_query(text, text, text, text[]);
drop function if exists private.search_query(text, text, text, text[]);
drop function if exists private.city_slugs(text);
drop function if exists private.category_codes(text);
