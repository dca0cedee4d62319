-- Sign-in at outside providers.
set local role supabase_auth_admin;

alter table auth.flow_state add column callback_at timestamptz;
comment on column auth.flow_state.callback_at is 'When the provider sent the browser back: a state works once.';
comment on column auth.flow_state.provider_access_token is 'Encrypted with the server''s key, as is provider_refresh_token.';

create table auth.oauth_client_states (
  id uuid primary key,
  provider_type text not null,
  code_verifier text,
  created_at timestamptz not null
);
create index oauth_client_states_created_at_idx on auth.oauth_client_states (created_at);
comment on table auth.oauth_client_states is 'What this server needs to exchange the code of a provider that asks for PKCE.';

create table auth.custom_oauth_providers (
  id uuid primary key default gen_random_uuid(),
  provider_type text not null check (provider_type in ('oauth2', 'oidc')),
  identifier text not null unique check (identifier ~ '^custom:[a-z0-9:-]{0,42}[a-z0-9]$'),
  name text not null check (char_length(name) between 1 and 100),
  client_id text not null check (char_length(client_id) between 1 and 512),
  client_secret text not null,
  acceptable_client_ids text[] not null default '{}',
  scopes text[] not null default '{}',
  pkce_enabled boolean not null default true,
  attribute_mapping jsonb not null default '{}',
  custom_claims_allowlist text[] not null default '{}',
  authorization_params jsonb not null default '{}',
  enabled boolean not null default true,
  email_optional boolean not null default false,
  issuer text check (char_length(issuer) between 1 and 2048),
  discovery_url text check (char_length(discovery_url) <= 2048),
  skip_nonce_check boolean not null default false,
  cached_discovery jsonb,
  discovery_cached_at timestamptz,
  authorization_url text check (char_length(authorization_url) <= 2048),
  token_url text check (char_length(token_url) <= 2048),
  userinfo_url text check (char_length(userinfo_url) <= 2048),
  jwks_uri text check (char_length(jwks_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (provider_type <> 'oidc' or issuer is not null),
  check (provider_type <> 'oauth2' or num_nulls(authorization_url, token_url, userinfo_url) = 0)
);
create index custom_oauth_providers_provider_type_idx on auth.custom_oauth_providers (provider_type);
create index custom_oauth_providers_enabled_idx on auth.custom_oauth_providers (enabled);
create index custom_oauth_providers_created_at_idx on auth.custom_oauth_providers (created_at);
comment on column auth.custom_oauth_providers.client_secret is 'Encrypted with the server''s key.';

reset role;
-- Nobody reads these through the API but the auth server.
revoke all on auth.oauth_client_states, auth.custom_oauth_providers from anon, authenticated, service_role;
