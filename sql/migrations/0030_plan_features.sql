-- Logos (SUB-07): an object of the bucket business-logos, shown while the plan has logos.
alter table public.businesses add column logo_url text
  constraint businesses_logo_url_check check (char_length(logo_url) <= 300 and logo_url like '/storage/v1/object/public/business-logos/%');
comment on column public.businesses.logo_url is 'What the owner stored; the computed field "logo" is what is shown.';

-- What people ask the administrators. Those whose plan has priority support come first.
create table public.support_tickets (
  id uuid primary key default gen_random_uuid(),
  user_id uuid default auth.uid() references public.profiles (id) on delete set null,
  subject text not null check (char_length(btrim(subject)) between 3 and 120 and char_length(subject) <= 120),
  message text not null check (char_length(btrim(message)) between 10 and 4000 and char_length(message) <= 4000),
  is_priority boolean not null default false,
  answer text check (char_length(btrim(answer)) >= 1 and char_length(answer) <= 4000),
  answered_by uuid references public.profiles (id) on delete set null,
  answered_at timestamptz,
  created_at timestamptz not null default now(),
  constraint support_tickets_answered check ((answer is null) = (answered_at is null))
);
create index support_tickets_user_idx on public.support_tickets (user_id, created_at desc);
create index support_tickets_open_idx on public.support_tickets (is_priority desc, created_at) where answer is null;
create index support_tickets_answered_by_idx on public.support_tickets (answered_by);
comment on column public.support_tickets.is_priority is 'The writer''s plan had priority support when it was written; set by trigger.';
