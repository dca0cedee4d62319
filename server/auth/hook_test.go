package auth_test

import (
	"net/http"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

func withHook(uri string) func(*auth.Config) {
	return func(c *auth.Config) { c.Hook.PasswordVerification = auth.Hook{Enabled: true, URI: uri} }
}

func TestPasswordHook(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, answer  string
		status        int
		code, message string
		sessions      int
	}{
		{"continues", `{"decision":"continue"}`, 200, "", "", 2},
		{"rejects", `{"decision":"reject","message":"Locked"}`, 400, "invalid_credentials", "Locked", 1},
		{"rejects without a message", `{"decision":"reject"}`, 400, "invalid_credentials", "Further password verification attempts will be rejected.", 1},
		{"rejects and signs out", `{"decision":"reject","message":"Locked","should_logout_user":true}`, 400, "invalid_credentials", "Locked", 0},
		{"returns an error", `{"error":{"http_code":429,"message":"Slow down"}}`, 429, "unexpected_failure", "Slow down", 1},
		{"returns an invalid answer", `[]`, 500, "unexpected_failure", "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, withHook("pg-functions://postgres/public/watch"))
			s.exec(`create table public.seen (event jsonb);
				create function public.watch(event jsonb) returns jsonb language sql security definer
				as $$ insert into public.seen values (event); select '` + tt.answer + `'::jsonb $$`)
			s.member("ana@plaza.test")
			got := s.signIn("ana@plaza.test", strong)
			got.want(t, tt.status, tt.code)
			if !strings.Contains(got.body, tt.message) {
				t.Errorf("message %q is not in %s", tt.message, got.body)
			}
			equal(t, "sessions", tt.sessions, s.count("select count(*) from auth.sessions"))
			if tt.status == http.StatusInternalServerError {
				return // what the function wrote was rolled back
			}
			equal(t, "event", 1, s.count(`select count(*) from public.seen, auth.users u where event ->> 'user_id' = u.id::text
				and event -> 'valid' = 'true' and event -> 'metadata' ->> 'name' = 'password-verification' and event -> 'metadata' ->> 'ip_address' = '127.0.0.1'`))
			s.signIn("ana@plaza.test", "wrong")
			equal(t, "failure", 1, s.count("select count(*) from public.seen where event -> 'valid' = 'false'"))
		})
	}
}

func TestPasswordHookIsBounded(t *testing.T) {
	t.Parallel()
	s := start(t, withHook("pg-functions://postgres/public/missing"))
	s.member("ana@plaza.test")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusInternalServerError, "unexpected_failure")
	// The function raises the timeout error itself, so that the test need not wait.
	s.exec(`create function public.missing(event jsonb) returns jsonb language plpgsql as $$ begin raise query_canceled; end $$`)
	s.signIn("ana@plaza.test", strong).want(t, http.StatusUnprocessableEntity, "hook_timeout")
}

// S-05, AUTH-10: the marketplace's own function counts failures. Five lock the account, even for
// the correct password.
func TestMarketplaceLocksAfterFiveFailures(t *testing.T) {
	t.Parallel()
	s := startOn(t, testkit.URL(t), withHook("pg-functions://postgres/private/password_verification_attempt"))
	s.member("ana@plaza.test")
	for range 4 {
		got := s.signIn("ana@plaza.test", "wrong")
		got.want(t, http.StatusBadRequest, "invalid_credentials")
		equal(t, "body", `{"code":"invalid_credentials","message":"Invalid login credentials"}`, got.body)
	}
	const locked = `{"code":"invalid_credentials","message":"Account is temporarily locked due to multiple failed login attempts"}`
	equal(t, "fifth failure", locked, s.signIn("ana@plaza.test", "wrong").body)
	equal(t, "right password", locked, s.signIn("ana@plaza.test", strong).body)
	s.exec("update private.sign_in_failures set locked_until = now() - interval '1 second'")
	s.signIn("ana@plaza.test", strong).tokens(t)
}

// The marketplace's triggers copy sessions to user_sessions. Concurrent sign-outs, password changes and refreshes
// cause no deadlock and leave no active row.
func TestMarketplaceCopiesSessions(t *testing.T) {
	t.Parallel()
	s := startOn(t, testkit.URL(t), nil)
	in := s.member("ana@plaza.test")
	s.exec("update auth.sessions set not_after = null")
	other := s.signIn("ana@plaza.test", strong).tokens(t)
	equal(t, "rows", 2, s.count("select count(*) from public.user_sessions where is_active"))
	s.put(in.Access, `{"password":"New-Horse-2"}`).want(t, http.StatusOK, "")
	equal(t, "after the change", 1, s.count("select count(*) from public.user_sessions where is_active"))
	s.refresh(other.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	s.do(call{path: "/logout", as: in.Access}).want(t, http.StatusNoContent, "")
	equal(t, "after signing out", 0, s.count("select count(*) from public.user_sessions where is_active"))
}
