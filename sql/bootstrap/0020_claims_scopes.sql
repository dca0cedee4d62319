-- What the app that calls was granted, for policies of a project: empty for a session
-- of the user's own.
create or replace function auth.scopes() returns text[]
  language sql stable
  as $$
    select coalesce(string_to_array(nullif(auth.jwt() ->> 'scope', ''), ' '), '{}')
  $$;

grant execute on function auth.scopes() to public;
