package session

import (
	"plaza/server/auth/users"
)

const (
	// userOfToken returns the signed-in user and the session of the token.
	userOfToken = `select ` + users.Columns + sessionColumns + `, '[]'::json` + ofToken

	// callerOfToken also returns the session's sign-in methods.
	callerOfToken = `select ` + users.Columns + sessionColumns + `, ` + methodsSQL + ofToken

	sessionColumns = `, s.id::text, s.created_at, coalesce(s.oauth_client_id::text, ''), coalesce(s.scopes, '')`
	ofToken        = ` from auth.users u left join auth.sessions s on s.id = $2 and s.user_id = u.id where u.id = $1`

	// methodsSQL lists the sign-in methods of a session s, newest first.
	methodsSQL = `(select coalesce(json_agg(json_build_object('method', a.authentication_method,
		'timestamp', floor(extract(epoch from a.updated_at))::int8) order by a.updated_at desc, a.authentication_method), '[]')
		from auth.mfa_amr_claims a where a.session_id = s.id)`
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

	// refreshSession rotates a refresh token: auth.refresh_session, last defined in sql/bootstrap/0019_auth_refused_tokens.sql.
	// It takes a token from the caller's rate limit bucket first. If the bucket is
	// empty, no refresh token is consumed. An OAuth client cannot consume refresh tokens of
	// sessions other than its own; they look unknown to it.
	refreshSession = `select l.wait, r.outcome, coalesce(r.token, ''), coalesce(r.session_id::text, ''), coalesce(r.refreshed, false),
			coalesce(r.user_id::text, ''), s.created_at, coalesce(s.oauth_client_id::text, ''), coalesce(s.scopes, ''), ` + methodsSQL + `,` + users.Columns + `
		from (select auth.spend_limit($14, $15, $16, $3) as wait) l
		cross join lateral auth.refresh_session(
			case when l.wait = 0 and not exists (select from auth.refresh_tokens t join auth.sessions o on o.id = t.session_id
				where t.token = $1 and coalesce(o.oauth_client_id::text, '') <> $17::text) then $1::text end, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) r
		left join auth.users u on u.id = r.user_id
		left join auth.sessions s on s.id = r.session_id`

	endAll    = `delete from auth.sessions where user_id = $1`
	endOne    = `delete from auth.sessions where user_id = $1 and id = $2`
	endOthers = `delete from auth.sessions where user_id = $1 and id <> $2`

	sessionsOf = `select coalesce(json_agg(json_build_object('id', s.id, 'user_id', s.user_id, 'created_at', s.created_at, 'updated_at', s.updated_at,
			'refreshed_at', s.refreshed_at at time zone 'utc', 'not_after', s.not_after, 'aal', s.aal, 'factor_id', s.factor_id, 'user_agent', s.user_agent,
			'ip', host(s.ip), 'tag', s.tag, 'oauth_client_id', s.oauth_client_id, 'amr', ` + methodsSQL + `) order by s.created_at desc, s.id), '[]')
		from auth.sessions s where s.user_id = $1`
)

// Statements that upgrade a session after a factor was verified.
const (
	lockSession = `select ` + methodsSQL + `, s.created_at, coalesce(s.oauth_client_id::text, ''), coalesce(s.scopes, '')
		from auth.sessions s where s.id = $1 and s.user_id = $2 for update of s`

	upgradeSession = `update auth.sessions s set aal = 'aal2', factor_id = $2, updated_at = $3 where s.id = $1`

	addMethod = `insert into auth.mfa_amr_claims as a (id, session_id, created_at, updated_at, authentication_method)
		values (gen_random_uuid(), $1, $2, $2, $3)
		on conflict (session_id, authentication_method) do update set updated_at = excluded.updated_at`

	// endRefresh deletes the refresh tokens of the lower level. A token that is only marked
	// as used would still be accepted for a while.
	endRefresh = `delete from auth.refresh_tokens r where r.session_id = $1`

	endLowerSessions = `delete from auth.sessions s where s.user_id = $1 and s.id <> $2 and coalesce(s.aal, 'aal1') < 'aal2'`

	methodsOf = `select ` + methodsSQL + ` from auth.sessions s where s.id = $1`
)
