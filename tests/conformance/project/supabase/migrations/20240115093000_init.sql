create extension if not exists "uuid-ossp" with schema extensions;
create extension if not exists pgcrypto with schema extensions;
create extension if not exists moddatetime schema extensions;
create extension if not exists pg_trgm with schema public;
create extension if not exists citext;
create extension if not exists pg_stat_statements with schema extensions;
create extension if not exists pg_cron with schema pg_catalog;
create extension if not exists pg_net;
create extension if not exists supabase_vault with schema vault;
create extension if not exists pgjwt with schema extensions;
create extension if not exists "http" with schema "extensions";

create type public.plot_state as enum ('free', 'taken', 'resting');
create type public.app_role as enum ('gardener', 'warden');

-- Profiles: one for each account, made by a trigger.
create table public.profiles (
  id uuid not null references auth.users on delete cascade primary key,
  updated_at timestamp with time zone,
  username citext unique,
  full_name text,
  avatar_url text,
  role public.app_role not null default 'gardener',
  constraint username_length check (char_length(username) >= 3)
);
alter table public.profiles enable row level security;
create policy "Public profiles are viewable by everyone." on public.profiles for select using (true);
create policy "Users can insert their own profile." on public.profiles for insert with check ((select auth.uid()) = id);
create policy "Users can update own profile." on public.profiles for update using (auth.uid() = id);

create or replace function public.handle_new_user()
returns trigger
language plpgsql
security definer set search_path = ''
as $$
begin
  insert into public.profiles (id, full_name, avatar_url)
  values (new.id, new.raw_user_meta_data ->> 'full_name', new.raw_user_meta_data ->> 'avatar_url');
  return new;
end;
$$;
create trigger on_auth_user_created
  after insert on auth.users
  for each row execute procedure public.handle_new_user();

create trigger handle_updated_at before update on public.profiles
  for each row execute procedure extensions.moddatetime (updated_at);

create function public.is_warden() returns boolean
language sql stable security definer set search_path = public
as $$ select exists (select 1 from profiles where id = auth.uid() and role = 'warden') $$;
