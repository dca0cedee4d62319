create sequence private.business_display_ids;

-- Opening hours as DATA-09 has them: an object with a map of weekdays, or raw text.
create function private.are_hours(hours jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select case jsonb_typeof(hours)
      when 'string' then char_length(hours #>> '{}') between 1 and 1000
      when 'object' then coalesce(jsonb_typeof(hours -> 'structured'), '') = 'object' and not exists (
        select from jsonb_each(hours -> 'structured') as day (weekday, value)
        where weekday not in ('monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday')
          or jsonb_typeof(value) <> 'object'
          or coalesce(value ->> 'open', '09:00') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
          or coalesce(value ->> 'close', '17:00') !~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
          or jsonb_typeof(coalesce(value -> 'isOpen', 'true')) <> 'boolean'
          or jsonb_typeof(coalesce(value -> 'closed', 'false')) <> 'boolean')
      when 'null' then true
      else hours is null
    end
  $$;

-- A list of {name, icon, category, available}; names differ, also in case only (OWNER-14).
create function private.are_amenities(amenities jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select jsonb_typeof(amenities) = 'array'
      and jsonb_array_length(amenities) <= 60
      and (
        select count(*) = count(distinct amenity ->> 'name') and coalesce(bool_and(
          jsonb_typeof(amenity) = 'object'
          and char_length(btrim(amenity ->> 'name')) between 1 and 60
          and coalesce(amenity ->> 'category', 'custom') in
            ('connectivity', 'accessibility', 'policy', 'comfort', 'seating', 'service', 'payment', 'custom')
          and jsonb_typeof(coalesce(amenity -> 'available', 'true')) = 'boolean'), true)
        from jsonb_array_elements(amenities) as each (amenity))
  $$;

create function private.are_rating_sources(sources jsonb) returns boolean
  language sql immutable parallel safe
  set search_path = ''
  as $$
    select jsonb_typeof(sources) = 'array' and coalesce(bool_and(
      jsonb_typeof(source -> 'source') = 'string'
      and jsonb_typeof(source -> 'rating') = 'number'
      and (source ->> 'rating')::numeric between 0 and 5
      and jsonb_typeof(source -> 'count') = 'number'
      and (source ->> 'count')::numeric between 0 and 10000000), true)
    from jsonb_array_elements(case jsonb_typeof(sources) when 'array' then sources else '[]' end) as each (source)
  $$;

create table public.businesses (
  id uuid primary key default gen_random_uuid(),
  slug text not null unique default '' check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 50),
  old_slug text check (char_length(old_slug) <= 50),
  url_path text unique check (url_path ~ '^(/[a-z0-9-]+){4}$'),
  migrated_url boolean not null default false,
  display_id text not null unique default 'B-' || lpad(nextval('private.business_display_ids')::text, 6, '0'),
  owner_id uuid references public.profiles (id) on delete set null,
  name text not null check (char_length(btrim(name)) between 2 and 100 and name !~ '[<>]'),
  type text not null check (char_length(btrim(type)) between 2 and 100),
  location text not null check (char_length(btrim(location)) between 2 and 200),
  address text check (char_length(address) between 5 and 200),
  phone text check (private.is_phone(phone)),
  website text check (private.is_public_url(website)),
  image_url text check (private.is_web_address(image_url)),
  longitude double precision not null default 0 check (longitude between -180 and 180),
  latitude double precision not null default 0 check (latitude between -90 and 90),
  hours jsonb check (private.are_hours(hours)),
  amenities jsonb not null default '[]' check (private.are_amenities(amenities)),
  description text,
  tagline text check (char_length(tagline) <= 160),
  company_values text[] check (cardinality(company_values) <= 30),
  languages text[] check (cardinality(languages) <= 30),
  types text[] check (cardinality(types) <= 30),
  weekday_text text[] check (cardinality(weekday_text) <= 7),
  rating_sources jsonb check (private.are_rating_sources(rating_sources)),
  rating numeric(3, 2) check (rating between 0 and 5),
  combined_rating numeric(3, 2) check (combined_rating between 0 and 5),
  user_ratings_total integer not null default 0 check (user_ratings_total >= 0),
  source text not null default 'manual' check (source in ('seeded', 'manual', 'CSV-upload')),
  is_claimed boolean not null default false,
  verification_status text not null default 'unverified' check (verification_status in ('unverified', 'pending', 'verified', 'rejected')),
  category_code text references public."categories-plaza" (category_code) on update cascade on delete set null,
  city_slug text references public.cities (slug) on update cascade on delete set null,
  time_zone text not null default 'Europe/Madrid' check (time_zone in ('Europe/Madrid', 'Atlantic/Canary', 'Europe/Andorra')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sort_rating numeric(3, 2) not null generated always as (coalesce(combined_rating, rating, 0)) stored,
  -- The name stands on both sides of the type, so that "name type" and "type name" are both a run of words.
  search_text text not null generated always as (
    ' ' || private.normalize(name) || ' ' || private.normalize(type) || ' ' || private.normalize(name) || ' ') stored,
  search_location text not null generated always as (
    ' ' || private.normalize(location) || coalesce(' ' || private.normalize(address), '') || ' ') stored
);
comment on column public.businesses.sort_rating is 'combined_rating, else rating, else 0: what lists are ordered by.';
comment on column public.businesses.hours is '{"structured": {"monday": {"open": "09:00", "close": "17:00", "isOpen": true}, …}}; a missing day is closed, a close before open is after midnight; or raw text as a JSON string.';
comment on column public.businesses.rating_sources is 'Ratings gathered elsewhere: [{"source": text, "rating": number, "count": integer}].';
comment on column public.businesses.migrated_url is 'Whether url_path has been made by the URL migration.';
comment on column public.businesses.category_code is 'Follows type by trigger.';
comment on column public.businesses.city_slug is 'Follows location by trigger.';
comment on column public.businesses.time_zone is 'Bookings and hours are wall time in this zone.';

create index businesses_owner_idx on public.businesses (owner_id);
create index businesses_old_slug_idx on public.businesses (old_slug);
create index businesses_rank_idx on public.businesses (sort_rating desc, created_at desc);
create index businesses_city_rank_idx on public.businesses (city_slug, sort_rating desc, created_at desc);
create index businesses_category_rank_idx on public.businesses (category_code, sort_rating desc, created_at desc);
create index businesses_city_category_rank_idx on public.businesses (city_slug, category_code, sort_rating desc, created_at desc);
create index businesses_city_recent_idx on public.businesses (city_slug, created_at desc);
create index businesses_type_idx on public.businesses (type);
create index businesses_unmigrated_idx on public.businesses (created_at) where not migrated_url;
create index businesses_search_text_idx on public.businesses using gin (search_text extensions.gin_trgm_ops);
create index businesses_search_location_idx on public.businesses using gin (search_location extensions.gin_trgm_ops);

-- How many businesses each city and category has, kept by triggers, so that the
-- home page does not count a million rows. The empty string stands for neither.
create table public.directory_counts (
  city_slug text not null,
  category_code text not null,
  businesses bigint not null default 0,
  primary key (city_slug, category_code)
);

create table public.services (
  id uuid primary key default gen_random_uuid(),
  business_id uuid not null references public.businesses (id) on delete cascade,
  name text not null check (char_length(btrim(name)) between 2 and 100),
  description text check (char_length(description) <= 500),
  price numeric(10, 2) not null check (price between 0 and 10000),
  duration integer not null check (duration between 1 and 480),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index services_business_name_idx on public.services (business_id, name);
comment on column public.services.price is 'Units of the display currency.';
comment on column public.services.duration is 'Minutes.';

create table public.business_photos (
  id uuid primary key default gen_random_uuid(),
  business_id uuid not null references public.businesses (id) on delete cascade,
  photo_url text not null check (private.is_web_address(photo_url)),
  caption text check (char_length(caption) <= 200),
  display_order integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index business_photos_business_order_idx on public.business_photos (business_id, display_order);

create table public.business_categories (
  business_id uuid not null references public.businesses (id) on delete cascade,
  category_id uuid not null references public.categories (id) on delete cascade,
  primary key (business_id, category_id)
);
create index business_categories_category_idx on public.business_categories (category_id);

create table public.url_redirects (
  id uuid primary key default gen_random_uuid(),
  old_url text not null unique check (old_url ~ '^/[^/\\\s]\S*$' and char_length(old_url) <= 500),
  new_url text not null check (new_url ~ '^/([^/\\\s]\S*)?$' and char_length(new_url) <= 500),
  business_id uuid references public.businesses (id) on delete cascade,
  redirect_type integer not null default 301 check (redirect_type in (301, 302, 307, 308)),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  check (old_url <> new_url)
);
create index url_redirects_business_idx on public.url_redirects (business_id);
create index url_redirects_new_url_idx on public.url_redirects (new_url);
