package auth

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
