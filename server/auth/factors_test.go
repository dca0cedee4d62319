package auth_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
)

func TestEnrollTOTP(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	if len(made.TOTP.Secret) != 32 || made.Type != "totp" || made.Name != "phone" || !strings.HasPrefix(made.TOTP.QRCode, "<svg ") {
		t.Errorf("enrolled %+v", made)
	}
	if want := "otpauth://totp/plaza.test:ana@plaza.test?"; !strings.HasPrefix(made.TOTP.URI, want) {
		t.Errorf("URI %q does not begin with %q", made.TOTP.URI, want)
	}
	s.clock.Advance(time.Second)
	got := s.enroll(ana.Access, map[string]any{"factor_type": "totp", "friendly_name": "tablet", "issuer": "My shop"})
	got.want(t, http.StatusOK, "")
	if !strings.Contains(got.body, "issuer=My%20shop") {
		t.Errorf("the issuer is not in %s", got.body)
	}
	equal(t, "factors", []string{"totp phone unverified", "totp tablet unverified"}, s.factors(ana.Access))
	equal(t, "secrets in the clear", 0, s.count(`select count(*) from auth.mfa_factors where secret ~ '^[A-Z2-7]{32}$' or secret is null`))
	equal(t, "audit", 2, s.count(`select count(*) from auth.audit_log_entries where payload->>'action' = 'factor_in_progress' and payload->>'log_type' = 'factor'`))
	equal(t, "secret in the audit", 0, s.count(`select count(*) from auth.audit_log_entries where payload::text like '%' || $1 || '%'`, made.TOTP.Secret))
}

func TestEnrollIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.MFA.MaxEnrolled = 3 })
	ana := s.member("ana@plaza.test")
	s.newApp(ana.Access, "phone")
	tests := []struct {
		name   string
		fields map[string]any
		status int
		code   string
	}{
		{"no type", map[string]any{}, http.StatusBadRequest, "validation_failed"},
		{"unknown type", map[string]any{"factor_type": "carrier-pigeon"}, http.StatusBadRequest, "validation_failed"},
		{"recovery codes", map[string]any{"factor_type": "recovery_code"}, http.StatusBadRequest, "validation_failed"},
		{"same name", map[string]any{"factor_type": "totp", "friendly_name": "phone"}, http.StatusUnprocessableEntity, "mfa_factor_name_conflict"},
		{"NUL in the name", map[string]any{"factor_type": "totp", "friendly_name": "a\x00b"}, http.StatusBadRequest, "validation_failed"},
		{"NUL in the issuer", map[string]any{"factor_type": "totp", "issuer": "a\x00b"}, http.StatusBadRequest, "validation_failed"},
		{"a long name", map[string]any{"factor_type": "totp", "friendly_name": strings.Repeat("n", 256)}, http.StatusBadRequest, "validation_failed"},
		{"a long issuer", map[string]any{"factor_type": "totp", "issuer": strings.Repeat("n", 129)}, http.StatusBadRequest, "validation_failed"},
		{"a name that is no text", map[string]any{"factor_type": "totp", "friendly_name": 7}, http.StatusBadRequest, "bad_json"},
		{"SMS is off", map[string]any{"factor_type": "phone", "phone": "+376600000"}, http.StatusUnprocessableEntity, "mfa_phone_enroll_not_enabled"},
		{"security keys are off", map[string]any{"factor_type": "webauthn"}, http.StatusUnprocessableEntity, "mfa_webauthn_enroll_not_enabled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { s.enroll(ana.Access, tt.fields).want(t, tt.status, tt.code) })
	}
	s.newApp(ana.Access, "tablet")
	s.newApp(ana.Access, "watch")
	s.enroll(ana.Access, map[string]any{"factor_type": "totp", "friendly_name": "clock"}).want(t, http.StatusUnprocessableEntity, "too_many_enrolled_mfa_factors")
}

func TestUsersWhoMayNotEnroll(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	fields := map[string]any{"factor_type": "totp"}
	s.enroll("", fields).want(t, http.StatusUnauthorized, "no_authorization")
	guest := s.member("guest@plaza.test")
	s.exec(`update auth.users set is_anonymous = true where email = 'guest@plaza.test'`)
	s.enroll(guest.Access, fields).want(t, http.StatusForbidden, "no_authorization")

	off := start(t, func(c *auth.Config) { c.MFA.TOTP.Enroll, c.MFA.TOTP.Verify = false, false })
	ana := off.member("ana@plaza.test")
	off.enroll(ana.Access, fields).want(t, http.StatusUnprocessableEntity, "mfa_totp_enroll_not_enabled")
}

func TestBodiesAreBounded(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	large := `{"factor_type":"totp","friendly_name":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, path := range []string{"/factors", "/factors/" + made.ID + "/verify"} {
		got := s.do(call{path: path, body: large, as: ana.Access})
		if got.status != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: status %d", path, got.status)
		}
	}
}

// An unverified factor is removed after five minutes, unless it has an open challenge.
func TestUnfinishedFactorsExpire(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	s.newApp(ana.Access, "left")
	begun := s.newApp(ana.Access, "begun")
	s.clock.Advance(4 * time.Minute)
	challenge := s.challenge(ana.Access, begun.ID)
	s.clock.Advance(61 * time.Second)
	s.newApp(ana.Access, "left")
	equal(t, "factors", []string{"totp begun unverified", "totp left unverified"}, s.factors(ana.Access))
	s.verifyFactor(ana.Access, begun.ID, challenge, s.code(begun, 0)).want(t, http.StatusOK, "")
}

// Concurrent requests cannot exceed the maximum number of factors.
func TestConcurrentEnrollment(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.MFA.MaxEnrolled = 3 })
	ana := s.member("ana@plaza.test")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() { s.enroll(ana.Access, map[string]any{"factor_type": "totp", "friendly_name": fmt.Sprint(i)}) })
	}
	all.Wait()
	equal(t, "factors", 3, s.count(`select count(*) from auth.mfa_factors`))
}

func TestAnotherFactorRequiresAAL2(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	weak := s.signIn("ana@plaza.test", ownPassword).tokens(t)
	fields := map[string]any{"factor_type": "totp", "friendly_name": "second"}
	s.enroll(weak.Access, fields).want(t, http.StatusForbidden, "insufficient_aal")
	s.unenroll(weak.Access, made.ID).want(t, http.StatusUnprocessableEntity, "insufficient_aal")
	s.enroll(strong.Access, fields).want(t, http.StatusOK, "")
}

func TestUnenroll(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	begun := s.newApp(strong.Access, "begun")
	got := s.unenroll(strong.Access, begun.ID)
	got.want(t, http.StatusOK, "")
	equal(t, "answer", `{"id":"`+begun.ID+`"}`, strings.TrimSpace(got.body))
	equal(t, "level", "aal2", s.claimsOf(s.refresh(strong.Refresh).tokens(t).Access)["aal"].(string))

	s.unenroll(strong.Access, made.ID).want(t, http.StatusOK, "")
	s.unenroll(strong.Access, made.ID).want(t, http.StatusNotFound, "mfa_factor_not_found")
	last := s.refresh(s.lastRefresh("ana@plaza.test")).tokens(t)
	equal(t, "level", "aal1", s.claimsOf(last.Access)["aal"].(string))
	equal(t, "methods", []string{"otp"}, s.amr(last.Access))
	equal(t, "level of the session", 1, s.count(`select count(*) from auth.sessions where aal = 'aal1' and factor_id is null`))
	equal(t, "audit", 2, s.count(`select count(*) from auth.audit_log_entries where payload->>'action' = 'factor_unenrolled'`))
}

// A session stays at aal2 while another factor remains, and is downgraded with the last one.
func TestUnenrollOneOfTwo(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, first := s.memberWithApp("ana@plaza.test")
	second := s.newApp(strong.Access, "second")
	strong = s.upgradeToAAL2(strong.Access, second)
	s.unenroll(strong.Access, first.ID).want(t, http.StatusOK, "")
	equal(t, "level", 1, s.count(`select count(*) from auth.sessions where aal = 'aal2'`))
	s.unenroll(strong.Access, second.ID).want(t, http.StatusOK, "")
	equal(t, "level", 0, s.count(`select count(*) from auth.sessions where aal = 'aal2'`))
	equal(t, "methods left", 0, s.count(`select count(*) from auth.mfa_amr_claims where authentication_method = 'totp'`))
}

func TestFactorsOfOtherUsers(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	challenge := s.challenge(strong.Access, made.ID)
	ben := s.member("ben@plaza.test")
	bens := s.newApp(ben.Access, "phone")
	s.clock.Advance(30 * time.Second)
	for _, id := range []string{made.ID, unknownID} {
		s.unenroll(ben.Access, id).want(t, http.StatusNotFound, "mfa_factor_not_found")
		s.do(call{path: "/factors/" + id + "/challenge", as: ben.Access}).want(t, http.StatusNotFound, "mfa_factor_not_found")
		s.verifyFactor(ben.Access, id, challenge, s.code(made, 0)).want(t, http.StatusNotFound, "mfa_factor_not_found")
	}
	s.verifyFactor(ben.Access, bens.ID, challenge, s.code(made, 0)).want(t, http.StatusUnprocessableEntity, "mfa_factor_not_found")
	for _, id := range []string{"x", "x%00y", strings.Repeat("a", 4096)} {
		s.unenroll(ben.Access, id).want(t, http.StatusNotFound, "validation_failed")
	}
	equal(t, "factors", 2, s.count(`select count(*) from auth.mfa_factors`))
}

func TestFactorChangesAreMailed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.Mailer.Notices.FactorEnrolled, c.Mailer.Notices.FactorUnenrolled = true, true
	})
	strong, made := s.memberWithApp("ana@plaza.test")
	equal(t, "subject", "Two-factor authentication was added", s.lastMail("ana@plaza.test").Subject)
	count := len(s.sendMails())
	s.upgradeToAAL2(strong.Access, made)
	equal(t, "mails after a sign-in", count, len(s.sendMails()))
	s.unenroll(strong.Access, made.ID).want(t, http.StatusOK, "")
	equal(t, "subject", "Two-factor authentication was removed", s.lastMail("ana@plaza.test").Subject)
}
