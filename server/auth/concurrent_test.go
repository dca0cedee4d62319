package auth_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
)

// sendConcurrent sends a request several times concurrently.
func (s *server) sendConcurrent(times int, c call) []answer {
	s.t.Helper()
	var all sync.WaitGroup
	got := make([]answer, times)
	for i := range got {
		all.Go(func() { got[i] = s.do(c) })
	}
	all.Wait()
	return got
}

// countConcurrent sends a request several times concurrently and counts the responses by status.
func (s *server) countConcurrent(times int, c call) map[int]int {
	s.t.Helper()
	statuses := map[int]int{}
	for _, got := range s.sendConcurrent(times, c) {
		statuses[got.status]++
	}
	return statuses
}

// Two concurrent requests send one mail, and no response reveals whether there is an account.
func TestConcurrentMailRequests(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/recover", "/otp", "/magiclink", "/resend"} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			request := map[string]any{"email": "ana@plaza.test", "type": "signup", "password": strong}
			if path == "/resend" {
				s.ok("/signup", body(request))
			} else {
				s.member("ana@plaza.test")
			}
			s.clock.Advance(2 * time.Minute)
			before := s.mailCount()
			got := s.countConcurrent(6, call{method: http.MethodPost, path: path, body: body(request)})
			equal(t, "sent", 1, got[http.StatusOK])
			equal(t, "held back", 5, got[http.StatusTooManyRequests])
			equal(t, "mails", before+1, s.mailCount())
		})
	}
}

// Concurrent guesses are limited like sequential ones, because they are counted before the
// password is checked. No password is checked here.
func TestConcurrentGuessesAreLimited(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.RateLimit.PasswordFailures = 3 })
	s.member("ana@plaza.test")
	s.exec("delete from auth.sessions")
	s.built.StopHashing()
	refused := 0
	for _, got := range s.sendConcurrent(12, call{method: http.MethodPost, path: "/token?grant_type=password", body: `{"email":"ana@plaza.test","password":"wrong"}`}) {
		if strings.Contains(got.body, "Request rate limit reached") {
			refused++
		}
	}
	equal(t, "refused", 9, refused)
}

// Two concurrent uses of a nonce set one password.
func TestANonceWorksOnce(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.RequireReauthentication = true })
	in := s.member("ana@plaza.test")
	s.clock.Advance(25 * time.Hour)
	in = s.refresh(in.Refresh).tokens(t)
	s.do(call{method: http.MethodGet, path: "/reauthenticate", as: in.Access}).want(t, http.StatusOK, "")
	request := body(map[string]any{"password": "Another-Horse-2", "nonce": s.nonce("ana@plaza.test")})
	got := s.countConcurrent(6, call{method: http.MethodPut, path: "/user", as: in.Access, body: request})
	equal(t, "set", 1, got[http.StatusOK])
	equal(t, "audit", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'user_updated_password'"))
}

// A recovery code of a confirmed account creates one session.
func TestARecoveryCodeWorksOnce(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	s.clock.Advance(2 * time.Minute)
	s.ok("/recover", `{"email":"ana@plaza.test"}`)
	request := body(map[string]any{"type": "recovery", "token_hash": s.linkTo("ana@plaza.test").token()})
	got := s.countConcurrent(6, call{method: http.MethodPost, path: "/verify", body: request})
	equal(t, "got in", 1, got[http.StatusOK])
	equal(t, "the others", 5, got[http.StatusForbidden])
}
