package auth

import (
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/users"
)

// What admins do to accounts.
const (
	banUser      = `update auth.users set banned_until = $2, updated_at = $3 where id = $1`
	setRole      = `update auth.users set role = $2, updated_at = $3 where id = $1`
	setEmail     = `update auth.users set email = $2, updated_at = $3 where id = $1`
	setPhone     = `update auth.users set phone = $2, updated_at = $3 where id = $1`
	notAnonymous = `update auth.users set is_anonymous = false where id = $1`
	deleteUser   = `delete from auth.users where id = $1`

	// setIdentity gives the account's identity of a kind of contact another
	// address or number; $2 is the kind, $3 the value.
	setIdentity = `insert into auth.identities as i (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $1::text, $1::text::uuid,
			'{"email_verified": false, "phone_verified": false}' || jsonb_build_object('sub', $1::text, $2::text, $3::text, $2::text || '_verified', $4::bool), $2, $5, $5, $5)
		on conflict (provider_id, provider) do update
		set identity_data = i.identity_data || jsonb_build_object($2::text, $3::text, $2::text || '_verified', $4::bool), updated_at = $5`

	// noteDeletion leaves of an account what cannot be led back to a person: a
	// hash keeps two deleted accounts of one address apart.
	noteDeletion = `update auth.users u
		set email = auth.blur(u.id, u.email), phone = left(auth.blur(u.id, u.phone), 15), email_change = coalesce(auth.blur(u.id, u.email_change), ''),
			phone_change = coalesce(left(auth.blur(u.id, u.phone_change), 15), ''), encrypted_password = null, confirmation_token = '', recovery_token = '',
			email_change_token_current = '', email_change_token_new = '', phone_change_token = '', reauthentication_token = '',
			raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = coalesce(u.deleted_at, $2)
		where u.id = $1 and u.deleted_at is null`
)

// softDeletion are the statements of a deletion that keeps the account's row.
var softDeletion = []string{
	message.ClearAllTokens, session.EndAll,
	`delete from auth.mfa_factors where user_id = $1`,
	`delete from auth.webauthn_credentials where user_id = $1`,
	`update auth.identities i set identity_data = '{}', provider_id = auth.blur(i.user_id, i.provider || ':' || i.provider_id)
		where i.user_id = $1 and exists (select from auth.users u where u.id = $1 and u.deleted_at is null)`,
}

// Lists for admins, a page of them with the number of all.
const (
	// usersPage: $2 is a part of the address or the name; $3 the order.
	usersPage = `with found as (
			select u.*, count(*) over () as total from auth.users u
			where u.aud = $1 and ($2 = '' or u.email like '%' || $2 || '%' or u.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'))
		select u.total, ` + users.Columns + ` from found u
		order by case when $3 then u.created_at end asc, case when not $3 then u.created_at end desc, u.id limit $4 offset $5`

	countUsers = `select count(*) from auth.users u
		where u.aud = $1 and ($2 = '' or u.email like '%' || $2 || '%' or u.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%')`

	sessionsOf = `select coalesce(json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'created_at', s.created_at, 'updated_at', s.updated_at,
			'refreshed_at', s.refreshed_at at time zone 'utc', 'not_after', s.not_after, 'aal', s.aal, 'factor_id', s.factor_id, 'user_agent', s.user_agent,
			'ip', host(s.ip), 'tag', s.tag, 'oauth_client_id', s.oauth_client_id, 'amr', ` + session.MethodsSQL + `) order by s.created_at desc, s.id), '[]')
		from auth.sessions s where s.user_id = $1`
)
