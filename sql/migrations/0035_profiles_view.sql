-- The table of profiles is private; what callers read and write is the view public.profiles (views/profiles.sql), so
-- that select=* works for everybody, and an admin's plain update and delete do (API-32, API-33).
drop view if exists public.account_profiles;
drop function if exists public.ensure_profile();
drop policy if exists profiles_select_public on public.profiles;
drop policy if exists profiles_select_known on public.profiles;
drop policy if exists profiles_insert_self on public.profiles;
drop policy if exists profiles_update_self on public.profiles;
alter table public.profiles set schema private;

-- A row that names a reviewer, too, had two ways to profiles, so a join needed a hint. The reviewer is an account, which
-- exists as long as its profile.
alter table public.seller_applications
  drop constraint seller_applications_reviewed_by_fkey,
  add constraint seller_applications_reviewed_by_fkey foreign key (reviewed_by) references auth.users (id) on delete set null;
alter table public.claim_requests
  drop constraint claim_requests_reviewed_by_fkey,
  add constraint claim_requests_reviewed_by_fkey foreign key (reviewed_by) references auth.users (id) on delete set null;
alter table public.reports
  drop constraint reports_reviewed_by_fkey,
  add constraint reports_reviewed_by_fkey foreign key (reviewed_by) references auth.users (id) on delete set null;
alter table public.support_tickets
  drop constraint support_tickets_answered_by_fkey,
  add constraint support_tickets_answered_by_fkey foreign key (answered_by) references auth.users (id) on delete set null;
