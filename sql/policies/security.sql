-- The user's own sessions and events. Users with a second factor see them only in a session that used it (S-24).
alter table public.user_sessions enable row level security;
alter table public.user_security_events enable row level security;
revoke all on public.user_sessions, public.user_security_events, public.user_totp_secrets from anon, authenticated;
grant select (id, user_id, session_id, ip_address, user_agent, created_at, expires_at, is_active, last_activity_at),
  update (is_active) on public.user_sessions to authenticated;
grant select on public.user_security_events, public.user_totp_secrets to authenticated;

drop policy if exists user_sessions_select_self on public.user_sessions;
create policy user_sessions_select_self on public.user_sessions
  for select to authenticated using (user_id = (select auth.uid()) and (select private.second_factor_shown()));
drop policy if exists user_sessions_update_self on public.user_sessions;
create policy user_sessions_update_self on public.user_sessions
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.second_factor_shown()))
  with check (user_id = (select auth.uid()));

drop policy if exists user_security_events_select_self on public.user_security_events;
create policy user_security_events_select_self on public.user_security_events
  for select to authenticated using (user_id = (select auth.uid()) and (select private.second_factor_shown()));
