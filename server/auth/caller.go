package auth

import (
	"context"
	"errors"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/claims"
)

var errNoToken = apierr.New(http.StatusUnauthorized, autherr.CodeNoAuthorization, "This endpoint requires a valid Bearer token")

// errDelegated keeps the account to its holder: an app that they signed in to
// reads who they are, and no more.
var errDelegated = autherr.Forbidden(autherr.CodeInsufficientScope, "Sessions of OAuth clients cannot do this")

// caller returns the signed-in user, in a session of their own.
//
// Errors: those of lookUp; 403 insufficient_scope in that of an OAuth client.
func (s *Server) caller(r *http.Request) (*session.Current, error) {
	in, err := s.lookUp(r, s.sessions.Find)
	if err == nil && in.Held.Client != "" {
		return nil, errDelegated
	}
	return in, err
}

// anyCaller returns the signed-in user, also where an OAuth client calls for them,
// without the methods of signing in.
//
// Errors: those of lookUp.
func (s *Server) anyCaller(r *http.Request) (*session.Current, error) {
	return s.lookUp(r, s.sessions.FindUser)
}

// lookUp returns the user whose access token a request carries.
//
// Errors: 401 no_authorization; 403 bad_jwt; those of session.Sessions.Find.
func (s *Server) lookUp(r *http.Request, find func(context.Context, claims.Caller, bool) (*session.Current, error)) (*session.Current, error) {
	who, ok, err := s.deps.Auth.Bearer(r)
	ended := errors.Is(err, claims.ErrSessionEnded)
	switch {
	case ended || errors.Is(err, claims.ErrUserBanned):
		// The database says why in upstream's order: no user comes first.
	case err != nil:
		return nil, tokenError(err)
	case !ok:
		return nil, errNoToken
	}
	return find(r.Context(), who, ended)
}

// tokenError is the answer to a token that the verifier refused.
//
// Errors: 403 bad_jwt, session_not_found, user_banned.
func tokenError(err error) *apierr.Error {
	switch {
	case errors.Is(err, claims.ErrSessionEnded):
		return session.ErrSessionGone
	case errors.Is(err, claims.ErrUserBanned):
		return session.ErrBanned
	}
	return autherr.Forbidden(autherr.CodeBadJWT, "invalid JWT: unable to parse or verify signature, %v", err)
}
