-- The pairs of keys that access tokens are signed with, where a project has any.
set local role supabase_auth_admin;

create table auth.signing_keys (
  id text primary key,
  algorithm text not null check (algorithm in ('ES256', 'RS256', 'EdDSA')),
  sealed text not null,
  created_at timestamptz not null,
  signs_from timestamptz not null,
  valid_until timestamptz
);
comment on table auth.signing_keys is
  'A new key is shown in the key set before it signs, and the old one checks tokens until the last it signed has ended. The private half is encrypted with the server''s key.';

reset role;
revoke all on auth.signing_keys from anon, authenticated, service_role;
