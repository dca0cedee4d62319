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

// Current is the user and the session of a request's access token.
type Current struct {
	User      *users.User
	ID        string // of the session; empty for a token without one
	StartedAt *time.Time
	Methods   []UsedMethod
	Grant     Grant // Client is empty unless the session belongs to an OAuth client
}

// IsAAL2 reports whether the session has reached aal2.
func (current *Current) IsAAL2() bool { return Level(current.Methods) == "aal2" }

// Find returns the user and the session of an access token. Both are read from the
// database on every call, so that a sign-out or a ban takes effect at once. ended means
// that the session is known to have ended, even if its row still exists.
//
// Errors: 400 bad_jwt; 403 bad_jwt, user_not_found, session_not_found, user_banned.
func (s *Sessions) Find(ctx context.Context, who claims.Caller, ended bool) (*Current, error) {
	return s.find(ctx, callerOfToken, who, ended)
}

// FindUser is Find without the sign-in methods.
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
	current := &Current{User: &users.User{}}
	var found *string
	var methods json.RawMessage
	err := s.db.QueryRow(ctx, sql, []any{who.Subject, session}, append(current.User.ScanTargets(), &found, &current.StartedAt, &current.Grant.Client, &current.Grant.Scopes, &methods)...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, autherr.Forbidden(autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	case err != nil:
		return nil, err
	case session != nil && found == nil:
		return nil, ErrSessionNotFound
	case current.User.Banned(s.now()):
		return nil, ErrBanned
	case ended: // the row is kept after the reuse of a stolen refresh token
		return nil, ErrSessionNotFound
	}
	current.User.Normalize()
	if found != nil {
		current.ID = *found
	}
	current.Methods, err = parseMethods(methods)
	return current, err
}

// TranslateVerifyError translates the verifier's error about an access token. If the session has
// ended or the user is banned, the error is left to Find, which checks in upstream's order.
//
// Errors: 403 bad_jwt.
func TranslateVerifyError(err error) (ended bool, refused error) {
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return true, nil
	case err == nil, errors.Is(err, claims.ErrUserBanned):
		return false, nil
	}
	return false, autherr.Forbidden(autherr.CodeBadJWT, "invalid JWT: unable to parse or verify signature, %v", err)
}

// linkMaxAge is how long a session that began with a mailed link or code may
// set a password without entering the current one.
const linkMaxAge = time.Hour

// IsRecovery reports whether the user may have forgotten the password: the session
// began with a recovery, or recently with a link. A recovery outside of a PKCE flow
// is recorded as a link.
func (current *Current) IsRecovery(now time.Time) bool {
	fresh := current.StartedAt != nil && now.Before(current.StartedAt.Add(linkMaxAge))
	return slices.ContainsFunc(current.Methods, func(used UsedMethod) bool {
		return used.Method == MethodRecovery || fresh && (used.Method == MethodOTP || used.Method == MethodMagicLink)
	})
}

// AuthenticatedAt returns when the user last authenticated in the session.
func (current *Current) AuthenticatedAt(now time.Time) time.Time {
	switch {
	case len(current.Methods) > 0:
		return time.Unix(current.Methods[0].Timestamp, 0)
	case current.StartedAt != nil:
		return *current.StartedAt
	}
	return now
}

// NilUUID is the all-zero UUID, which no row has.
const NilUUID = "00000000-0000-0000-0000-000000000000"
