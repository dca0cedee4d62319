package auth

import (
	"context"
	"net/http"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/password"
	"plaza/server/auth/pkce"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// maxBody bounds a request's body. Source: supabase/auth, 1 MB.
const maxBody = 1 << 20

// maxHeader bounds what is kept of a header, in bytes.
const maxHeader = 1024

// storable is a header as the database takes it: headers may hold any byte.
func storable(header string) string {
	return strings.ToValidUTF8(header[:min(len(header), maxHeader)], "")
}

func (s *Server) visitor(r *http.Request) users.Visitor {
	var v users.Visitor
	if agent := storable(r.UserAgent()); agent != "" {
		v.UserAgent = &agent
	}
	if address := httpx.ClientAddress(r, s.deps.TrustedProxies); address.IsValid() {
		address = address.WithZone("")
		v.Address = &address
	}
	return v
}

func read(w http.ResponseWriter, r *http.Request, params any) error {
	return httpx.ReadJSON(w, r, maxBody, params)
}

// audience is the kind of users a request is about.
func (s *Server) audience(r *http.Request) string {
	if asked := storable(r.Header.Get("X-JWT-AUD")); asked != "" {
		return asked
	}
	return s.config.JWT.Aud
}

// answerPace is how long a request about an address takes at least, whether the
// address is known or not.
const answerPace = 150 * time.Millisecond

// paced runs fn and does not return before the pace is over, so that the time
// tells nothing about what fn found.
func (s *Server) paced(r *http.Request, fn func() error) error {
	began := time.Now()
	err := fn()
	s.wait(r, s.pace-time.Since(began))
	return err
}

// wait returns after a while, or when the client has gone.
func (s *Server) wait(r *http.Request, while time.Duration) {
	timer := time.NewTimer(while)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}

// passwordError refuses a weak, overlong or leaked password.
func (s *Server) passwordError(ctx context.Context, candidate string) error {
	if len(candidate) > password.MaxLength {
		return autherr.BadRequest(autherr.CodeValidation, "Password cannot be longer than %d characters", password.MaxLength)
	}
	weak, err := s.weakness(ctx, candidate)
	if err == nil && weak != nil {
		err = apierr.New(http.StatusUnprocessableEntity, autherr.CodeWeakPassword, "%s", weak.Message).WithDetails(weak)
	}
	return err
}

// weakness says why a password is too weak; nil where it is not.
func (s *Server) weakness(ctx context.Context, candidate string) (*password.Weakness, error) {
	weak := s.policy.Check(candidate)
	if s.leaked == nil {
		return weak, nil
	}
	leaked, err := s.leaked.Has(ctx, candidate)
	switch {
	case err != nil && s.config.Password.Leaked.FailClosed:
		return nil, autherr.Internal("Unable to perform password strength check with HaveIBeenPwned.org.").WithCause(err)
	case err != nil:
		s.deps.Log.WarnContext(ctx, "passwords are not looked up among leaked ones", "error", err)
	case leaked:
		weak = weak.And("pwned", "Password is known to be weak and easy to guess, please choose a different one.")
	}
	return weak, nil
}

func (s *Server) mailRequest(r *http.Request, pkce pkce.Challenge) message.Request {
	return message.Request{Redirect: s.redirects.target(r, ""), PKCE: pkce, Who: s.visitor(r), Now: s.now().Truncate(time.Microsecond)}
}
