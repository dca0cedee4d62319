package session

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/claims"
)

// Current is the user of a request's access token, with the session it is of.
type Current struct {
	User    *users.User
	ID      string // empty for a token without one
	Began   *time.Time
	Methods []UsedMethod
	Held    Grant // to an OAuth client; without one, of a session of the user's own
}

// Strong reports whether the session is of the second level.
func (in *Current) Strong() bool { return Level(in.Methods) == "aal2" }

// Find returns the user and the session of an access token. Both are looked up each
// time, so that a sign-out or a ban takes effect at once. ended says that the session
// is known to have ended; its row may be there.
//
// Errors: 400 bad_jwt; 403 bad_jwt, user_not_found, session_not_found, user_banned.
func (s *Sessions) Find(ctx context.Context, who claims.Caller, ended bool) (*Current, error) {
	return s.find(ctx, callerOfToken, who, ended)
}

// FindUser is Find without the methods of signing in.
func (s *Sessions) FindUser(ctx context.Context, who claims.Caller, ended bool) (*Current, error) {
	return s.find(ctx, userOfToken, who, ended)
}

func (s *Sessions) find(ctx context.Context, sql string, who claims.Caller, ended bool) (*Current, error) {
	switch {
	case who.Subject == "":
		return nil, autherr.Forbidden(autherr.CodeBadJWT, "invalid claim: missing sub claim")
	case !store.IsUUID(who.Subject):
		return nil, autherr.BadRequest(autherr.CodeBadJWT, "invalid claim: sub claim must be a UUID")
	case who.SessionID != "" && !store.IsUUID(who.SessionID):
		return nil, autherr.Forbidden(autherr.CodeBadJWT, "invalid claim: session_id claim must be a UUID")
	}
	session := &who.SessionID
	if who.SessionID == "" || who.SessionID == NilUUID {
		session = nil
	}
	in := &Current{User: &users.User{}}
	var found *string
	var methods json.RawMessage
	err := s.db.QueryRow(ctx, sql, []any{who.Subject, session}, append(in.User.Targets(), &found, &in.Began, &in.Held.Client, &in.Held.Scopes, &methods)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, autherr.Forbidden(autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	case err != nil:
		return nil, err
	case session != nil && found == nil:
		return nil, ErrSessionGone
	case in.User.Banned(s.now()):
		return nil, ErrBanned
	case ended: // its row is kept where a stolen refresh token was used
		return nil, ErrSessionGone
	}
	in.User.Normalize()
	if found != nil {
		in.ID = *found
	}
	in.Methods, err = parseMethods(methods)
	return in, err
}

// CheckVerified translates what the verifier said of an access token. Where the token's
// session has ended, or its user is banned, it leaves the refusal to Find, which knows the
// order in which upstream checks.
//
// Errors: 403 bad_jwt.
func CheckVerified(err error) (ended bool, refused error) {
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return true, nil
	case err == nil, errors.Is(err, claims.ErrUserBanned):
		return false, nil
	}
	return false, autherr.Forbidden(autherr.CodeBadJWT, "invalid JWT: unable to parse or verify signature, %v", err)
}

// linkFreshness is how long a session that began with a mailed link or code may
// set a password without the current one.
const linkFreshness = time.Hour

// Recovering reports whether the user may have forgotten the password: the session
// began with a recovery, or just now with a link, which is what a recovery
// outside of a PKCE flow is recorded as.
func (in *Current) Recovering(now time.Time) bool {
	fresh := in.Began != nil && now.Before(in.Began.Add(linkFreshness))
	return slices.ContainsFunc(in.Methods, func(used UsedMethod) bool {
		return used.Method == MethodRecovery || fresh && (used.Method == MethodOTP || used.Method == MethodMagicLink)
	})
}

// Authenticated is when the user last showed who they are: in the session, by
// the newest of its methods.
func (in *Current) Authenticated(now time.Time) time.Time {
	switch {
	case len(in.Methods) > 0:
		return time.Unix(in.Methods[0].Timestamp, 0)
	case in.Began != nil:
		return *in.Began
	}
	return now
}

// NilUUID names nobody and nothing.
const NilUUID = "00000000-0000-0000-0000-000000000000"
