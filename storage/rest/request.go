package rest

import (
	"errors"
	"net/http"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/storage/core"
	"plaza/storage/storageerr"
)

// request holds the parts of a request that are common to all operations.
type request struct {
	core.Call
	known       bool // the request has a valid token
	bucket, key string
}

// identify determines the caller and checks that it may access the route.
func (s *Server) identify(r *http.Request, to route, c *request) error {
	c.Call = core.Call{
		Who: claims.ForRole(claims.Anon), Operation: to.operation, Method: r.Method, Path: strings.TrimPrefix(r.URL.Path, s.prefix),
	}
	if to.access == anybody {
		return nil
	}
	who, err := s.Caller(r)
	switch {
	case err == nil:
		c.Who, c.known = who, true
	case to.access == optional:
	default:
		return err
	}
	if to.access == service && c.Who.Role != claims.ServiceRole {
		return errWrongRole
	}
	httpx.RecordRole(r.Context(), c.Who.Role)
	c.Headers = httpx.HeadersJSON(r.Header)
	return nil
}

// Caller returns the caller of a request. It accepts a key in the header apikey instead of
// a token, like Supabase's gateway.
//
// Errors: AccessDenied; InvalidRequest if there is no token.
func (s *Server) Caller(r *http.Request) (claims.Caller, error) {
	who, ok, err := s.auth.Bearer(r)
	if ok || err != nil {
		return who, tokenError(err)
	}
	if s.cfg.Alone && r.Header.Get("Authorization") == "" {
		return who, errNoToken
	}
	if who, err = s.auth.Key(r); err == nil && !s.cfg.Alone {
		return who, nil
	}
	return who, tokenError(claims.ErrMalformed)
}

// tokenError returns the client's error for a rejected token.
// Source: the messages are those of upstream's library, jose.
func tokenError(err error) error {
	if err == nil {
		return nil
	}
	message := "Invalid Compact JWS"
	switch {
	case errors.Is(err, claims.ErrExpired):
		message = `"exp" claim timestamp check failed`
	case errors.Is(err, claims.ErrNotYet):
		message = `"nbf" claim timestamp check failed`
	case errors.Is(err, claims.ErrSessionEnded):
		message = "session of the token has ended"
	case errors.Is(err, claims.ErrUserBanned):
		message = "user is banned"
	case errors.Is(err, claims.ErrSignature):
		message = "signature verification failed"
	}
	return apierr.New(http.StatusForbidden, storageerr.CodeAccessDenied, "%s", message).WithCause(err)
}
