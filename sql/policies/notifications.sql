-- Triggers create the rows; their user can read them and change `read` (S-30).
alter table public.notifications enable row level security;
revoke all on public.notifications from anon, authenticated;
grant select, update (read) on public.notifications to authenticated;

drop policy if exists notifications_select_self on public.notifications;
create policy notifications_select_self on public.notifications
  for select to authenticated using (user_id = (select auth.uid()));
drop policy if exists notifications_update_self on public.notifications;
create policy notifications_update_self on public.notifications
  for update to authenticated using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
