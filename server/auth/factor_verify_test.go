package auth_test

import (
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

func TestVerifiedFactorUpgradesTheSession(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	other := s.signIn("ana@plaza.test", ownPassword).tokens(t)
	begun := s.newApp(ana.Access, "begun")
	made := s.newApp(ana.Access, "phone")
	s.clock.Advance(time.Second)
	challenge := s.do(call{path: "/factors/" + made.ID + "/challenge", as: ana.Access})
	challenge.want(t, http.StatusOK, "")
	var posed struct {
		ID, Type string
		At       int64 `json:"expires_at"`
	}
	challenge.parse(t, &posed)
	equal(t, "type", "totp", posed.Type)
	equal(t, "expires", s.clock.Now().Add(5*time.Minute).Unix(), posed.At)

	strong := s.verifyFactor(ana.Access, made.ID, posed.ID, s.code(made, 0)).tokens(t)
	claims := s.claimsOf(strong.Access)
	equal(t, "level", "aal2", claims["aal"].(string))
	equal(t, "session", s.claimsOf(ana.Access)["session_id"].(string), claims["session_id"].(string))
	equal(t, "methods", []string{"totp", "otp"}, s.amr(strong.Access))
	equal(t, "factors", []string{"totp phone verified"}, s.factors(strong.Access))

	s.do(call{method: http.MethodGet, path: "/user", as: other.Access}).want(t, http.StatusForbidden, "session_not_found")
	s.refresh(other.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	s.refresh(ana.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
	next := s.refresh(strong.Refresh).tokens(t)
	equal(t, "level after a refresh", "aal2", s.claimsOf(next.Access)["aal"].(string))
	s.unenroll(strong.Access, begun.ID).want(t, http.StatusNotFound, "mfa_factor_not_found")
	equal(t, "last use", 1, s.count(`select count(*) from auth.mfa_factors where last_used_at = $1 and updated_at = $1`, s.clock.Now()))
	equal(t, "session row", 1, s.count(`select count(*) from auth.sessions where aal = 'aal2' and factor_id::text = $1`, made.ID))
	equal(t, "audit", 1, s.count(`select count(*) from auth.audit_log_entries where payload->>'action' = 'verification_attempted'`))
}

func TestSignInWithASecondFactor(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	weak := s.signIn("ana@plaza.test", ownPassword).tokens(t)
	equal(t, "level", "aal1", s.claimsOf(weak.Access)["aal"].(string))
	again := s.upgradeToAAL2(weak.Access, made)
	equal(t, "methods", []string{"totp", "password"}, s.amr(again.Access))
	s.do(call{method: http.MethodGet, path: "/user", as: strong.Access}).want(t, http.StatusOK, "")
	third := s.upgradeToAAL2(again.Access, made)
	equal(t, "a second time", []string{"totp", "password"}, s.amr(third.Access))
}

func TestACodeWorksOnce(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	for _, steps := range []int{0, -1} {
		s.verifyFactor(strong.Access, made.ID, s.challenge(strong.Access, made.ID), s.code(made, steps)).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	challenge := s.challenge(strong.Access, made.ID)
	s.verifyFactor(strong.Access, made.ID, challenge, s.code(made, 1)).want(t, http.StatusOK, "")
	s.clock.Advance(30 * time.Second)
	s.verifyFactor(strong.Access, made.ID, challenge, s.code(made, 1)).want(t, http.StatusUnprocessableEntity, "mfa_ip_address_mismatch")
}

// countSuccesses sends requests concurrently and returns how many got tokens.
func countSuccesses(requests int, send func(i int) answer) int {
	var all sync.WaitGroup
	var won atomic.Int32
	for i := range requests {
		all.Go(func() {
			if send(i).status == http.StatusOK {
				won.Add(1)
			}
		})
	}
	all.Wait()
	return int(won.Load())
}

// Concurrent requests with one code have one winner: for one challenge, for two, or of two
// sessions.
func TestConcurrentCodesHaveOneWinner(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                 string
		sessions, challenges int
	}{{"one challenge", 1, 1}, {"two challenges", 1, 2}, {"two sessions", 2, 2}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			_, made := s.memberWithApp("ana@plaza.test")
			as, posed := make([]string, tt.sessions), make([]string, tt.challenges)
			for i := range as {
				as[i] = s.signInAAL1("ana@plaza.test").Access
			}
			s.clock.Advance(30 * time.Second)
			for i := range posed {
				posed[i] = s.challenge(as[i%tt.sessions], made.ID)
			}
			equal(t, "requests that got tokens", 1, countSuccesses(8, func(i int) answer {
				return s.verifyFactor(as[i%tt.sessions], made.ID, posed[i%tt.challenges], s.code(made, 0))
			}))
		})
	}
}

// Four sessions send the same code. All of them wait for the lock before the first one gets it.
func TestSessionsAreSerialized(t *testing.T) {
	t.Parallel()
	const sessions = 4
	s := start(t, nil)
	_, made := s.memberWithApp("ana@plaza.test")
	var as, posed [sessions]string
	for i := range as {
		as[i] = s.upgradeToAAL2(s.signInAAL1("ana@plaza.test").Access, made).Access
		posed[i] = s.challenge(as[i], made.ID)
	}
	s.clock.Advance(30 * time.Second)
	hold, err := s.db.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hold.Exec(t.Context(), `select from auth.mfa_factors for update`); err != nil {
		t.Fatal(err)
	}
	won := make(chan int)
	go func() {
		won <- countSuccesses(sessions, func(i int) answer { return s.verifyFactor(as[i], made.ID, posed[i], s.code(made, 0)) })
	}()
	for s.count(`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`) < sessions {
		runtime.Gosched()
	}
	if err := hold.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "requests that got tokens", 1, <-won)
}

func TestChallengeExpires(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	refused := func(challenge, code, want string) {
		t.Helper()
		s.verifyFactor(ana.Access, made.ID, challenge, code).want(t, http.StatusUnprocessableEntity, want)
	}
	t.Run("after five wrong codes", func(t *testing.T) {
		challenge := s.challenge(ana.Access, made.ID)
		for range 5 {
			refused(challenge, s.code(made, 5), "mfa_verification_failed")
		}
		refused(challenge, s.code(made, 0), "mfa_challenge_expired")
	})
	t.Run("after five minutes", func(t *testing.T) {
		challenge := s.challenge(ana.Access, made.ID)
		s.clock.Advance(5*time.Minute + time.Second)
		refused(challenge, s.code(made, 0), "mfa_challenge_expired")
	})
	t.Run("with its factor", func(t *testing.T) {
		challenge := s.challenge(ana.Access, made.ID)
		s.unenroll(ana.Access, made.ID).want(t, http.StatusOK, "")
		s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, 0)).want(t, http.StatusNotFound, "mfa_factor_not_found")
	})
	equal(t, "sessions at the second level", 0, s.count(`select count(*) from auth.sessions where aal <> 'aal1'`))
}

// Wrong codes are counted across challenges and sessions.
func TestWrongCodesLockAFactor(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	weak := s.signInAAL1("ana@plaza.test")
	for i := range 10 {
		as := []string{strong.Access, weak.Access}[i%2]
		s.verifyFactor(as, made.ID, s.challenge(as, made.ID), s.code(made, 5)).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	}
	s.verifyFactor(weak.Access, made.ID, s.challenge(weak.Access, made.ID), s.code(made, 1)).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
	s.clock.Advance(15 * time.Minute)
	s.verifyFactor(weak.Access, made.ID, s.challenge(weak.Access, made.ID), s.code(made, 5)).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
	s.verifyFactor(weak.Access, made.ID, s.challenge(weak.Access, made.ID), s.code(made, 0)).want(t, http.StatusOK, "")
}

// Challenges and attempts have separate buckets.
func TestFactorsAreLimitedByAddress(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	for _, path := range []string{"/factors/" + made.ID + "/challenge", "/factors/" + made.ID + "/verify", "/factors/recovery-codes/verify"} {
		from := func(address string) answer {
			return s.do(call{path: path, body: "{}", as: ana.Access, header: map[string]string{"X-Forwarded-For": address}})
		}
		for range 30 {
			if got := from("192.0.2.1"); got.status == http.StatusTooManyRequests {
				t.Fatalf("%s: refused at once", path)
			}
		}
		from("192.0.2.1").want(t, http.StatusTooManyRequests, "over_request_rate_limit")
		if got := from("192.0.2.2"); got.status == http.StatusTooManyRequests {
			t.Errorf("%s: another address is refused", path)
		}
	}
	s.clock.Advance(4 * time.Second) // 15 a minute
	challenge := "/factors/" + made.ID + "/challenge"
	header := map[string]string{"X-Forwarded-For": "192.0.2.1"}
	s.do(call{path: challenge, as: ana.Access, header: header}).want(t, http.StatusOK, "")
	s.do(call{path: challenge, as: ana.Access, header: header}).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
}

// A challenge can only be answered from the address that requested it.
func TestChallengeIsBoundToTheClientsAddress(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	challenge := s.challenge(ana.Access, made.ID)
	result := func(address string) answer {
		return s.do(call{
			path: "/factors/" + made.ID + "/verify", as: ana.Access, header: map[string]string{"X-Forwarded-For": address},
			body: body(map[string]any{"challenge_id": challenge, "code": s.code(made, 0)}),
		})
	}
	result("192.0.2.1").want(t, http.StatusUnprocessableEntity, "mfa_ip_address_mismatch")
	s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, 0)).want(t, http.StatusOK, "")
}

func TestVerifyIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	challenge := s.challenge(ana.Access, made.ID)
	unknown := unknownID
	tests := []struct {
		name, challenge, code string
		status                int
		want                  string
	}{
		{"no code", challenge, "", http.StatusBadRequest, "validation_failed"},
		{"no challenge", "", s.code(made, 0), http.StatusUnprocessableEntity, "mfa_factor_not_found"},
		{"a challenge that is no UUID", "x\x00", s.code(made, 0), http.StatusUnprocessableEntity, "mfa_factor_not_found"},
		{"an unknown challenge", unknown, s.code(made, 0), http.StatusUnprocessableEntity, "mfa_factor_not_found"},
		{"a code too early", challenge, s.code(made, 2), http.StatusUnprocessableEntity, "mfa_verification_failed"},
		{"a code too late", challenge, s.code(made, -2), http.StatusUnprocessableEntity, "mfa_verification_failed"},
		{"NUL in the code", challenge, "12345\x00", http.StatusUnprocessableEntity, "mfa_verification_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.verifyFactor(ana.Access, made.ID, tt.challenge, tt.code).want(t, tt.status, tt.want)
		})
	}
	s.verifyFactor(ana.Access, made.ID, challenge, s.code(made, -1)).want(t, http.StatusOK, "")
}

func TestVerificationCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.MFA.TOTP.Verify = false })
	ana := s.member("ana@plaza.test")
	made := s.newApp(ana.Access, "phone")
	s.do(call{path: "/factors/" + made.ID + "/challenge", as: ana.Access}).want(t, http.StatusUnprocessableEntity, "mfa_totp_verify_not_enabled")
	s.verifyFactor(ana.Access, made.ID, unknownID, "123456").want(t, http.StatusUnprocessableEntity, "mfa_totp_verify_not_enabled")
}

// With a verified factor, an aal1 session cannot change the password or the address.
func TestAccountChangesRequireAAL2(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	strong, _ := s.memberWithApp("ana@plaza.test")
	weak := s.signIn("ana@plaza.test", ownPassword).tokens(t)
	for _, text := range []string{`{"password":"Another-Horse-2"}`, `{"email":"new@plaza.test"}`} {
		change := func(as string) answer { return s.do(call{method: http.MethodPut, path: "/user", body: text, as: as}) }
		change(weak.Access).want(t, http.StatusUnauthorized, "insufficient_aal")
		change(strong.Access).want(t, http.StatusOK, "")
		weak = s.signIn("ana@plaza.test", "Another-Horse-2").tokens(t)
	}
}

// Secrets written by upstream's server are not sealed.
func TestUnsealedSecretOfUpstreamIsAccepted(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	_, made := s.memberWithApp("ana@plaza.test")
	s.exec("update auth.mfa_factors set secret = $1 where id = $2", made.TOTP.Secret, made.ID)
	s.clock.Advance(time.Minute)
	in := s.signIn("ana@plaza.test", strong).tokens(t)
	s.verifyFactor(in.Access, made.ID, s.challenge(in.Access, made.ID), s.code(made, 0)).tokens(t)
	s.clock.Advance(time.Minute)
	s.verifyFactor(in.Access, made.ID, s.challenge(in.Access, made.ID), "000000").want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
}
