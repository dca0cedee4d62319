-- What our auth server keeps of second factors beyond upstream's columns.
set local role supabase_auth_admin;

alter type auth.factor_type add value if not exists 'recovery_code';

-- Upstream has it unique over all users, so that two challenges within the same
-- microsecond fail.
alter table auth.mfa_factors drop constraint mfa_factors_last_challenged_at_key;

alter table auth.mfa_factors
  add column last_used_at timestamptz,
  add column last_step bigint,
  add column failures smallint not null default 0,
  add column locked_until timestamptz;
comment on column auth.mfa_factors.secret is 'Encrypted with the server''s key.';
comment on column auth.mfa_factors.last_step is 'The 30 seconds (counted from 1970) of the last code of an authenticator app; neither this code nor an earlier one works again.';
comment on column auth.mfa_factors.failures is 'Wrong codes in a row; too many of them close the factor until locked_until.';

alter table auth.mfa_challenges add column attempts smallint not null default 0;
comment on column auth.mfa_challenges.attempts is 'Wrong codes typed so far; too many of them end the challenge.';

create table auth.mfa_recovery_codes (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_hash text not null check (char_length(code_hash) > 0),
  created_at timestamptz not null,
  used_at timestamptz,
  unique (factor_id, code_hash)
);
comment on column auth.mfa_recovery_codes.code_hash is 'HMAC-SHA-256 with a key that is not in the database.';

-- Passkeys, with upstream's names.
create table auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]'::jsonb,
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create unique index webauthn_credentials_credential_id_key on auth.webauthn_credentials (credential_id);
create index webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

reset role;
-- As with the other tables of this schema: service_role may look, the API's public roles may not.
grant select on auth.mfa_recovery_codes, auth.webauthn_credentials, auth.webauthn_challenges to service_role;
revoke all on auth.mfa_recovery_codes, auth.webauthn_credentials, auth.webauthn_challenges from anon, authenticated;
