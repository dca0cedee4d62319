-- Hooks of the auth server as functions: claims of a token, and permission to create an account.
create schema hooks;
grant usage on schema hooks to supabase_auth_admin;

create function hooks.add_claims(event jsonb) returns jsonb language sql immutable set search_path = '' as $$
  select jsonb_build_object('claims', event -> 'claims' || jsonb_build_object('shop', 'Can Test', 'asked_by', event ->> 'authentication_method'))
$$;

create function hooks.only_residents(event jsonb) returns jsonb language sql immutable set search_path = '' as $$
  select case when event -> 'user' ->> 'email' like '%@example.com' then '{}'::jsonb
    else '{"error": {"http_code": 403, "message": "Residents only"}}' end
$$;

create table hooks.greeted (email text primary key);
grant insert on hooks.greeted to supabase_auth_admin;

create function hooks.greet(event jsonb) returns jsonb language plpgsql set search_path = '' as $$
begin
  insert into hooks.greeted values (event -> 'user' ->> 'email');
  return '{}';
end
$$;

grant execute on all functions in schema hooks to supabase_auth_admin;
