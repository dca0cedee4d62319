// Package identify determines the caller of a request from an API key and a bearer
// token, or from a bearer token alone.
package identify

import (
	"errors"
	"net/http"

	"plaza/server/apierr"
	"plaza/server/claims"
)

// Func returns the caller of a request. It may remove an API key from the request's
// query. Its errors are meant for the client.
type Func func(r *http.Request) (claims.Caller, error)

// Error codes of rejected tokens.
const (
	codeNoSecret = "PGRST300"
	CodeToken    = "PGRST301" // malformed, or the signature does not match
	codeNoAnon   = "PGRST302"
	CodeClaims   = "PGRST303" // the claims are not valid, for example expired
)

// Gateway identifies callers as Supabase's gateway and PostgREST together do:
// by the bearer token or, without one, by the API key.
//
// Without requireKey a request that has neither gets the role anon.
//
// Errors: 401 PGRST301, PGRST303, no_api_key, invalid_api_key.
func Gateway(auth *claims.Authenticator, requireKey bool) Func {
	return func(r *http.Request) (claims.Caller, error) {
		who, ok, err := auth.Bearer(r)
		if err != nil {
			return claims.Caller{}, tokenError(err)
		}
		if !ok {
			who, err = auth.Key(r)
			if !requireKey && errors.Is(err, claims.ErrNoKey) {
				who, err = claims.ForRole(claims.Anon), nil
			}
			if err != nil {
				return claims.Caller{}, keyError(err)
			}
		}
		auth.HideKey(r)
		return who, nil
	}
}

// tokenError returns the upstream error for a rejected token.
func tokenError(err error) error {
	code, message := CodeToken, "Provided JWT couldn't be decoded or it is invalid"
	switch {
	case errors.Is(err, claims.ErrExpired):
		code, message = CodeClaims, "JWT expired"
	case errors.Is(err, claims.ErrNotYet):
		code, message = CodeClaims, "JWT not yet valid"
	case errors.Is(err, claims.ErrSessionEnded):
		code, message = CodeClaims, "JWT session has ended"
	case errors.Is(err, claims.ErrUserBanned):
		code, message = CodeClaims, "JWT user is banned"
	case errors.Is(err, claims.ErrSignature):
		message = "No suitable key or wrong key type"
	}
	return apierr.New(http.StatusUnauthorized, code, "%s", message).WithCause(err)
}

// keyError returns the error of Supabase's gateway for a missing or wrong API key. The
// codes are Plaza's own.
func keyError(err error) error {
	if errors.Is(err, claims.ErrNoKey) {
		return apierr.New(http.StatusUnauthorized, "no_api_key", "No API key found in request").
			WithHint("No `apikey` request header or url param was found.")
	}
	return apierr.New(http.StatusUnauthorized, "invalid_api_key", "Invalid API key").
		WithHint("Double check your Supabase `anon` or `service_role` API key.")
}
