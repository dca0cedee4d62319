package auth_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
)

func TestRefreshRules(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*auth.Config)
		run    func(t *testing.T, s *server, first tokens)
	}{
		{"an unknown token is not found", nil, func(t *testing.T, s *server, _ tokens) {
			s.refresh("aaaabbbbcccc").want(t, http.StatusBadRequest, "refresh_token_not_found")
		}},
		{"an empty token is an OAuth error", nil, func(t *testing.T, s *server, _ tokens) {
			got := s.refresh("")
			got.want(t, http.StatusBadRequest, "")
			equal(t, "body", `{"error":"invalid_request","error_description":"refresh_token required"}`, got.body)
		}},
		{"a token is 12 lower-case characters and keeps its session", nil, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			equal(t, "length", 12, len(second.Refresh))
			equal(t, "session", s.claimsOf(first.Access)["session_id"], s.claimsOf(second.Access)["session_id"])
		}},
		{"the parent of the active token gives the active one, however late", nil, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			s.clock.Advance(time.Hour)
			got := s.refresh(first.Refresh)
			equal(t, "token", second.Refresh, got.tokens(t).Refresh)
			equal(t, "reuse header", "true", got.header.Get("Sb-Auth-Refresh-Token-Reuse"))
		}},
		{"an older token works within 10 seconds", nil, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(10 * time.Second)
			s.refresh(first.Refresh).tokens(t)
		}},
		{"an older token after 10 seconds revokes the family", nil, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			third := s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(10*time.Second + time.Millisecond)
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
			equal(t, "active tokens, of the other session", 1, s.count("select count(*) from auth.refresh_tokens where not revoked"))
			s.clock.Advance(11 * time.Second)
			s.refresh(third.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
		}},
		{"after a reuse nothing of the family works, not even within the reuse interval", nil, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			third := s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(11 * time.Second)
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
			for range 4 { // an attacker who refreshes every 4 seconds
				s.refresh(third.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
				s.refresh(second.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
				s.clock.Advance(4 * time.Second)
			}
			s.do(call{method: http.MethodGet, path: "/user", as: third.Access}).want(t, http.StatusForbidden, "session_not_found")
		}},
		{"without rotation the family lives on", func(c *auth.Config) { c.Security.RefreshTokenRotation = false }, func(t *testing.T, s *server, first tokens) {
			second := s.refresh(first.Refresh).tokens(t)
			third := s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(time.Minute)
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
			s.refresh(third.Refresh).tokens(t)
		}},
		{"a banned user cannot refresh", nil, func(t *testing.T, s *server, first tokens) {
			s.exec("update auth.users set banned_until = $1", startTime.Add(time.Hour))
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "user_banned")
			s.clock.Advance(2 * time.Hour)
			s.refresh(first.Refresh).tokens(t)
		}},
		{"not after the session's end", nil, func(t *testing.T, s *server, first tokens) {
			s.exec("update auth.sessions set not_after = $1", startTime.Add(time.Hour))
			s.clock.Advance(time.Hour)
			second := s.refresh(first.Refresh).tokens(t)
			s.clock.Advance(time.Second)
			s.refresh(second.Refresh).want(t, http.StatusBadRequest, "session_expired")
		}},
		{"not past the timebox", func(c *auth.Config) { c.Sessions.Timebox = time.Hour }, func(t *testing.T, s *server, first tokens) {
			s.clock.Advance(time.Hour + time.Second)
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "session_expired")
		}},
		{"not after inactivity, which a refresh ends", func(c *auth.Config) { c.Sessions.InactivityTimeout = time.Hour }, func(t *testing.T, s *server, first tokens) {
			s.clock.Advance(time.Hour)
			second := s.refresh(first.Refresh).tokens(t)
			s.clock.Advance(time.Hour)
			third := s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(time.Hour + time.Second)
			s.refresh(third.Refresh).want(t, http.StatusBadRequest, "session_expired")
		}},
		{"a token without a session is removed", nil, func(t *testing.T, s *server, first tokens) {
			s.exec("update auth.refresh_tokens set session_id = null")
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "session_not_found")
			s.refresh(first.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, tt.change)
			s.member("ana@plaza.test")
			tt.run(t, s, s.signIn("ana@plaza.test", strong).tokens(t))
		})
	}
}

func TestRefreshWritesAuditAndSession(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.clock.Advance(time.Minute)
	s.refresh(in.Refresh).tokens(t)
	equal(t, "token_refreshed", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'token_refreshed' and payload ->> 'actor_username' = 'ana@plaza.test' and ip_address = '127.0.0.1'"))
	equal(t, "token_revoked", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'token_revoked' and payload ->> 'log_type' = 'token'"))
	equal(t, "session", 1, s.count("select count(*) from auth.sessions where refreshed_at = '2026-03-14 12:01:00' and user_agent = 'test' and ip = '127.0.0.1'"))
}

// Ten tabs refresh concurrently with their shared token.
func TestTenConcurrentRefreshesEndInOneSession(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	first := s.member("ana@plaza.test")
	release := s.holdSessions()
	var tabs sync.WaitGroup
	answers := make([]answer, 10)
	for i := range answers {
		tabs.Go(func() { answers[i] = s.refresh(first.Refresh) })
	}
	s.waitFor("select count(*) = 6 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
	release()
	tabs.Wait()
	refresh := answers[0].tokens(t).Refresh
	fresh := 0
	for _, got := range answers {
		equal(t, "refresh token", refresh, got.tokens(t).Refresh)
		if got.header.Get("Sb-Auth-Refresh-Token-Reuse") == "false" {
			fresh++
		}
	}
	equal(t, "refreshes that rotated", 1, fresh)
	equal(t, "sessions", 1, s.count("select count(*) from auth.sessions"))
	equal(t, "active tokens", 1, s.count("select count(*) from auth.refresh_tokens where not revoked"))
	s.refresh(refresh).tokens(t)
}

// A sign-out with concurrent refreshes causes no deadlock and leaves no session.
func TestRefreshWhileSigningOut(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	first := s.member("ana@plaza.test")
	var both sync.WaitGroup
	for range 4 {
		both.Go(func() {
			if got := s.refresh(first.Refresh); got.status != http.StatusOK && got.status != http.StatusBadRequest {
				t.Errorf("refresh: status %d\n%s", got.status, got.body)
			}
		})
	}
	both.Go(func() { s.do(call{path: "/logout", as: first.Access}).want(t, http.StatusNoContent, "") })
	both.Wait()
	equal(t, "sessions", 0, s.count("select count(*) from auth.sessions"))
	equal(t, "tokens", 0, s.count("select count(*) from auth.refresh_tokens"))
}

// holdSessions locks all session rows until release is called, so that concurrent requests wait for
// the same lock.
func (s *server) holdSessions() (release func()) {
	s.t.Helper()
	tx, err := s.db.Begin(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := tx.Exec(s.t.Context(), "select from auth.sessions for update"); err != nil {
		s.t.Fatal(err)
	}
	return func() {
		if err := tx.Commit(s.t.Context()); err != nil {
			s.t.Error(err)
		}
	}
}

// waitFor runs a query until it returns true.
func (s *server) waitFor(question string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	for yes := false; !yes; {
		if err := s.db.QueryRow(ctx, question).Scan(&yes); err != nil {
			s.t.Fatalf("%s: %v", question, err)
		}
	}
}
