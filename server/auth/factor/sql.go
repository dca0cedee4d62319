package factor

// Second factors. All changes to a user's factors are serialized by locks on the user's row
// and then the session's row, in this order: see session.Sessions.Lock.
const (
	factorColumns = `f.id::text, f.factor_type::text, f.status = 'verified', coalesce(f.friendly_name, ''), coalesce(f.phone, ''),
		coalesce(f.secret, ''), coalesce(f.last_step, 0), f.last_challenged_at, f.web_authn_credential, f.failures, f.locked_until`

	factorByID    = `select ` + factorColumns + ` from auth.mfa_factors f where f.user_id = $1 and f.id = $2`
	factorsOfUser = `select ` + factorColumns + ` from auth.mfa_factors f where f.user_id = $1 order by f.created_at, f.id`

	insertFactor = `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret, phone)
		values ($1, $2, $3, $4::auth.factor_type, $5::auth.factor_status, $6, $6, nullif($7, ''), nullif($8, ''))`

	// dropStale removes unverified factors created before $2, unless a challenge created after
	// $3 can still verify them.
	dropStale = `delete from auth.mfa_factors f where f.user_id = $1 and f.status = 'unverified' and f.created_at < $2
		and not exists (select from auth.mfa_challenges c where c.factor_id = f.id and c.created_at > $3)`

	// dropUnverified removes the unverified factors of a type.
	dropUnverified = `delete from auth.mfa_factors f where f.user_id = $1 and f.status = 'unverified' and f.factor_type::text = $2`

	deleteFactor = `delete from auth.mfa_factors f where f.id = $1`

	// useFactor records a success: $3 is the time step of a TOTP code, $4 and $5 are the
	// credential and its authenticator's model.
	useFactor = `update auth.mfa_factors f
		set status = 'verified', last_used_at = $2, last_step = coalesce($3, f.last_step), failures = 0, locked_until = null,
			web_authn_credential = coalesce($4, f.web_authn_credential), web_authn_aaguid = coalesce($5, f.web_authn_aaguid),
			updated_at = case when f.status = 'verified' then f.updated_at else $2 end
		where f.id = $1`

	// countFactorFailure counts a wrong code; $2 consecutive ones lock the factor until $3.
	countFactorFailure = `update auth.mfa_factors f
		set failures = case when f.failures + 1 < $2 then f.failures + 1 else 0 end,
			locked_until = case when f.failures + 1 < $2 then f.locked_until else $3 end
		where f.id = $1`

	renameFactor = `update auth.mfa_factors f set friendly_name = coalesce($2, f.friendly_name), phone = coalesce($3, f.phone), updated_at = $4 where f.id = $1`

	// dropMethod removes the method $3 of the factor $2 from the user's sessions that used
	// it, or from all of the user's sessions if no other factor of its type is left.
	dropMethod = `delete from auth.mfa_amr_claims a using auth.sessions s
		where s.id = a.session_id and s.user_id = $1 and a.authentication_method = $3 and (s.factor_id = $2 or not exists (
			select from auth.mfa_factors f where f.user_id = $1 and f.id <> $2 and f.factor_type::text = $4 and f.status = 'verified'))`

	// downgradeSessions downgrades the user's sessions whose methods no longer reach aal2.
	downgradeSessions = `update auth.sessions s
		set aal = 'aal1', factor_id = null
		where s.user_id = $1 and s.aal > 'aal1' and not exists (
			select from auth.mfa_amr_claims a where a.session_id = s.id and a.authentication_method = any ($2))`
)

// Challenges.
const (
	insertChallenge = `insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
		values ($1, $2, $3, $4, $5, $6)`

	noteChallenge = `update auth.mfa_factors f set last_challenged_at = $2 where f.id = $1`

	dropOldChallenges = `delete from auth.mfa_challenges c where c.factor_id = $1 and c.created_at < $2`

	challengeByID = `select c.id::text, c.created_at, c.verified_at is not null, host(c.ip_address), c.attempts, coalesce(c.otp_code, ''), c.web_authn_session_data
		from auth.mfa_challenges c where c.factor_id = $1 and c.id = $2`

	countWrongCode = `update auth.mfa_challenges c set attempts = c.attempts + 1 where c.id = $1`

	dropChallenge = `delete from auth.mfa_challenges c where c.id = $1`

	// clearChallengeTime allows a new request at once after a message could not be sent.
	clearChallengeTime = `update auth.mfa_factors f set last_challenged_at = null where f.id = $1`

	consumeChallenge = `update auth.mfa_challenges c set verified_at = $2 where c.id = $1`
)

// Recovery codes.
const (
	recoveryState = `select f.id::text, coalesce(f.friendly_name, ''), count(c.id)::int4, (count(c.id) filter (where c.used_at is null))::int4,
			coalesce(min(c.created_at), f.created_at)
		from auth.mfa_factors f left join auth.mfa_recovery_codes c on c.factor_id = f.id
		where f.user_id = $1 and f.factor_type = 'recovery_code' group by f.id`

	dropRecoveryCodes = `delete from auth.mfa_recovery_codes c where c.factor_id = $1`

	insertRecoveryCode = `insert into auth.mfa_recovery_codes (factor_id, code_hash, created_at) values ($1, $2, $3)`

	setRecoveryKey = `update auth.mfa_factors f set secret = $2, failures = 0, locked_until = null, updated_at = $3 where f.id = $1`

	useRecoveryCode = `update auth.mfa_recovery_codes c set used_at = $3 where c.factor_id = $1 and c.code_hash = $2 and c.used_at is null`
)

// Passkeys.
const (
	passkeyColumns = `k.id::text, k.friendly_name, k.created_at, k.last_used_at, k.credential_id, k.public_key, k.attestation_type,
		coalesce(decode(replace(k.aaguid::text, '-', ''), 'hex'), '\x00000000000000000000000000000000'), k.sign_count, k.transports, k.backup_eligible, k.backed_up`

	passkeysOfUser = `select ` + passkeyColumns + ` from auth.webauthn_credentials k where k.user_id = $1 order by k.created_at, k.id`
	passkeyOfUser  = `select ` + passkeyColumns + ` from auth.webauthn_credentials k where k.user_id = $1 and k.credential_id = $2 for update of k`

	insertPasskey = `insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, aaguid, sign_count,
			transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)
		values ($1, $2, $3, $4, $5, nullif($6, '')::uuid, $7, $8, $9, $10, $11, $12, $12)`

	usePasskey = `update auth.webauthn_credentials k set sign_count = $2, backed_up = $3, last_used_at = $4, updated_at = $4 where k.id = $1`

	renamePasskey = `update auth.webauthn_credentials k set friendly_name = $3, updated_at = $4 where k.user_id = $1 and k.id = $2
		returning ` + passkeyColumns

	deletePasskey = `delete from auth.webauthn_credentials k where k.user_id = $1 and k.id = $2`

	insertCeremony = `insert into auth.webauthn_challenges (id, user_id, challenge_type, session_data, created_at, expires_at)
		values ($1, $2, $3, $4, $5, $6)`

	consumeCeremony = `delete from auth.webauthn_challenges c where c.id = $1 and c.challenge_type = $2 and c.user_id is not distinct from $3
		returning c.session_data, c.expires_at`

	dropOldCeremonies = `delete from auth.webauthn_challenges c where c.expires_at < $1`
)
