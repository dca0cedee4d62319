create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  type text not null check (type in ('booking', 'message', 'review', 'other')),
  title text not null check (char_length(title) between 1 and 120),
  content text not null check (char_length(content) <= 500),
  link text check (link ~ '^/([^/\\\s]\S*)?$'),
  read boolean not null default false,
  created_at timestamptz not null default now()
);
create index notifications_user_recent_idx on public.notifications (user_id, created_at desc);
create index notifications_user_unread_idx on public.notifications (user_id) where not read;
comment on column public.notifications.link is 'The page of this site that the notification is about.';

create table public.messages (
  id uuid primary key default gen_random_uuid(),
  sender_id uuid default auth.uid() references public.profiles (id) on delete set null,
  recipient_id uuid references public.profiles (id) on delete set null,
  business_id uuid references public.businesses (id) on delete set null,
  content text not null check (char_length(btrim(content)) between 1 and 2000),
  read boolean not null default false,
  created_at timestamptz not null default now(),
  check (sender_id <> recipient_id)
);
create index messages_business_idx on public.messages (business_id, created_at desc);
create index messages_sender_idx on public.messages (sender_id, created_at desc);
create index messages_recipient_idx on public.messages (recipient_id, created_at desc);
create index messages_unread_idx on public.messages (recipient_id) where not read;
