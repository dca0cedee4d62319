create table public.reviews (
  id uuid primary key default gen_random_uuid(),
  business_id uuid not null references public.businesses (id) on delete cascade,
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  rating integer not null check (rating between 1 and 5),
  comment text check (char_length(comment) between 10 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (business_id, user_id)
);
create index reviews_business_recent_idx on public.reviews (business_id, created_at desc);
create index reviews_user_idx on public.reviews (user_id);

create table public.review_responses (
  review_id uuid primary key references public.reviews (id) on delete cascade,
  content text not null check (char_length(btrim(content)) between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.review_responses is 'At most one answer of the business to a review.';
