-- The public columns are id, full_name and avatar_url, and only for visible users: those who have written a review, or
-- share a booking or a conversation with the caller. The rest of a row is read through account_profiles (S-03, S-04).
alter table public.profiles enable row level security;
revoke all on public.profiles from anon, authenticated;
grant select (id, full_name, avatar_url) on public.profiles to anon, authenticated;
-- An upsert reads its values through EXCLUDED, which requires the privilege to select them.
grant select (updated_at) on public.profiles to authenticated;
grant insert (id, full_name, avatar_url, updated_at) on public.profiles to authenticated;
grant update (id, full_name, avatar_url, session_timeout_minutes, updated_at) on public.profiles to authenticated;
revoke all on public.account_profiles from anon, authenticated;
grant select on public.account_profiles to authenticated;

drop policy if exists profiles_select_public on public.profiles;
create policy profiles_select_public on public.profiles
  for select to anon
  using (exists (select from public.reviews r where r.user_id = profiles.id));

drop policy if exists profiles_select_known on public.profiles;
create policy profiles_select_known on public.profiles
  for select to authenticated
  using (
    id = (select auth.uid())
    or (select public.is_admin())
    or exists (select from public.reviews r where r.user_id = profiles.id)
    or private.is_counterpart(id)
  );

drop policy if exists profiles_insert_self on public.profiles;
create policy profiles_insert_self on public.profiles
  for insert to authenticated
  with check (id = (select auth.uid()));

drop policy if exists profiles_update_self on public.profiles;
create policy profiles_update_self on public.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));
