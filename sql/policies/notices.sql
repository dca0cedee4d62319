-- The user's own settings; a kind without a row is on.
alter table public.notification_settings enable row level security;
revoke all on public.notification_settings from anon, authenticated;
-- An upsert writes all columns of its rows.
grant select, insert (user_id, kind, by_mail), update (user_id, kind, by_mail) on public.notification_settings to authenticated;

drop policy if exists notification_settings_all_self on public.notification_settings;
create policy notification_settings_all_self on public.notification_settings for all to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

-- Mails are read and written by functions only.
alter table private.mail_outbox enable row level security;
revoke all on private.mail_outbox from anon, authenticated, service_role;
