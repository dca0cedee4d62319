package auth_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/server/claims"
)

// verifyError returns why the server's verifier, which all services share, refuses an access
// token.
func (s *server) verifyError(access string) error {
	_, err := s.auth.Verifier.Verify(access)
	return err
}

// followEnded runs the server's listener for ended sessions until the test ends.
func (s *server) followEnded() {
	s.t.Helper()
	if err := s.built.LoadEndedSessions(s.t.Context()); err != nil {
		s.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.built.FollowEndedSessions(ctx) })
	s.t.Cleanup(func() { stop(); running.Wait() })
}

// waitForVerify waits until the verifier returns an error for a token.
func (s *server) waitForVerify(access string, want error) {
	s.t.Helper()
	for !errors.Is(s.verifyError(access), want) {
		if err := s.t.Context().Err(); err != nil {
			s.t.Fatal(err)
		}
	}
}

// After the response, the server that sent it refuses the tokens. It does not listen for
// notifications in this test.
func TestTokensOfEndedSessionsAreRefusedAtOnce(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		end  func(t *testing.T, s *server, in tokens)
		want error
	}{
		{"sign-out", func(t *testing.T, s *server, in tokens) {
			s.do(call{path: "/logout", as: in.Access}).want(t, http.StatusNoContent, "")
		}, claims.ErrSessionEnded},
		{"sign-out of this session", func(t *testing.T, s *server, in tokens) {
			s.do(call{path: "/logout?scope=local", as: in.Access}).want(t, http.StatusNoContent, "")
		}, claims.ErrSessionEnded},
		{"sign-out by another session", func(t *testing.T, s *server, _ tokens) {
			other := s.signIn("ana@plaza.test", strong).tokens(t)
			s.do(call{path: "/logout?scope=others", as: other.Access}).want(t, http.StatusNoContent, "")
		}, claims.ErrSessionEnded},
		{"an administrator ends the session", func(t *testing.T, s *server, in tokens) {
			s.do(call{method: http.MethodDelete, path: "/admin/users/" + in.User["id"].(string) + "/sessions", as: s.auth.Keys.Service}).want(t, http.StatusNoContent, "")
		}, claims.ErrSessionEnded},
		{"a ban", func(t *testing.T, s *server, in tokens) { s.ban(in, "24h") }, claims.ErrUserBanned},
		{"deletion", func(t *testing.T, s *server, in tokens) {
			s.do(call{method: http.MethodDelete, path: "/admin/users/" + in.User["id"].(string), as: s.auth.Keys.Service}).want(t, http.StatusOK, "")
		}, claims.ErrSessionEnded},
		{"soft deletion", func(t *testing.T, s *server, in tokens) {
			s.do(call{method: http.MethodDelete, path: "/admin/users/" + in.User["id"].(string), as: s.auth.Keys.Service, body: `{"should_soft_delete":true}`}).want(t, http.StatusOK, "")
		}, claims.ErrSessionEnded},
		{"another password by an administrator", func(t *testing.T, s *server, in tokens) {
			s.do(call{method: http.MethodPut, path: "/admin/users/" + in.User["id"].(string), as: s.auth.Keys.Service, body: `{"password":"Another-Horse-2"}`}).want(t, http.StatusOK, "")
		}, claims.ErrSessionEnded},
		{"a refresh token that was stolen", func(t *testing.T, s *server, in tokens) {
			second := s.refresh(in.Refresh).tokens(t)
			s.refresh(second.Refresh).tokens(t)
			s.clock.Advance(11 * time.Second)
			s.refresh(in.Refresh).want(t, http.StatusBadRequest, "refresh_token_already_used")
		}, claims.ErrSessionEnded},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			in := s.member("ana@plaza.test")
			s.member("eva@plaza.test")
			bystander := s.signIn("eva@plaza.test", strong).tokens(t)
			if err := s.verifyError(in.Access); err != nil {
				t.Fatal(err)
			}
			tt.end(t, s, in)
			if err := s.verifyError(in.Access); !errors.Is(err, tt.want) {
				t.Errorf("the verifier returns %v, want %v", err, tt.want)
			}
			if err := s.verifyError(bystander.Access); err != nil {
				t.Errorf("somebody else: %v", err)
			}
		})
	}
}

func (s *server) ban(in tokens, duration string) {
	s.t.Helper()
	s.do(call{method: http.MethodPut, path: "/admin/users/" + in.User["id"].(string), as: s.auth.Keys.Service, body: body(map[string]any{"ban_duration": duration})}).want(s.t, http.StatusOK, "")
}

func TestBanEndsWhenLiftedOrExpired(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.ban(in, "10m")
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusForbidden, "user_banned")
	s.ban(in, "none")
	if err := s.verifyError(in.Access); err != nil {
		t.Errorf("after it was lifted: %v", err)
	}
	s.ban(in, "10m")
	if err := s.verifyError(in.Access); !errors.Is(err, claims.ErrUserBanned) {
		t.Errorf("banned again: %v", err)
	}
	s.clock.Advance(10*time.Minute + time.Second)
	if err := s.verifyError(in.Access); err != nil {
		t.Errorf("after its end: %v", err)
	}
	s.do(call{method: http.MethodGet, path: "/user", as: in.Access}).want(t, http.StatusOK, "")
}

// Every server on the database is notified of an ended session, whatever ended it.
func TestOtherServersAreNotifiedOfEndedSessions(t *testing.T) {
	t.Parallel()
	ends := map[string]string{
		"SQL deletes a session":      "delete from auth.sessions where user_id = $1",
		"SQL deletes a user":         "delete from auth.users where id = $1",
		"SQL empties the table":      "truncate auth.sessions cascade",
		"SQL deletes many":           "delete from auth.sessions where user_id = $1 or true",
		"SQL bans a user for ever":   "update auth.users set banned_until = 'infinity' where id = $1",
		"a trigger's owner deletes":  "select public.end_sessions($1)",
		"SQL bans for a short while": "update auth.users set banned_until = '2026-03-14 13:00Z' where id = $1",
	}
	for name, sql := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			s.exec(`create function public.end_sessions(who uuid) returns void language sql security definer as 'delete from auth.sessions where user_id = who'`)
			s.followEnded()
			in := s.member("ana@plaza.test")
			s.exec(`insert into auth.sessions (id, user_id) select gen_random_uuid(), $1::uuid from generate_series(1, 500)`, in.User["id"]) // more than a notification can name
			want := claims.ErrSessionEnded
			args := []any{in.User["id"]}
			switch name {
			case "SQL bans a user for ever", "SQL bans for a short while":
				want = claims.ErrUserBanned
			case "SQL empties the table":
				args = nil
			}
			s.exec(sql, args...)
			s.waitForVerify(in.Access, want)
		})
	}
}

func TestEndedSessionsAreLoadedAtStart(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.exec("delete from auth.sessions")
	if err := s.verifyError(in.Access); err != nil {
		t.Fatalf("refused before ended sessions are loaded: %v", err)
	}
	if err := s.built.LoadEndedSessions(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.verifyError(in.Access); !errors.Is(err, claims.ErrSessionEnded) {
		t.Errorf("after the start: %v", err)
	}
}

// Notifications may be lost while the connection is broken.
func TestMissedNotificationsAreRead(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.followEnded()
	in := s.member("ana@plaza.test")
	s.waitFor("select count(*) = 1 from pg_stat_activity where datname = current_database() and application_name like '% plaza_refused'")
	s.exec("alter table auth.sessions disable trigger plaza_refuse_tokens")
	s.exec("delete from auth.sessions")
	s.exec(`insert into auth.refused_tokens (id, user_id, banned, refused_until, kept_until)
		values ($1, $2, false, now() + interval '1 hour', now() + interval '1 hour')`, s.claimsOf(in.Access)["session_id"], in.User["id"])
	s.exec("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% plaza_refused'")
	s.waitForVerify(in.Access, claims.ErrSessionEnded)
}

// Ended sessions are kept for the maximum lifetime of a token.
func TestEndedSessionsAreKeptUntilTheirTokensExpire(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.JWT.Expiry = 3 * 3600 })
	s.followEnded()
	in := s.member("ana@plaza.test")
	s.do(call{path: "/logout", as: in.Access}).want(t, http.StatusNoContent, "")
	equal(t, "kept for three hours and some minutes", 1, s.count(`select count(*) from auth.refused_tokens
		where kept_until between now() + interval '3 hours' and now() + interval '3 hours 10 minutes'`))
	s.exec("update auth.refused_tokens set kept_until = now() - interval '1 second'")
	in = s.signIn("ana@plaza.test", strong).tokens(t)
	s.do(call{path: "/logout", as: in.Access}).want(t, http.StatusNoContent, "")
	equal(t, "rows", 1, s.count("select count(*) from auth.refused_tokens"))
}
