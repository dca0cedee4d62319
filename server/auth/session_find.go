package auth

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/claims"
)

// find gives the user of an access token, as sql reads it. The account and the
// session are looked up each time, so that a sign-out or a ban takes effect at
// once. ended says that the session is known to have ended; its row may be there.
//
// Errors: 400 bad_jwt; 403 bad_jwt, user_not_found, session_not_found, user_banned.
func (s *sessions) find(ctx context.Context, sql string, who claims.Caller, ended bool) (*signedIn, error) {
	switch {
	case who.Subject == "":
		return nil, autherr.Forbidden(autherr.CodeBadJWT, "invalid claim: missing sub claim")
	case !store.IsUUID(who.Subject):
		return nil, autherr.BadRequest(autherr.CodeBadJWT, "invalid claim: sub claim must be a UUID")
	case who.SessionID != "" && !store.IsUUID(who.SessionID):
		return nil, autherr.Forbidden(autherr.CodeBadJWT, "invalid claim: session_id claim must be a UUID")
	}
	session := &who.SessionID
	if who.SessionID == "" || who.SessionID == nilUUID {
		session = nil
	}
	in := &signedIn{user: &users.User{}}
	var found *string
	var methods json.RawMessage
	err := s.store.QueryRow(ctx, sql, []any{who.Subject, session}, append(in.user.Targets(), &found, &in.began, &in.held.client, &in.held.scopes, &methods)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, autherr.Forbidden(autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	case err != nil:
		return nil, err
	case session != nil && found == nil:
		return nil, errSessionGone
	case in.user.Banned(s.now()):
		return nil, errBanned
	case ended: // its row is kept where a stolen refresh token was used
		return nil, errSessionGone
	}
	in.user.Normalize()
	if found != nil {
		in.session = *found
	}
	in.methods, err = parseMethods(methods)
	return in, err
}

const nilUUID = "00000000-0000-0000-0000-000000000000"

// signedIn is the user of a request's access token, with the session it is of.
type signedIn struct {
	user    *users.User
	session string // empty for a token without one
	began   *time.Time
	methods []authMethod
	held    grant // to an OAuth client; without one, of a session of the user's own
}

// linkFreshness is how long a session that began with a mailed link or code may
// set a password without the current one.
const linkFreshness = time.Hour

// recovering tells whether the user may have forgotten the password: the session
// began with a recovery, or just now with a link, which is what a recovery
// outside of a PKCE flow is recorded as.
func (in *signedIn) recovering(now time.Time) bool {
	fresh := in.began != nil && now.Before(in.began.Add(linkFreshness))
	return slices.ContainsFunc(in.methods, func(used authMethod) bool {
		return used.Method == session.MethodRecovery || fresh && (used.Method == session.MethodOTP || used.Method == session.MethodMagicLink)
	})
}
