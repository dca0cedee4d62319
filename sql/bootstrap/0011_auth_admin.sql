-- What a deletion that keeps the account's row leaves of an address, a number or
-- a provider's name for the person: a hash, which keeps unique indexes intact.
set local role supabase_auth_admin;

create function auth.blur(p_id uuid, p_text text) returns text
  language sql immutable
  set search_path = ''
  return case when p_text = '' then '' else rtrim(encode(sha256(convert_to(p_id::text || p_text, 'UTF8')), 'base64'), '=') end;
revoke execute on function auth.blur(uuid, text) from public;

reset role;
