package auth_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

// recoverySet is a response about recovery codes.
type recoverySet struct {
	ID, Type  string
	Name      string `json:"friendly_name"`
	Total     int
	Remaining int
	Created   time.Time `json:"created_at"`
	Codes     []string
}

func (s *server) recovery(method, path, as string) answer {
	s.t.Helper()
	return s.do(call{method: method, path: "/factors/recovery-codes" + path, as: as})
}

func (a answer) set(t testing.TB) recoverySet {
	t.Helper()
	a.want(t, http.StatusOK, "")
	var got recoverySet
	a.parse(t, &got)
	return got
}

func (s *server) useRecovery(as, code string) answer {
	s.t.Helper()
	return s.do(call{path: "/factors/recovery-codes/verify", body: body(map[string]any{"code": code}), as: as})
}

// signInAAL1 signs in without a second factor.
func (s *server) signInAAL1(email string) tokens {
	s.t.Helper()
	return s.signIn(email, ownPassword).tokens(s.t)
}

func TestRecoveryCodes(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	got := s.recovery(http.MethodPost, "", strong.Access)
	made := got.set(t)
	equal(t, "kept by nobody", "no-store", got.header.Get("Cache-Control"))
	equal(t, "of ten", []any{"recovery_code", "Recovery codes", 10, 10, 10}, []any{made.Type, made.Name, made.Total, made.Remaining, len(made.Codes)})
	seen := map[string]bool{}
	for _, code := range made.Codes {
		if !regexp.MustCompile(`^[ABCDEFGHJKMNPQRSTUVWXYZ2-9]{8}$`).MatchString(code) || seen[code] {
			t.Errorf("code %q", code)
		}
		seen[code] = true
		equal(t, "in the clear", 0, s.count(`select count(*) from auth.mfa_recovery_codes where code_hash ilike '%' || $1 || '%'`, code))
	}
	equal(t, "factors", []string{"totp phone verified", "recovery_code Recovery codes verified"}, s.factors(strong.Access))
	state := s.recovery(http.MethodGet, "", strong.Access).set(t)
	equal(t, "state", recoverySet{ID: made.ID, Type: "recovery_code", Name: "Recovery codes", Total: 10, Remaining: 10, Created: s.clock.Now()}, state)

	weak := s.signInAAL1("ana@plaza.test")
	s.clock.Advance(time.Second)
	typed := " " + strings.ToLower(made.Codes[3][:4]) + "-" + made.Codes[3][4:] + " "
	again := s.useRecovery(weak.Access, typed).tokens(t)
	equal(t, "level", "aal2", s.claimsOf(again.Access)["aal"].(string))
	equal(t, "methods", []string{"mfa/recovery_code", "password"}, s.amr(again.Access))
	s.refresh(weak.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	equal(t, "level after a refresh", "aal2", s.claimsOf(s.refresh(again.Refresh).tokens(t).Access)["aal"].(string))
	equal(t, "remaining", 9, s.recovery(http.MethodGet, "", again.Access).set(t).Remaining)
	s.useRecovery(again.Access, made.Codes[3]).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	s.useRecovery(again.Access, made.Codes[4]).want(t, http.StatusOK, "")
}

func TestRecoveryCodesAreReplaced(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	s.recovery(http.MethodPost, "/regenerate", strong.Access).want(t, http.StatusNotFound, "mfa_factor_not_found")
	first := s.recovery(http.MethodPost, "", strong.Access).set(t)
	s.recovery(http.MethodPost, "", strong.Access).want(t, http.StatusUnprocessableEntity, "mfa_verified_factor_exists")
	second := s.recovery(http.MethodPost, "/regenerate", strong.Access).set(t)
	equal(t, "the factor", first.ID, second.ID)
	s.useRecovery(strong.Access, first.Codes[0]).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	s.useRecovery(strong.Access, second.Codes[0]).want(t, http.StatusOK, "")
	equal(t, "codes kept", 10, s.count(`select count(*) from auth.mfa_recovery_codes`))
}

func TestRecoveryCodesRequireAAL2(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	for _, path := range []string{"", "/regenerate"} {
		s.recovery(http.MethodPost, path, ana.Access).want(t, http.StatusUnprocessableEntity, "mfa_recovery_codes_sole_factor")
	}
	s.recovery(http.MethodGet, "", ana.Access).want(t, http.StatusNotFound, "mfa_factor_not_found")
	s.recovery(http.MethodDelete, "", ana.Access).want(t, http.StatusNotFound, "mfa_factor_not_found")
	s.useRecovery(ana.Access, "ABCDEFGH").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	s.useRecovery(ana.Access, "").want(t, http.StatusBadRequest, "validation_failed")

	strong, _ := s.memberWithApp("ben@plaza.test")
	made := s.recovery(http.MethodPost, "", strong.Access).set(t)
	weak := s.signInAAL1("ben@plaza.test")
	s.recovery(http.MethodPost, "", weak.Access).want(t, http.StatusForbidden, "insufficient_aal")
	s.recovery(http.MethodPost, "/regenerate", weak.Access).want(t, http.StatusForbidden, "insufficient_aal")
	s.recovery(http.MethodDelete, "", weak.Access).want(t, http.StatusForbidden, "insufficient_aal")
	s.recovery(http.MethodGet, "", weak.Access).want(t, http.StatusOK, "")
	for _, code := range []string{made.Codes[0] + "\x00", strings.Repeat("A", 100_000), made.ID} {
		s.useRecovery(weak.Access, code).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	s.useRecovery(ana.Access, made.Codes[0]).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	s.do(call{path: "/factors/" + made.ID + "/challenge", as: weak.Access}).want(t, http.StatusNotFound, "mfa_factor_not_found")
	s.unenroll(strong.Access, made.ID).want(t, http.StatusNotFound, "mfa_factor_not_found")
}

// Of several concurrent requests with one code in two sessions, exactly one succeeds.
func TestConcurrentRecoveryCodes(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	made := s.recovery(http.MethodPost, "", strong.Access).set(t)
	as := []string{s.signInAAL1("ana@plaza.test").Access, s.signInAAL1("ana@plaza.test").Access}
	equal(t, "requests that got tokens", 1, countSuccesses(6, func(i int) answer { return s.useRecovery(as[i%2], made.Codes[0]) }))
	equal(t, "codes used", 1, s.count(`select count(*) from auth.mfa_recovery_codes where used_at is not null`))
}

func TestWrongRecoveryCodesLockTheSet(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	made := s.recovery(http.MethodPost, "", strong.Access).set(t)
	for range 4 {
		s.useRecovery(strong.Access, "ABCDEFGH").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	s.useRecovery(strong.Access, made.Codes[0]).want(t, http.StatusOK, "") // resets the count
	for range 5 {
		s.useRecovery(strong.Access, "ABCDEFGH").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	s.useRecovery(strong.Access, made.Codes[1]).want(t, http.StatusTooManyRequests, "mfa_recovery_codes_locked")
	fresh := s.recovery(http.MethodPost, "/regenerate", strong.Access).set(t)
	s.useRecovery(strong.Access, fresh.Codes[0]).want(t, http.StatusOK, "")
	for range 5 {
		s.useRecovery(strong.Access, "ABCDEFGH").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	s.clock.Advance(15 * time.Minute)
	s.useRecovery(strong.Access, fresh.Codes[1]).want(t, http.StatusOK, "")
}

// A user who has lost the app signs in with a code and removes the app. That deletes the codes and
// downgrades the session.
func TestRecoveryCodesAreDeletedWithTheLastFactor(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, lost := s.memberWithApp("ana@plaza.test")
	made := s.recovery(http.MethodPost, "", strong.Access).set(t)
	again := s.useRecovery(s.signInAAL1("ana@plaza.test").Access, made.Codes[0]).tokens(t)
	s.unenroll(again.Access, lost.ID).want(t, http.StatusOK, "")
	equal(t, "factors and codes", 0, s.count(`select (select count(*) from auth.mfa_factors) + (select count(*) from auth.mfa_recovery_codes)`))
	equal(t, "level", "aal1", s.claimsOf(s.refresh(again.Refresh).tokens(t).Access)["aal"].(string))
	equal(t, "sessions at the second level", 0, s.count(`select count(*) from auth.sessions where aal <> 'aal1'`))
}

func TestRecoveryCodesAreRemoved(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	made := s.recovery(http.MethodPost, "", strong.Access).set(t)
	second := s.useRecovery(s.signInAAL1("ana@plaza.test").Access, made.Codes[0]).tokens(t)
	got := s.recovery(http.MethodDelete, "", strong.Access)
	got.want(t, http.StatusOK, "")
	equal(t, "answer", `{"id":"`+made.ID+`"}`, strings.TrimSpace(got.body))
	equal(t, "factors", []string{"totp phone verified"}, s.factors(strong.Access))
	equal(t, "level by a code", "aal1", s.claimsOf(s.refresh(second.Refresh).tokens(t).Access)["aal"].(string))
	equal(t, "level by the app", "aal2", s.claimsOf(s.refresh(strong.Refresh).tokens(t).Access)["aal"].(string))
}

func TestRecoveryCodesCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.MFA.RecoveryCodes.Enroll, c.MFA.RecoveryCodes.Verify = false, false })
	strong, _ := s.memberWithApp("ana@plaza.test")
	s.recovery(http.MethodPost, "", strong.Access).want(t, http.StatusUnprocessableEntity, "mfa_recovery_codes_enroll_not_enabled")
	s.useRecovery(strong.Access, "ABCDEFGH").want(t, http.StatusUnprocessableEntity, "mfa_recovery_codes_verify_not_enabled")
}

func TestRecoveryCodesNameConflict(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	named := func(name string) answer {
		return s.do(call{path: "/factors/recovery-codes", body: body(map[string]any{"friendly_name": name}), as: strong.Access})
	}
	named("phone").want(t, http.StatusUnprocessableEntity, "mfa_factor_name_conflict")
	named("a\x00b").want(t, http.StatusBadRequest, "validation_failed")
	equal(t, "name", "Paper", named("Paper").set(t).Name)
}
