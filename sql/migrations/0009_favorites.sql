create table public.favorites (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  business_id uuid not null references public.businesses (id) on delete cascade,
  created_at timestamptz not null default now(),
  unique (user_id, business_id)
);
create index favorites_business_idx on public.favorites (business_id);

create table public.recent_searches (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  query text check (char_length(query) <= 100),
  location text check (char_length(location) <= 100),
  category text check (char_length(category) <= 100),
  -- Not now(): searches stored in one transaction keep their order.
  created_at timestamptz not null default clock_timestamp(),
  check (coalesce(query, location, category) is not null)
);
create index recent_searches_user_idx on public.recent_searches (user_id, created_at desc);
