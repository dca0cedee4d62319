-- The admin's display list.
create table public.categories (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 50),
  icon text check (char_length(icon) between 1 and 16),
  created_at timestamptz not null default now()
);
create unique index categories_name_key on public.categories (lower(name));

-- The truth about what a business can be: 21 parents and their children.
create table public."categories-plaza" (
  id uuid primary key default gen_random_uuid(),
  category_name text not null check (char_length(category_name) between 1 and 50),
  category_code text not null unique check (category_code ~ '^[a-z0-9-]{2,50}$'),
  normalized_name text not null generated always as (private.normalize(category_name)) stored,
  category_level smallint not null check (category_level in (1, 2)),
  parent_category text references public."categories-plaza" (category_code) on update cascade on delete cascade,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  check ((category_level = 1) = (parent_category is null))
);
create index categories_plaza_parent_idx on public."categories-plaza" (parent_category);
comment on column public."categories-plaza".category_level is '1 parent, 2 child.';
comment on column public."categories-plaza".parent_category is 'category_code of the parent.';

create table public.category_synonyms (
  id uuid primary key default gen_random_uuid(),
  category_slug text not null references public."categories-plaza" (category_code) on update cascade on delete cascade,
  synonym_term text not null check (char_length(synonym_term) between 2 and 100),
  normalized_term text not null generated always as (private.normalize(synonym_term)) stored,
  priority integer not null default 50 check (priority between 0 and 100),
  language_code text not null check (language_code in ('es', 'ca', 'en', 'fr')),
  unique (category_slug, language_code, normalized_term)
);
create index category_synonyms_term_idx on public.category_synonyms (normalized_term text_pattern_ops);
create index category_synonyms_trigram_idx on public.category_synonyms using gin (normalized_term extensions.gin_trgm_ops);

-- The supported places (RULE-22). Andorra itself is one: the default location.
create table public.cities (
  slug text primary key check (slug = private.slugify(slug)),
  name text not null unique check (char_length(name) between 1 and 100),
  local_name text not null,
  country text not null check (country in ('Spain', 'Andorra')),
  time_zone text not null check (time_zone in ('Europe/Madrid', 'Atlantic/Canary', 'Europe/Andorra')),
  latitude double precision not null check (latitude between -90 and 90),
  longitude double precision not null check (longitude between -180 and 180),
  aliases text[] not null default '{}',
  is_popular boolean not null default false,
  part_of text references public.cities (slug),
  position smallint not null default 0,
  spellings text[] not null generated always as (private.normalize_all(aliases || array[name, local_name, slug])) stored
);
create index cities_part_of_idx on public.cities (part_of);
comment on column public.cities.aliases is 'Other spellings, beside name, local_name and slug.';
comment on column public.cities.spellings is 'All spellings as they are compared.';
comment on column public.cities.part_of is 'A place whose searches include this one: the parishes are part of Andorra.';

create table public.url_mappings (
  id uuid primary key default gen_random_uuid(),
  type text not null check (type in ('location', 'category')),
  original text not null check (char_length(btrim(original)) between 1 and 200),
  slug text not null default '' check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 50),
  created_at timestamptz not null default now(),
  unique (type, slug)
);
create index url_mappings_original_idx on public.url_mappings (type, original);
