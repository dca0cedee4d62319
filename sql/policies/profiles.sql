-- Visible are the caller, whoever has written a review, and whoever shares a booking or a conversation with the caller;
-- all profiles for admins. Of the table, callers have the public columns; the private ones come from private.accounts
-- (S-03, S-04).
alter table private.profiles enable row level security;
revoke all on private.profiles, private.accounts from anon, authenticated;
grant all on private.profiles to service_role;
grant select on private.accounts to anon, authenticated, service_role;
grant select (id, full_name, avatar_url, updated_at) on private.profiles to anon, authenticated;
grant insert (id, full_name, avatar_url, updated_at), update (id, full_name, avatar_url, updated_at) on private.profiles to authenticated;
revoke all on public.profiles from anon, authenticated;
grant select on public.profiles to anon, authenticated;
grant insert (id, full_name, avatar_url, updated_at), update (id, full_name, avatar_url, session_timeout_minutes, role, updated_at), delete
  on public.profiles to authenticated;

drop policy if exists profiles_select_public on private.profiles;
create policy profiles_select_public on private.profiles
  for select to anon
  using (exists (select from public.reviews r where r.user_id = profiles.id));

drop policy if exists profiles_select_known on private.profiles;
create policy profiles_select_known on private.profiles
  for select to authenticated
  using (
    id = (select auth.uid())
    or (select public.is_admin())
    or exists (select from public.reviews r where r.user_id = profiles.id)
    or private.is_counterpart(id)
  );

drop policy if exists profiles_insert_self on private.profiles;
create policy profiles_insert_self on private.profiles
  for insert to authenticated
  with check (id = (select auth.uid()));

drop policy if exists profiles_update_self on private.profiles;
create policy profiles_update_self on private.profiles
  for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));
