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
	"plaza/storage/surface"
)

// request is what is known of a request before its own operation looks at it.
type request struct {
	core.Call
	known       bool // a good token was shown
	bucket, key string
}

// identify tells who asks and holds it to who may.
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
	httpx.NoteRole(r.Context(), c.Who.Role)
	c.Headers = surface.HeadersJSON(r.Header)
	return nil
}

// Caller reads the token. A key in the header apikey stands for one, as behind
// Supabase's gateway.
//
// Errors: AccessDenied; InvalidRequest where there is none.
func (s *Server) Caller(r *http.Request) (claims.Caller, error) {
	who, ok, err := s.auth.Bearer(r)
	if ok || err != nil {
		return who, refusal(err)
	}
	if s.cfg.Alone && r.Header.Get("Authorization") == "" {
		return who, errNoToken
	}
	if who, err = s.auth.Key(r); err == nil && !s.cfg.Alone {
		return who, nil
	}
	return who, refusal(claims.ErrMalformed)
}

// refusal tells why a token is refused.
// Source: the texts are those of upstream's library, jose.
func refusal(err error) error {
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
