package importer

const (
	prepare = `set local role supabase_auth_admin;
		create temp table import_accounts (
			number int, place text, id uuid, email text, phone text, hash text, user_data jsonb, app_data jsonb, created_at timestamptz,
			signed_in_at timestamptz, confirmed boolean, verified boolean, banned boolean, identities jsonb
		) on commit drop`

	// findTaken lists accounts that already exist or are twice in the file.
	findTaken = `
		select format('%s: %s %s', a.place, coalesce(a.email, a.phone, a.id::text), 'is there already')
		from import_accounts a
		where exists (select from auth.users u where u.email = a.email and not u.is_sso_user)
			or exists (select from auth.users u where u.phone = a.phone) or exists (select from auth.users u where u.id = a.id)
		union all
		select format('%s: %s is also in %s', max(place), key, min(place))
		from (
			select place, email as key from import_accounts where email is not null
			union all select place, phone from import_accounts where phone is not null
			union all select place, id::text from import_accounts where id is not null
		) k group by key having count(*) > 1
		limit $1`

	insertUsers = `
		with made as (update import_accounts set id = coalesce(id, gen_random_uuid()) returning *)
		insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at, phone_confirmed_at,
			raw_app_meta_data, raw_user_meta_data, created_at, updated_at, last_sign_in_at, banned_until)
		select '00000000-0000-0000-0000-000000000000', id, 'authenticated', 'authenticated', email, phone, hash,
			case when confirmed and email is not null then created_at end, case when verified and phone is not null then created_at end,
			app_data, user_data, created_at, created_at, signed_in_at, case when banned then timestamptz '9999-12-31 00:00:00Z' end
		from made order by number`

	insertIdentities = `
		insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
		select coalesce(nullif(i ->> 'id', ''), a.id::text), a.id, (i -> 'data') || jsonb_build_object('sub', coalesce(nullif(i ->> 'id', ''), a.id::text)),
			i ->> 'provider', a.signed_in_at, a.created_at, a.created_at
		from import_accounts a, jsonb_array_elements(a.identities) i`
)
