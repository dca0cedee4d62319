-- The complete row of the caller's own profile, and of all profiles for admins. It runs with its owner's rights, since
-- the table's column grants hide these columns from everybody (S-04); its WHERE clause acts as the policy.
create or replace view public.account_profiles with (security_barrier) as
  select p.id, p.full_name, p.avatar_url, p.role, p.session_timeout_minutes, p.display_id,
    p.totp_enabled, p.wants_to_sell, p.created_at, p.updated_at
  from public.profiles p
  where p.id = (select auth.uid()) or (select public.is_admin());
