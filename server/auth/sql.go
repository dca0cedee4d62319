package auth

import (
	"plaza/server/auth/users"
)

const (

	// userOfToken is the signed-in user, with the session the token was made for.
	userOfToken = `select ` + users.Columns + sessionColumns + `, '[]'::json` + ofToken

	// callerOfToken also tells how the session was signed in to.
	callerOfToken = `select ` + users.Columns + sessionColumns + `, ` + sessionMethods + ofToken

	sessionColumns = `, s.id::text, s.created_at, coalesce(s.oauth_client_id::text, ''), coalesce(s.scopes, '')`
	ofToken        = ` from auth.users u left join auth.sessions s on s.id = $2 and s.user_id = u.id where u.id = $1`

	// sessionMethods lists how a session s was signed in to, newest first.
	sessionMethods = `(select coalesce(json_agg(json_build_object('method', a.authentication_method,
		'timestamp', floor(extract(epoch from a.updated_at))::int8) order by a.updated_at desc, a.authentication_method), '[]')
		from auth.mfa_amr_claims a where a.session_id = s.id)`
)

// Sign-up.
const (
	insertUser = `insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data,
			raw_user_meta_data, created_at, updated_at, is_anonymous)
		values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`

	// identityData is what an identity says of the person: $1 the data of the
	// sign-up, $2 the user's id, $3 the mail address, $4 the phone number.
	identityData = `$1::jsonb || jsonb_strip_nulls(jsonb_build_object('sub', $2::text, 'email', $3::text, 'phone', $4::text))
		|| '{"email_verified": false, "phone_verified": false}'`

	insertIdentity = `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $2::text, $2::text::uuid, ` + identityData + `, $5, $6, $6, $6)`

	confirmUser = `update auth.users u
		set email_confirmed_at = $2, confirmation_token = '', updated_at = $2,
			raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"email_verified": true}'
		where u.id = $1`

	// confirmPhone leaves a user without a name no longer anonymous.
	confirmPhone = `update auth.users u
		set phone_confirmed_at = $2, confirmation_token = '', updated_at = $2, is_anonymous = false,
			raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"phone_verified": true}'
		where u.id = $1`

	confirmPhoneIdentity = `update auth.identities i
		set identity_data = i.identity_data || '{"phone_verified": true}', updated_at = $2
		where i.user_id = $1 and i.provider = 'phone'`

	replacePassword = `update auth.users set encrypted_password = $2 where id = $1`

	// setUnknownPassword gives an invited user a password nobody knows, so that
	// one has to be set.
	setUnknownPassword = `update auth.users set encrypted_password = $2 where id = $1 and coalesce(encrypted_password, '') = ''`

	confirmIdentity = `update auth.identities i
		set identity_data = i.identity_data || '{"email_verified": true}', updated_at = $2
		from auth.users u where u.id = i.user_id and i.user_id = $1 and i.email = u.email`

	// refreshProviders writes the account's providers into its app metadata.
	refreshProviders = `update auth.users u
		set raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || p.data
		from (select jsonb_build_object('providers', jsonb_agg(g.provider order by g.since), 'provider', (array_agg(g.provider order by g.since))[1]) as data
			from (select i.provider, min(i.created_at) as since from auth.identities i where i.user_id = $1 group by i.provider) g
			having count(*) > 0) p
		where u.id = $1 and not coalesce(u.raw_app_meta_data, '{}') @> p.data`
)

// Sessions.
const (
	insertSession = `insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, oauth_client_id, scopes)
		values ($1, $2, $3, $3, 'aal1', $4, $5, nullif($6, '')::uuid, nullif($7, ''))`

	insertRefresh = `insert into auth.refresh_tokens (instance_id, token, user_id, revoked, created_at, updated_at, parent, session_id)
		values ('00000000-0000-0000-0000-000000000000', $1, $2, false, $3, $3, '', $4)`

	insertMethod = `insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
		values (gen_random_uuid(), $1, $2, $2, $3)`

	noteSignIn = `update auth.users set last_sign_in_at = $2, updated_at = $2 where id = $1`

	// refreshSession takes a token of the caller's bucket first; who has none left
	// spends no refresh token. Nor does an OAuth client one of another session than
	// its own, which look to it like none.
	refreshSession = `select l.wait, r.outcome, coalesce(r.token, ''), coalesce(r.session_id::text, ''), coalesce(r.refreshed, false),
			coalesce(r.user_id::text, ''), s.created_at, coalesce(s.oauth_client_id::text, ''), coalesce(s.scopes, ''), ` + sessionMethods + `,` + users.Columns + `
		from (select auth.spend_limit($14, $15, $16, $3) as wait) l
		cross join lateral auth.refresh_session(
			case when l.wait = 0 and not exists (select from auth.refresh_tokens t join auth.sessions o on o.id = t.session_id
				where t.token = $1 and coalesce(o.oauth_client_id::text, '') <> $17::text) then $1::text end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) r
		left join auth.users u on u.id = r.user_id
		left join auth.sessions s on s.id = r.session_id`

	endAll    = `delete from auth.sessions where user_id = $1`
	endOne    = `delete from auth.sessions where user_id = $1 and id = $2`
	endOthers = `delete from auth.sessions where user_id = $1 and id <> $2`
)

// One-time tokens. A code and a link belong together: spending one spends both.
const (
	noteChangeOld = `update auth.users set email_change = $2, email_change_token_current = $3, email_change_sent_at = $4,
		email_change_confirm_status = 0, updated_at = $4 where id = $1`
	noteChangeNew = `update auth.users set email_change = $2, email_change_token_new = $3, email_change_sent_at = $4,
		email_change_confirm_status = 0, updated_at = $4 where id = $1`

	noteInvite = `update auth.users set invited_at = $2, confirmation_token = $3, confirmation_sent_at = $2, updated_at = $2 where id = $1`

	halfChange = `update auth.users set email_change_confirm_status = 1, updated_at = $2 where id = $1`

	finishChange = `update auth.users u
		set email = u.email_change, email_change = '', email_change_token_new = '', email_change_token_current = '',
			email_change_confirm_status = 0, updated_at = $2, is_anonymous = false,
			email_confirmed_at = coalesce(u.email_confirmed_at, $2),
			raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"email_verified": true}'
		where u.id = $1`

	beginChange = `update auth.users set email_change = $2, updated_at = $3 where id = $1`

	finishPhoneChange = `update auth.users u
		set phone = $2, phone_change = '', phone_change_token = '', phone_confirmed_at = $3, updated_at = $3, is_anonymous = false
		where u.id = $1`

	changePhoneIdentity = `insert into auth.identities as i (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $1::text, $1::text::uuid, jsonb_build_object('sub', $1::text, 'phone', $2::text, 'email_verified', false, 'phone_verified', true),
			'phone', $3, $3, $3)
		on conflict (provider_id, provider) do update
		set identity_data = i.identity_data || jsonb_build_object('phone', $2::text, 'phone_verified', true), updated_at = $3`

	changeIdentity = `insert into auth.identities as i (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $1::text, $1::text::uuid, jsonb_build_object('sub', $1::text, 'email', $2::text, 'email_verified', true, 'phone_verified', false),
			'email', $3, $3, $3)
		on conflict (provider_id, provider) do update
		set identity_data = i.identity_data || jsonb_build_object('email', $2::text, 'email_verified', true), updated_at = $3`
)

// Account.
const (
	// setPassword ends what was begun under the old password, too.
	setPassword = `update auth.users
		set encrypted_password = $2, updated_at = $3, confirmation_token = '', confirmation_sent_at = null, recovery_token = '', recovery_sent_at = null,
			email_change_token_current = '', email_change_token_new = '', email_change_sent_at = null,
			phone_change_token = '', phone_change_sent_at = null, reauthentication_token = '', reauthentication_sent_at = null
		where id = $1`

	mergeAppData = `update auth.users u
		set raw_app_meta_data = (coalesce(u.raw_app_meta_data, '{}') || $2::jsonb) - $3::text[], updated_at = $4
		where u.id = $1`

	mergeData = `update auth.users u
		set raw_user_meta_data = (coalesce(u.raw_user_meta_data, '{}') || $2::jsonb) - $3::text[], updated_at = $4
		where u.id = $1`
)
