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

// errOAuthClientSession refuses OAuth clients. They may read the user, but not manage the account.
var errOAuthClientSession = autherr.Forbidden(autherr.CodeInsufficientScope, "Sessions of OAuth clients cannot do this")

// caller returns the signed-in user and refuses sessions of OAuth clients.
//
// Errors: those of findCaller; 403 insufficient_scope for the session of an OAuth client.
func (s *base) caller(r *http.Request) (*session.Current, error) {
	current, err := s.findCaller(r, s.Sessions.Find)
	if err == nil && current.Grant.Client != "" {
		return nil, errOAuthClientSession
	}
	return current, err
}

// anyCaller returns the signed-in user, also for the session of an OAuth client. The
// sign-in methods are not loaded.
//
// Errors: those of findCaller.
func (s *base) anyCaller(r *http.Request) (*session.Current, error) {
	return s.findCaller(r, s.Sessions.FindUser)
}

// findCaller returns the user of a request's access token.
//
// Errors: 401 no_authorization; 403 bad_jwt; those of session.Sessions.Find.
func (s *base) findCaller(r *http.Request, find func(context.Context, claims.Caller, bool) (*session.Current, error)) (*session.Current, error) {
	who, ok, err := s.Auth.Bearer(r)
	if err == nil && !ok {
		return nil, errNoToken
	}
	ended, refused := session.TranslateVerifyError(err)
	if refused != nil {
		return nil, refused
	}
	return find(r.Context(), who, ended)
}

// tokenError translates the verifier's error about a token.
//
// Errors: 403 bad_jwt, session_not_found, user_banned.
func tokenError(err error) error {
	ended, refused := session.TranslateVerifyError(err)
	switch {
	case refused != nil:
		return refused
	case ended:
		return session.ErrSessionNotFound
	}
	return session.ErrBanned
}
