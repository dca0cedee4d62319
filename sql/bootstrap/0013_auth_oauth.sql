-- The auth server as an OAuth 2.1 and OpenID provider for other apps.
set local role supabase_auth_admin;

create type auth.oauth_registration_type as enum ('dynamic', 'manual');
create type auth.oauth_client_type as enum ('public', 'confidential');
create type auth.oauth_authorization_status as enum ('pending', 'approved', 'denied', 'expired');
create type auth.oauth_response_type as enum ('code');

create table auth.oauth_clients (
  id uuid primary key,
  client_secret_hash text,
  registration_type auth.oauth_registration_type not null,
  redirect_uris text not null,
  grant_types text not null,
  client_name text constraint oauth_clients_client_name_length check (char_length(client_name) <= 1024),
  client_uri text constraint oauth_clients_client_uri_length check (char_length(client_uri) <= 2048),
  logo_uri text constraint oauth_clients_logo_uri_length check (char_length(logo_uri) <= 2048),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  client_type auth.oauth_client_type not null default 'confidential',
  token_endpoint_auth_method text not null check (token_endpoint_auth_method in ('client_secret_basic', 'client_secret_post', 'none')),
  constraint oauth_clients_secret check (client_type = 'public' or client_secret_hash is not null)
);
create index oauth_clients_deleted_at_idx on auth.oauth_clients (deleted_at);
create index oauth_clients_created_at_idx on auth.oauth_clients (created_at desc, id) where deleted_at is null;
comment on column auth.oauth_clients.client_secret_hash is 'SHA-256 in base64url: the secret is random and long.';
comment on column auth.oauth_clients.redirect_uris is 'Separated by commas, as grant_types.';

create table auth.oauth_authorizations (
  id uuid primary key,
  authorization_id text not null unique,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  user_id uuid references auth.users (id) on delete cascade,
  redirect_uri text not null constraint oauth_authorizations_redirect_uri_length check (char_length(redirect_uri) <= 2048),
  scope text not null constraint oauth_authorizations_scope_length check (char_length(scope) <= 4096),
  state text constraint oauth_authorizations_state_length check (char_length(state) <= 4096),
  resource text constraint oauth_authorizations_resource_length check (char_length(resource) <= 2048),
  code_challenge text constraint oauth_authorizations_code_challenge_length check (char_length(code_challenge) <= 128),
  code_challenge_method auth.code_challenge_method,
  response_type auth.oauth_response_type not null default 'code',
  status auth.oauth_authorization_status not null default 'pending',
  authorization_code text unique constraint oauth_authorizations_authorization_code_length check (char_length(authorization_code) <= 255),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '3 minutes',
  approved_at timestamptz,
  nonce text constraint oauth_authorizations_nonce_length check (char_length(nonce) <= 255),
  authenticated_at timestamptz,
  session_id uuid,
  constraint oauth_authorizations_expires_at_future check (expires_at > created_at)
);
create index oauth_authorizations_client_id_idx on auth.oauth_authorizations (client_id);
create index oauth_authorizations_user_id_idx on auth.oauth_authorizations (user_id);
create index oauth_authorizations_expires_at_idx on auth.oauth_authorizations (expires_at);
comment on column auth.oauth_authorizations.authorization_code is 'SHA-256 of the code in base64url.';
comment on column auth.oauth_authorizations.authenticated_at is 'When the session began in which the user consented.';
comment on column auth.oauth_authorizations.session_id is 'What the code was exchanged for. A code that comes again ends that session.';

create table auth.oauth_consents (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  client_id uuid not null references auth.oauth_clients (id) on delete cascade,
  scopes text not null
    constraint oauth_consents_scopes_length check (char_length(scopes) <= 2048)
    constraint oauth_consents_scopes_not_empty check (char_length(trim(scopes)) > 0),
  granted_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint oauth_consents_user_client_unique unique (user_id, client_id),
  constraint oauth_consents_revoked_after_granted check (revoked_at is null or revoked_at >= granted_at)
);
create index oauth_consents_user_order_idx on auth.oauth_consents (user_id, granted_at desc);
create index oauth_consents_client_id_idx on auth.oauth_consents (client_id);

alter table auth.sessions add constraint sessions_oauth_client_id_fkey
  foreign key (oauth_client_id) references auth.oauth_clients (id) on delete cascade;
create index sessions_oauth_client_id_idx on auth.sessions (oauth_client_id);

reset role;
-- Nobody reads these through the API but the auth server.
revoke all on auth.oauth_clients, auth.oauth_authorizations, auth.oauth_consents from anon, authenticated, service_role;
