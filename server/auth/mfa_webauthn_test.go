package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

// memberWithKey creates an account with a verified security key and signs in with it.
func (s *server) memberWithKey(email string) (tokens, string, *authenticator) {
	s.t.Helper()
	member, key := s.member(email), newAuthenticator(s.t)
	id := s.newKey(member.Access, "key")
	s.clock.Advance(time.Second)
	challenge := s.challengeKey(member.Access, id)
	return s.verifyKey(member.Access, id, challenge.id, "create", key.create(challenge.options)).tokens(s.t), id, key
}

func TestSecurityKey(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	id := s.newKey(ana.Access, "key")
	s.clock.Advance(time.Second)
	first := s.challengeKey(ana.Access, id)
	equal(t, "kind", "create", first.kind)
	equal(t, "expires", s.clock.Now().Add(5*time.Minute).Unix(), first.expires)
	equal(t, "party", "plaza.test", first.options.RP.ID)
	equal(t, "person", "ana@plaza.test", first.options.User.Name)
	strong := s.verifyKey(ana.Access, id, first.id, "create", key.create(first.options)).tokens(t)
	equal(t, "level", "aal2", s.claimsOf(strong.Access)["aal"].(string))
	equal(t, "methods", []string{"mfa/webauthn", "otp"}, s.amr(strong.Access))
	equal(t, "factors", []string{"webauthn key verified"}, s.factors(strong.Access))

	weak := s.signInAAL1("ana@plaza.test")
	s.clock.Advance(time.Second)
	second := s.challengeKey(weak.Access, id)
	equal(t, "kind", "request", second.kind)
	equal(t, "allowed", encode(key.id), second.options.Allow[0].ID)
	again := s.verifyKey(weak.Access, id, second.id, "request", key.get(second.options)).tokens(t)
	equal(t, "methods", []string{"mfa/webauthn", "password"}, s.amr(again.Access))
	equal(t, "counter", 1, s.count(`select (web_authn_credential -> 'authenticator' ->> 'signCount')::int from auth.mfa_factors`))
}

func TestSecurityKeyIsRefused(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, id, key := s.memberWithKey("ana@plaza.test")
	other := newAuthenticator(t)
	tests := []struct {
		name   string
		answer func(keyChallenge) (string, any)
	}{
		{"of another key", func(c keyChallenge) (string, any) {
			forged := *other
			forged.id, forged.handle = key.id, key.handle
			return "request", forged.get(c.options)
		}},
		{"of another credential", func(c keyChallenge) (string, any) { return "request", other.get(c.options) }},
		{"of another site", func(c keyChallenge) (string, any) {
			copied := *key
			copied.origin = "https://plaza.example"
			return "request", copied.get(c.options)
		}},
		{"for another party", func(c keyChallenge) (string, any) {
			copied := *key
			copied.party = "plaza.example"
			return "request", copied.get(c.options)
		}},
		{"to another challenge", func(c keyChallenge) (string, any) {
			c.options.Challenge = encode([]byte("a challenge that nobody has made"))
			return "request", key.get(c.options)
		}},
		{"with nobody present", func(c keyChallenge) (string, any) {
			copied := *key
			copied.flags = 0
			return "request", copied.get(c.options)
		}},
		{"with a new credential", func(c keyChallenge) (string, any) {
			c.options.User.ID = encode([]byte(key.handle))
			return "create", other.create(c.options)
		}},
		{"with the old counter", func(c keyChallenge) (string, any) {
			result := key.get(c.options)
			s.exec(`update auth.mfa_factors set web_authn_credential = jsonb_set(web_authn_credential, '{authenticator,signCount}', '99')`)
			return "request", result
		}},
		{"with no credential", func(keyChallenge) (string, any) { return "request", map[string]any{"id": 7} }},
		{"with a list", func(keyChallenge) (string, any) { return "request", []int{1} }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			challenge := s.challengeKey(strong.Access, id)
			kind, credential := tt.answer(challenge)
			s.verifyKey(strong.Access, id, challenge.id, kind, credential).want(t, http.StatusUnprocessableEntity, "mfa_verification_failed")
		})
	}
	equal(t, "factors", []string{"webauthn key verified"}, s.factors(strong.Access))
}

func TestSecurityKeyParameters(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, id, key := s.memberWithKey("ana@plaza.test")
	challenge := s.challengeKey(strong.Access, id)
	for name, text := range map[string]string{
		"no answer":         `{"challenge_id":"` + challenge.id + `"}`,
		"a code":            `{"challenge_id":"` + challenge.id + `","code":"123456"}`,
		"another type":      `{"challenge_id":"` + challenge.id + `","webauthn":{"type":"guess","credential_response":{}}}`,
		"no response":       `{"challenge_id":"` + challenge.id + `","webauthn":{"type":"request"}}`,
		"nothing whatever ": `{}`,
	} {
		got := s.do(call{path: "/factors/" + id + "/verify", body: text, as: strong.Access})
		if got.status != http.StatusBadRequest {
			t.Errorf("%s: status %d: %s", name, got.status, got.body)
		}
	}
	result := key.get(challenge.options)
	s.clock.Advance(5*time.Minute + time.Second)
	s.verifyKey(strong.Access, id, challenge.id, "request", result).want(t, http.StatusUnprocessableEntity, "mfa_challenge_expired")
}

// Of several concurrent requests with one response, one succeeds.
func TestConcurrentSecurityKeyResponses(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, id, key := s.memberWithKey("ana@plaza.test")
	challenge := s.challengeKey(strong.Access, id)
	proof := key.get(challenge.options)
	equal(t, "requests that got tokens", 1, countSuccesses(6, func(int) answer { return s.verifyKey(strong.Access, id, challenge.id, "request", proof) }))
}

// The options exclude the authenticator's existing keys.
func TestASecondSecurityKey(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, _, key := s.memberWithKey("ana@plaza.test")
	challenge := s.challengeKey(strong.Access, s.newKey(strong.Access, "second"))
	equal(t, "excluded", encode(key.id), challenge.options.Exclude[0].ID)
}

// With the last factor of a type its method is removed from all sessions. With the last factor of
// all, the sessions are downgraded.
func TestUnenrollOfTwoKinds(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	strong, made := s.memberWithApp("ana@plaza.test")
	key, id := newAuthenticator(t), s.newKey(strong.Access, "key")
	s.clock.Advance(time.Second)
	challenge := s.challengeKey(strong.Access, id)
	strong = s.verifyKey(strong.Access, id, challenge.id, "create", key.create(challenge.options)).tokens(t)
	equal(t, "methods", []string{"mfa/webauthn", "totp", "otp"}, s.amr(strong.Access))
	s.unenroll(strong.Access, made.ID).want(t, http.StatusOK, "")
	strong = s.refresh(strong.Refresh).tokens(t)
	equal(t, "methods", []string{"mfa/webauthn", "otp"}, s.amr(strong.Access))
	s.unenroll(strong.Access, id).want(t, http.StatusOK, "")
	equal(t, "level", "aal1", s.claimsOf(s.refresh(strong.Refresh).tokens(t).Access)["aal"].(string))
}

func TestSecurityKeysCanBeDisabled(t *testing.T) {
	t.Parallel()
	s := startKeys(t, func(c *auth.Config) { c.MFA.WebAuthn.Verify = false })
	ana := s.member("ana@plaza.test")
	id := s.newKey(ana.Access, "key")
	s.do(call{path: "/factors/" + id + "/challenge", as: ana.Access}).want(t, http.StatusUnprocessableEntity, "mfa_webauthn_verify_not_enabled")
}
