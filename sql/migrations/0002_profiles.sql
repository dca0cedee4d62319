create sequence private.profile_display_ids;

create table public.profiles (
  id uuid primary key references auth.users (id) on delete cascade,
  full_name text check (char_length(full_name) between 1 and 100),
  avatar_url text check (private.is_web_address(avatar_url)),
  role text not null default 'user' check (role in ('user', 'owner', 'admin')),
  -- Bounded: shorter would sign people out while they read, longer would defeat the time-out.
  session_timeout_minutes integer check (session_timeout_minutes between 5 and 1440),
  display_id text not null unique default 'U-' || lpad(nextval('private.profile_display_ids')::text, 6, '0'),
  totp_enabled boolean not null default false,
  wants_to_sell boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index profiles_role_idx on public.profiles (role);

comment on column public.profiles.role is 'Ranked user < owner < admin. Written by functions only; nothing in user metadata counts.';
comment on column public.profiles.session_timeout_minutes is 'Minutes without activity; null means 480.';
comment on column public.profiles.totp_enabled is 'Follows auth.mfa_factors by trigger.';
comment on column public.profiles.wants_to_sell is 'Signed up with role=owner: an intent that opens /become-seller, not a right.';
