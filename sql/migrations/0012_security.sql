create table public.user_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  session_id uuid unique references auth.sessions (id) on delete set null,
  session_token text unique,
  ip_address inet,
  user_agent text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '8 hours',
  is_active boolean not null default true,
  last_activity_at timestamptz not null default now(),
  closing_at timestamptz
);
create index user_sessions_user_idx on public.user_sessions (user_id, last_activity_at desc);
comment on column public.user_sessions.session_id is 'The auth session; null once that is gone.';
comment on column public.user_sessions.session_token is 'SHA-256 of the token the browser holds, in hexadecimal (S-16).';
comment on column public.user_sessions.closing_at is 'When the page said it was leaving; the session ends if no activity follows (S-19).';

create table public.user_security_events (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references public.profiles (id) on delete cascade,
  event_type text not null check (event_type in ('successful_login', 'failed_login', 'account_locked', 'password_changed')),
  ip_address inet,
  user_agent text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now()
);
create index user_security_events_user_idx on public.user_security_events (user_id, created_at desc);

-- Failed sign-ins in a row, shared by all servers.
create table private.sign_in_failures (
  user_id uuid primary key references auth.users (id) on delete cascade,
  failures integer not null default 0,
  last_failure_at timestamptz not null default now(),
  locked_until timestamptz
);
