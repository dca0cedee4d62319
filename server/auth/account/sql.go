package account

import (
	"plaza/server/auth/message"
	"plaza/server/auth/users"
)

// Sign-up.
const (
	insertUser = `insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data,
			raw_user_meta_data, created_at, updated_at, is_anonymous)
		values ('00000000-0000-0000-0000-000000000000', $1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10)`

	// identityData builds the data of an identity. $1 is the metadata of the sign-up, $2 the
	// user's id, $3 the email address, $4 the phone number.
	identityData = `$1::jsonb || jsonb_strip_nulls(jsonb_build_object('sub', $2::text, 'email', $3::text, 'phone', $4::text))
		|| '{"email_verified": false, "phone_verified": false}'`

	insertIdentity = `insert into auth.identities (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $2::text, $2::text::uuid, ` + identityData + `, $5, $6, $6, $6)`

	confirmUser = `update auth.users u
		set email_confirmed_at = $2, confirmation_token = '', updated_at = $2,
			raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"email_verified": true}'
		where u.id = $1`

	// confirmPhone also makes an anonymous user a permanent one.
	confirmPhone = `update auth.users u
		set phone_confirmed_at = $2, confirmation_token = '', updated_at = $2, is_anonymous = false,
			raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"phone_verified": true}'
		where u.id = $1`

	confirmPhoneIdentity = `update auth.identities i
		set identity_data = i.identity_data || '{"phone_verified": true}', updated_at = $2
		where i.user_id = $1 and i.provider = 'phone'`

	replacePassword = `update auth.users set encrypted_password = $2 where id = $1`

	// setUnknownPassword stores a hash that no password matches for an invited user without one,
	// so that the user must set a password.
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

// Changes of addresses and numbers.
const (
	noteChangeOld = `update auth.users set email_change = $2, email_change_token_current = $3, email_change_sent_at = $4,
		email_change_confirm_status = 0, updated_at = $4 where id = $1`
	noteChangeNew = `update auth.users set email_change = $2, email_change_token_new = $3, email_change_sent_at = $4,
		email_change_confirm_status = 0, updated_at = $4 where id = $1`

	noteInvite = `update auth.users set invited_at = $2, confirmation_token = $3, confirmation_sent_at = $2, updated_at = $2 where id = $1`

	confirmFirstAddress = `update auth.users set email_change_confirm_status = 1, updated_at = $2 where id = $1`

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
	// setPassword also clears all pending tokens, which were requested under the old password.
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

// dummyInsert takes about as long as the insertion of an account or an identity, and changes
// nothing.
const dummyInsert = `update auth.identities set updated_at = updated_at where user_id = $1 and provider = $2`

// Statements of admin operations.
const (
	banUser      = `update auth.users set banned_until = $2, updated_at = $3 where id = $1`
	setRole      = `update auth.users set role = $2, updated_at = $3 where id = $1`
	setEmail     = `update auth.users set email = $2, updated_at = $3 where id = $1`
	setPhone     = `update auth.users set phone = $2, updated_at = $3 where id = $1`
	notAnonymous = `update auth.users set is_anonymous = false where id = $1`
	deleteUser   = `delete from auth.users where id = $1`

	// setIdentity sets the address or number in the account's identity of a kind. $2 is the
	// kind, $3 the value.
	setIdentity = `insert into auth.identities as i (id, provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		values (gen_random_uuid(), $1::text, $1::text::uuid,
			'{"email_verified": false, "phone_verified": false}' || jsonb_build_object('sub', $1::text, $2::text, $3::text, $2::text || '_verified', $4::bool), $2, $5, $5, $5)
		on conflict (provider_id, provider) do update
		set identity_data = i.identity_data || jsonb_build_object($2::text, $3::text, $2::text || '_verified', $4::bool), updated_at = $5`

	// erasePersonalData removes the personal data of an account and marks it as deleted. Contacts are
	// replaced by hashes that include the account's id, so that two deleted accounts of one address do
	// not collide.
	erasePersonalData = `update auth.users u
		set email = auth.blur(u.id, u.email), phone = left(auth.blur(u.id, u.phone), 15), email_change = coalesce(auth.blur(u.id, u.email_change), ''),
			phone_change = coalesce(left(auth.blur(u.id, u.phone_change), 15), ''), encrypted_password = null, confirmation_token = '', recovery_token = '',
			email_change_token_current = '', email_change_token_new = '', phone_change_token = '', reauthentication_token = '',
			raw_user_meta_data = '{}', raw_app_meta_data = '{}', deleted_at = coalesce(u.deleted_at, $2)
		where u.id = $1 and u.deleted_at is null`
)

// softDeletion are the statements of a deletion that keeps the account's row, except those that
// end its sessions and erase its personal data.
var softDeletion = []string{
	message.ClearAllTokens,
	`delete from auth.mfa_factors where user_id = $1`,
	`delete from auth.webauthn_credentials where user_id = $1`,
	`update auth.identities i set identity_data = '{}', provider_id = auth.blur(i.user_id, i.provider || ':' || i.provider_id)
		where i.user_id = $1 and exists (select from auth.users u where u.id = $1 and u.deleted_at is null)`,
}

// Lists for admins.
const (
	// usersPage returns a page of users with the total count. $2 is a part of the address or
	// the name, escaped for like; $3 is true for the oldest users first.
	usersPage = `with found as (
			select u.*, count(*) over () as total from auth.users u
			where u.aud = $1 and ($2 = '' or u.email like '%' || $2 || '%' or u.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%'))
		select u.total, ` + users.Columns + ` from found u
		order by case when $3 then u.created_at end asc, case when not $3 then u.created_at end desc, u.id limit $4 offset $5`

	countUsers = `select count(*) from auth.users u
		where u.aud = $1 and ($2 = '' or u.email like '%' || $2 || '%' or u.raw_user_meta_data ->> 'full_name' ilike '%' || $2 || '%')`
)

// exportSelf returns all data that the auth server stores about a user, without secrets.
const exportSelf = `select jsonb_build_object(
		'user', (select to_jsonb(u) - '{encrypted_password,confirmation_token,recovery_token,email_change_token_new,email_change_token_current,phone_change_token,reauthentication_token,instance_id}'::text[]
			from auth.users u where u.id = $1),
		'identities', (select coalesce(jsonb_agg(to_jsonb(i) order by i.created_at), '[]') from auth.identities i where i.user_id = $1),
		'oauth_consents', (select coalesce(jsonb_agg(to_jsonb(k) order by k.granted_at), '[]') from auth.oauth_consents k where k.user_id = $1),
		'sessions', (select coalesce(jsonb_agg(to_jsonb(s) - '{refresh_token_hmac_key,refresh_token_counter}'::text[] order by s.created_at), '[]') from auth.sessions s where s.user_id = $1),
		'factors', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'friendly_name', f.friendly_name, 'factor_type', f.factor_type, 'status', f.status,
			'phone', f.phone, 'created_at', f.created_at, 'last_challenged_at', f.last_challenged_at) order by f.created_at), '[]') from auth.mfa_factors f where f.user_id = $1),
		'audit_log', (select coalesce(jsonb_agg(jsonb_build_object('payload', e.payload, 'created_at', e.created_at, 'ip_address', e.ip_address) order by e.created_at), '[]')
			from auth.audit_log_entries e where e.payload ->> 'actor_id' = $1::text))`
