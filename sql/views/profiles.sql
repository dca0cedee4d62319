-- The private columns of profiles: the caller's own, and everybody's for admins and servers (S-03, S-04). It runs with
-- its owner's rights; its WHERE clause acts as the policy.
create or replace view private.accounts with (security_barrier) as
  select p.id, p.role, p.session_timeout_minutes, p.display_id, p.totp_enabled, p.wants_to_sell, p.created_at
  from private.profiles p
  where p.id = (select auth.uid()) or (select private.sees_profiles());

-- Profiles as callers see them: the rows that the table's policies allow; the private columns of others are null. Each is
-- read only if it is asked for, so a join that shows a name costs what it did on the table. An insert and its "on
-- conflict" reach the table; updates and deletions have the rules of their triggers (functions/profiles.sql).
create or replace view public.profiles with (security_invoker) as
  select p.id, p.full_name, p.avatar_url,
    (select a.role from private.accounts a where a.id = p.id) as role,
    (select a.session_timeout_minutes from private.accounts a where a.id = p.id) as session_timeout_minutes,
    (select a.display_id from private.accounts a where a.id = p.id) as display_id,
    (select a.totp_enabled from private.accounts a where a.id = p.id) as totp_enabled,
    (select a.wants_to_sell from private.accounts a where a.id = p.id) as wants_to_sell,
    (select a.created_at from private.accounts a where a.id = p.id) as created_at,
    p.updated_at -- written by an upsert (API-11), which needs the plain column
  from private.profiles p;

create or replace trigger update_profile instead of update on public.profiles
  for each row execute function private.update_profile();
create or replace trigger delete_profile instead of delete on public.profiles
  for each row execute function private.delete_profile();
