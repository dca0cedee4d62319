package storage

// clientColumns are the columns of an OAuth client c, in the order of clientFields.
const clientColumns = `c.id::text, c.registration_type::text, c.client_type::text, c.token_endpoint_auth_method,
	string_to_array(c.redirect_uris, ','), string_to_array(c.grant_types, ','), coalesce(c.client_name, ''), coalesce(c.client_uri, ''),
	coalesce(c.logo_uri, ''), c.created_at, c.updated_at, coalesce(c.client_secret_hash, '')`

// Clients.
const (
	clientByID   = `select ` + clientColumns + ` from auth.oauth_clients c where c.id = $1 and c.deleted_at is null`
	clientLocked = clientByID + ` for update`

	clientsPage = `select count(*) over (), ` + clientColumns + ` from auth.oauth_clients c where c.deleted_at is null
		order by c.created_at desc, c.id limit $1 offset $2`
	countClients = `select count(*) from auth.oauth_clients c where c.deleted_at is null`

	insertClient = `insert into auth.oauth_clients (id, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
			client_name, client_uri, logo_uri, client_secret_hash, created_at, updated_at)
		values ($1, $2::auth.oauth_registration_type, $3::auth.oauth_client_type, $4, $5, $6, nullif($7, ''), nullif($8, ''), nullif($9, ''),
			nullif($10, ''), $11, $11)`

	updateClient = `update auth.oauth_clients set token_endpoint_auth_method = $2, redirect_uris = $3, grant_types = $4, client_name = nullif($5, ''),
			client_uri = nullif($6, ''), logo_uri = nullif($7, ''), client_secret_hash = nullif($8, ''), updated_at = $9
		where id = $1`

	// The row of a deleted client is kept with its consents, as a record. Its sessions are deleted.
	deleteClient      = `update auth.oauth_clients set deleted_at = $2 where id = $1 and deleted_at is null`
	endClientSessions = `delete from auth.sessions where oauth_client_id = $1`
)

// Authorizations.
const (
	insertAuthorization = `insert into auth.oauth_authorizations (id, authorization_id, client_id, redirect_uri, scope, state, nonce, resource,
			code_challenge, code_challenge_method, created_at, expires_at)
		values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, $8, $9::auth.code_challenge_method, $10, $11)`

	authorizationColumns = `a.id::text, a.authorization_id, a.status::text, coalesce(a.user_id::text, ''), a.redirect_uri, a.scope,
		coalesce(a.state, ''), coalesce(a.nonce, ''), coalesce(a.resource, ''), coalesce(a.code_challenge, ''),
		coalesce(a.code_challenge_method::text, ''), a.expires_at, a.approved_at, a.authenticated_at, coalesce(a.session_id::text, '')`

	authorizationByName = `select ` + authorizationColumns + `, ` + clientColumns + `
		from auth.oauth_authorizations a join auth.oauth_clients c on c.id = a.client_id
		where a.authorization_id = $1 and c.deleted_at is null for update of a`

	authorizationByCode = `select ` + authorizationColumns + ` from auth.oauth_authorizations a
		where a.authorization_code = $1 and a.client_id = $2 and a.status = 'approved' for update`

	bindAuthorization    = `update auth.oauth_authorizations set user_id = $2 where id = $1`
	approveAuthorization = `update auth.oauth_authorizations
		set status = 'approved', approved_at = $2, authorization_code = $3, expires_at = $4, authenticated_at = $5 where id = $1`
	denyAuthorization   = `update auth.oauth_authorizations set status = 'denied' where id = $1`
	expireAuthorization = `update auth.oauth_authorizations set status = 'expired' where id = $1`
	noteExchange        = `update auth.oauth_authorizations set session_id = $2 where id = $1`

	// clientRefreshToken returns the session of a client's unused refresh token.
	clientRefreshToken = `select s.id::text, s.user_id::text from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id
		where t.token = $1 and s.oauth_client_id = $2 and not t.revoked`
)

// Consents.
const (
	consentOf = `select k.scopes from auth.oauth_consents k where k.user_id = $1 and k.client_id = $2 and k.revoked_at is null`

	// consentLocked returns the consent that a code is based on. It excludes a new consent given
	// after the original one was revoked. The locks keep the consent from being revoked and the
	// client from being deleted before the end of the transaction.
	consentLocked = `select k.scopes from auth.oauth_consents k join auth.oauth_clients c on c.id = k.client_id
		where k.user_id = $1 and k.client_id = $2 and k.revoked_at is null and k.granted_at <= $3 and c.deleted_at is null
		for share of k, c`

	// saveConsent keeps the time of an existing consent, so that codes based on it stay valid.
	saveConsent = `insert into auth.oauth_consents as k (id, user_id, client_id, scopes, granted_at)
		values (gen_random_uuid(), $1, $2, $3, $4)
		on conflict (user_id, client_id) do update set scopes = excluded.scopes, revoked_at = null,
			granted_at = case when k.revoked_at is null then k.granted_at else excluded.granted_at end`

	consentsOfUser = `select k.client_id::text, coalesce(c.client_name, ''), coalesce(c.client_uri, ''), coalesce(c.logo_uri, ''), k.scopes, k.granted_at
		from auth.oauth_consents k join auth.oauth_clients c on c.id = k.client_id
		where k.user_id = $1 and k.revoked_at is null and c.deleted_at is null order by k.granted_at desc, k.client_id`

	revokeConsent = `update auth.oauth_consents set revoked_at = greatest($3, granted_at)
		where user_id = $1 and client_id = $2 and revoked_at is null`
	endGrantSessions = `delete from auth.sessions where user_id = $1 and oauth_client_id = $2`
)
