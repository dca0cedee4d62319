package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

// startWithMFAHook starts a server with a hook that records each attempt and returns the value of
// public.verdict.
func startWithMFAHook(t *testing.T) *server {
	t.Helper()
	s := start(t, func(c *auth.Config) {
		c.Hook.MFAVerification = auth.Hook{Enabled: true, URI: "pg-functions://postgres/public/attempt"}
	})
	s.exec(`create table public.attempts (event jsonb);
		create table public.verdict (answer jsonb);
		insert into public.verdict values ('{"decision": "continue"}');
		create function public.attempt(event jsonb) returns jsonb language plpgsql security definer as $$
		begin
			insert into public.attempts values (event);
			return (select answer from public.verdict);
		end $$`)
	return s
}

func TestMFAHookSeesAttempts(t *testing.T) {
	t.Parallel()
	s := startWithMFAHook(t)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	challenge := s.challenge(ana.Access, made.ID)
	s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, 9)).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	strong := s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, 0)).tokens(t)
	codes := s.recovery(http.MethodPost, "", strong.Access).set(t)
	s.useRecovery(strong.Access, codes.Codes[0]).want(t, http.StatusOK, "")
	equal(t, "attempts", 1, s.count(`select count(*) from public.attempts where event @> $1`, body(map[string]any{
		"user_id": s.claimsOf(ana.Access)["sub"], "factor_id": made.ID, "factor_type": "totp", "valid": false,
		"metadata": map[string]any{"name": "mfa-verification", "ip_address": "127.0.0.1"},
	})))
	equal(t, "right ones", 1, s.count(`select count(*) from public.attempts where event @> '{"valid": true, "factor_type": "totp"}'`))
	equal(t, "of codes", 1, s.count(`select count(*) from public.attempts where event @> '{"valid": true, "factor_type": "recovery_code"}'`))
}

// A rejection ends the user's sessions, even after a correct code.
func TestMFAHookRejects(t *testing.T) {
	t.Parallel()
	s := startWithMFAHook(t)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	challenge := s.challenge(ana.Access, made.ID)
	s.exec(`update public.verdict set answer = '{"decision": "reject", "message": "Not at this hour"}'`)
	got := s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, 0))
	got.want(t, http.StatusForbidden, "mfa_verification_rejected")
	equal(t, "answer", `{"code":"mfa_verification_rejected","message":"Not at this hour"}`, got.body)
	equal(t, "sessions", 0, s.count(`select count(*) from auth.sessions`))
	equal(t, "verified factors", 0, s.count(`select count(*) from auth.mfa_factors where status = 'verified'`))
}

// A rejected code is consumed.
func TestMFAHookRejectsRecoveryCodes(t *testing.T) {
	t.Parallel()
	s := startWithMFAHook(t)
	strong, _ := s.memberWithApp("ana@plaza.test")
	codes := s.recovery(http.MethodPost, "", strong.Access).set(t)
	s.exec(`update public.verdict set answer = '{"decision": "reject"}'`)
	s.useRecovery(strong.Access, codes.Codes[0]).want(t, http.StatusForbidden, "mfa_verification_rejected")
	equal(t, "sessions", 0, s.count(`select count(*) from auth.sessions`))
	equal(t, "codes used", 1, s.count(`select count(*) from auth.mfa_recovery_codes where used_at is not null`))
}

// An error of the hook refuses the attempt.
func TestMFAHookFails(t *testing.T) {
	t.Parallel()
	s := startWithMFAHook(t)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	s.exec(`update public.verdict set answer = '{"error": {"http_code": 418, "message": "tea"}}'`)
	s.clock.Advance(time.Second)
	got := s.verifyFactor(ana.Access, made.ID, s.challenge(ana.Access, made.ID), s.code(made, 0))
	equal(t, "status", http.StatusTeapot, got.status)
	equal(t, "level", 0, s.count(`select count(*) from auth.sessions where aal = 'aal2'`))
}
