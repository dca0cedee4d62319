-- The Supabase CLI's db reset empties all tables of auth. Without a row, sessions that end would not lose access
-- until the next start.
set local role supabase_auth_admin;

create function auth.restore_token_lifetime() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into auth.token_lifetime (seconds) values (3600);
    return null;
  end
  $$;
revoke all on function auth.restore_token_lifetime() from public;
create trigger token_lifetime_is_never_empty after truncate on auth.token_lifetime
  for each statement execute function auth.restore_token_lifetime();
