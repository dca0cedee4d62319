package api

import (
	"context"
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
func (s *base) caller(r *http.Request) (*session.Current, error) {
	in, err := s.lookUp(r, s.Sessions.Find)
	if err == nil && in.Held.Client != "" {
		return nil, errDelegated
	}
	return in, err
}

// anyCaller returns the signed-in user, also where an OAuth client calls for them,
// without the methods of signing in.
//
// Errors: those of lookUp.
func (s *base) anyCaller(r *http.Request) (*session.Current, error) {
	return s.lookUp(r, s.Sessions.FindUser)
}

// lookUp returns the user whose access token a request carries.
//
// Errors: 401 no_authorization; 403 bad_jwt; those of session.Sessions.Find.
func (s *base) lookUp(r *http.Request, find func(context.Context, claims.Caller, bool) (*session.Current, error)) (*session.Current, error) {
	who, ok, err := s.Auth.Bearer(r)
	if err == nil && !ok {
		return nil, errNoToken
	}
	ended, refused := session.CheckVerified(err)
	if refused != nil {
		return nil, refused
	}
	return find(r.Context(), who, ended)
}

// tokenError is the answer to a token that the verifier refused.
//
// Errors: 403 bad_jwt, session_not_found, user_banned.
func tokenError(err error) error {
	ended, refused := session.CheckVerified(err)
	switch {
	case refused != nil:
		return refused
	case ended:
		return session.ErrSessionGone
	}
	return session.ErrBanned
}
