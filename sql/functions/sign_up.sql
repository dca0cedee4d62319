-- The auth server's hook before it creates an account (RULE-02): whether the user may have one.
create or replace function private.before_user_created(event jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select case when event #>> '{user,email}' like '%+%'
      then '{"error": {"http_code": 422, "message": "Plus signs not allowed in email"}}'::jsonb
      else '{}'::jsonb end
  $$;
revoke execute on function private.before_user_created(jsonb) from public, anon, authenticated;
grant execute on function private.before_user_created(jsonb) to supabase_auth_admin, service_role;
