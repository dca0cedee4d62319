create table public.subscription_plans (
  id uuid primary key default gen_random_uuid(),
  tier text not null unique check (tier ~ '^[a-z]{2,20}$'),
  name text not null check (char_length(name) between 1 and 50),
  description text check (char_length(description) <= 300),
  is_active boolean not null default true,
  price_monthly numeric(10, 2) not null check (price_monthly >= 0),
  price_yearly numeric(10, 2) not null check (price_yearly >= 0),
  analytics_access boolean not null default false,
  logo_upload boolean not null default false,
  promoted_listings boolean not null default false,
  priority_support boolean not null default false,
  max_businesses integer not null default 1 check (max_businesses >= 1),
  max_photos_per_business integer not null default 5 check (max_photos_per_business >= 0),
  max_description_length integer not null default 500 check (max_description_length >= 0),
  created_at timestamptz not null default now()
);
comment on column public.subscription_plans.price_monthly is 'Units of the display currency, not cents, as the documents have it.';
comment on column public.subscription_plans.price_yearly is 'Units of the display currency, for a whole year.';

-- Written by the payment provider's signed webhook only (S-38).
create table public.user_subscriptions (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  plan_id uuid references public.subscription_plans (id),
  subscribed boolean not null default false,
  subscription_tier text,
  subscription_end timestamptz,
  plan_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index user_subscriptions_plan_idx on public.user_subscriptions (plan_id);

-- The provider's identifiers are nobody's business but the server's.
create table private.billing_accounts (
  user_id uuid primary key references public.profiles (id) on delete cascade,
  provider text not null,
  customer_id text not null,
  subscription_id text,
  updated_at timestamptz not null default now(),
  unique (provider, customer_id)
);
