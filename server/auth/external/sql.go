package external

// Flows at external providers.
const (
	insertOAuthFlow = `insert into auth.flow_state (id, auth_code, code_challenge_method, code_challenge, provider_type, provider_access_token,
			provider_refresh_token, created_at, updated_at, authentication_method, invite_token, referrer, oauth_client_state_id,
			linking_target_id, email_optional)
		values ($1, case when $3::text is null then null else gen_random_uuid()::text end, $2::auth.code_challenge_method, $3, $4, '', '', $5, $5,
			'oauth', $6, $7, $8, $9, $10)`

	insertClientState = `insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($1, $2, $3, $4)`

	// Unfinished flows. A few of them are deleted whenever a flow begins.
	clearFlows = `delete from auth.flow_state where id in (select id from auth.flow_state where created_at < $1 and authentication_method = 'oauth'
		order by created_at limit 20 for update skip locked)`
	clearClientStates = `delete from auth.oauth_client_states where id in (select id from auth.oauth_client_states where created_at < $1
		order by created_at limit 20 for update skip locked)`

	// claimFlow marks a state as used. A concurrent second callback waits for the first one's
	// lock, and then sees that the state is used.
	claimFlow = `update auth.flow_state f set callback_at = coalesce(w.callback_at, $2), updated_at = $2
		from (select id, callback_at from auth.flow_state where id = $1 and authentication_method = 'oauth' for update) w
		where f.id = w.id
		returning w.callback_at is not null, f.created_at, f.provider_type, coalesce(f.code_challenge, '') <> '', coalesce(f.invite_token, ''),
			coalesce(f.referrer, ''), coalesce(f.oauth_client_state_id::text, ''), coalesce(f.linking_target_id::text, ''), f.email_optional`

	consumeClientState = `delete from auth.oauth_client_states where id = $1 returning coalesce(code_verifier, ''), provider_type`

	// finishFlow returns the code that the app exchanges for a session.
	finishFlow = `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4, auth_code_issued_at = $5, updated_at = $5
		where id = $1 and user_id is null returning auth_code`

	invitedBy = `select exists (select from auth.one_time_tokens o where o.link_hash = $1 and o.token_type = 'confirmation_token')`
)

// Identities.
const (
	identityByName = `select i.id::text, i.user_id::text from auth.identities i where i.provider_id = $1 and i.provider = $2`

	insertProviderIdentity = `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $6, $6)`

	updateIdentity = `update auth.identities set identity_data = $2, last_sign_in_at = $3, updated_at = $3 where id = $1`

	// accountsByAddress lists the accounts that have one of the addresses: as the account's own
	// address, or as one that a provider of the same linking domain has verified.
	accountsByAddress = `select u.id::text from auth.users u where $4 and u.email = any ($1) and u.aud = $5 and u.is_sso_user = false
		union
		select i.user_id::text from auth.identities i join auth.users u on u.id = i.user_id
		where i.email = any ($1) and i.identity_data -> 'email_verified' = 'true' and u.aud = $5
			and case when $3 then i.provider <> all ($2) and i.provider not like 'sso:%' and u.is_sso_user = false else i.provider = any ($2) end`

	addressTaken = `select exists (select from auth.users u where u.email = $1 and u.aud = $2 and u.is_sso_user = false and u.id <> $3)`

	insertProviderUser = `insert into auth.users (instance_id, id, aud, role, email, raw_app_meta_data, raw_user_meta_data, created_at, updated_at, is_sso_user)
		values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, nullif($4, ''), $5, $6, $7, $7, $8)`

	mergeProfile = `update auth.users set raw_user_meta_data = coalesce(raw_user_meta_data, '{}') || $2, updated_at = $3 where id = $1`

	// resetAccount resets an account whose address was never confirmed, before it is handed to
	// the user who has proved to own the address.
	resetAccount = `update auth.users set encrypted_password = null, raw_user_meta_data = $2, updated_at = $3,
			phone = null, phone_confirmed_at = null, phone_change = '', phone_change_token = '', phone_change_sent_at = null,
			confirmation_token = '', recovery_token = '', recovery_sent_at = null, reauthentication_token = '', reauthentication_sent_at = null,
			email_change = '', email_change_token_new = '', email_change_token_current = '', email_change_sent_at = null, email_change_confirm_status = 0
		where id = $1`
	dropOtherIdentities = `delete from auth.identities where user_id = $1 and id <> $2`
	dropFactors         = `delete from auth.mfa_factors where user_id = $1`
	dropPasskeys        = `delete from auth.webauthn_credentials where user_id = $1`

	// setAddress sets the address of a user without one. An anonymous user becomes permanent.
	setAddress = `update auth.users set email = $2, updated_at = $3, is_anonymous = false where id = $1`

	deleteIdentity = `delete from auth.identities where id = $1 and user_id = $2`
	dropPhone      = `update auth.users set phone = null, phone_confirmed_at = null, updated_at = $2 where id = $1`

	// nextAddress returns the new address of an account that has lost its own: verified ones
	// first, then the oldest. Addresses of other accounts are excluded.
	nextAddress = `select coalesce(i.email, ''), coalesce(i.identity_data -> 'email_verified' = 'true', false)
		from auth.identities i
		where i.user_id = $1 and not exists (select from auth.users u where u.email = i.email and u.aud = $2 and u.is_sso_user = false and u.id <> $1)
		order by i.email is null, (i.identity_data -> 'email_verified' = 'true') is not true, i.created_at, i.id limit 1`

	replaceEmail = `update auth.users u set email = nullif($2, ''), updated_at = $4, confirmation_token = '', confirmation_sent_at = null,
			recovery_token = '', recovery_sent_at = null, email_change = '', email_change_token_new = '', email_change_token_current = '',
			email_change_sent_at = null, email_change_confirm_status = 0, reauthentication_token = '', reauthentication_sent_at = null,
			email_confirmed_at = case when $3 then u.email_confirmed_at end,
			raw_user_meta_data = case when $3 then u.raw_user_meta_data else coalesce(u.raw_user_meta_data, '{}') || '{"email_verified": false}' end
		where u.id = $1`
)

// Custom providers.
const (
	customColumns = `id::text, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes, pkce_enabled, attribute_mapping,
		custom_claims_allowlist, authorization_params, enabled, email_optional, issuer, discovery_url, skip_nonce_check, cached_discovery,
		authorization_url, token_url, userinfo_url, jwks_uri, created_at, updated_at`

	customByName = `select ` + customColumns + ` from auth.custom_oauth_providers where identifier = $1`
	customList   = `select ` + customColumns + ` from auth.custom_oauth_providers where $1 = '' or provider_type = $1 order by created_at desc, id`
	customCount  = `select count(*) from auth.custom_oauth_providers`
	insertCustom = `insert into auth.custom_oauth_providers (id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes,
			pkce_enabled, attribute_mapping, custom_claims_allowlist, authorization_params, enabled, email_optional, issuer, discovery_url, skip_nonce_check,
			cached_discovery, discovery_cached_at, authorization_url, token_url, userinfo_url, jwks_uri, created_at, updated_at)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $23, $19, $20, $21, $22, $23, $23)`
	updateCustom = `update auth.custom_oauth_providers set name = $4, client_id = $5, client_secret = $6, acceptable_client_ids = $7, scopes = $8,
			pkce_enabled = $9, attribute_mapping = $10, custom_claims_allowlist = $11, authorization_params = $12, enabled = $13, email_optional = $14,
			issuer = $15, discovery_url = $16, skip_nonce_check = $17, cached_discovery = $18, discovery_cached_at = $23, authorization_url = $19,
			token_url = $20, userinfo_url = $21, jwks_uri = $22, updated_at = $23
		where id = $1 and provider_type = $2 and identifier = $3`
	deleteCustom = `delete from auth.custom_oauth_providers where identifier = $1 returning id::text`
)
