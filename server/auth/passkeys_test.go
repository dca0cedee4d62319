package auth_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

func TestPasskey(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	challenge := s.beginPasskey("registration", ana.Access)
	equal(t, "wanted", []string{"required", "preferred", "none"},
		[]string{challenge.options.Selection.ResidentKey, challenge.options.Selection.UserVerification, challenge.options.Attestation})
	equal(t, "expires", s.clock.Now().Add(5*time.Minute).Unix(), challenge.expires)
	got := s.finishPasskey("registration", ana.Access, challenge.id, key.create(challenge.options))
	got.want(t, http.StatusOK, "")
	var made map[string]any
	got.parse(t, &made)
	equal(t, "made", map[string]any{"id": made["id"], "friendly_name": "Passkey", "created_at": "2026-03-14T12:00:00Z"}, made)

	s.clock.Advance(time.Minute)
	open := s.beginPasskey("authentication", "")
	equal(t, "party", "plaza.test", open.options.RPID)
	equal(t, "allowed", 0, len(open.options.Allow))
	in := s.finishPasskey("authentication", "", open.id, key.get(open.options)).tokens(t)
	equal(t, "who", "ana@plaza.test", in.User["email"].(string))
	equal(t, "methods", []string{"passkey"}, s.amr(in.Access))
	equal(t, "level", "aal1", s.claimsOf(in.Access)["aal"].(string))
	equal(t, "audit", 1, s.count(`select count(*) from auth.audit_log_entries where payload->>'action' = 'login' and payload->'traits'->>'passkey_id' = $1`, made["id"]))

	list := s.do(call{method: http.MethodGet, path: "/passkeys", as: in.Access})
	list.want(t, http.StatusOK, "")
	var all []map[string]any
	list.parse(t, &all)
	made["last_used_at"] = "2026-03-14T12:01:00Z"
	equal(t, "list", []map[string]any{made}, all)
	equal(t, "counter", 1, s.count(`select sign_count::int from auth.webauthn_credentials`))
}

func TestPasskeyDefaultNames(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	copy(key.model[:], "\xfb\xfc\x30\x07\x15\x4e\x4e\xcc\x8c\x0b\x6e\x02\x05\x57\xd7\xbd")
	id := s.newPasskey(ana.Access, key)
	equal(t, "name", 1, s.count(`select count(*) from auth.webauthn_credentials where friendly_name = 'iCloud Keychain' and id::text = $1`, id))
	patch := func(id, text string) answer {
		return s.do(call{method: http.MethodPatch, path: "/passkeys/" + id, body: text, as: ana.Access})
	}
	got := patch(id, `{"friendly_name":"Ana's phone"}`)
	got.want(t, http.StatusOK, "")
	if !strings.Contains(got.body, `"friendly_name":"Ana's phone"`) {
		t.Errorf("renamed: %s", got.body)
	}
	patch(id, `{"friendly_name":"`+strings.Repeat("é", 120)+`"}`).want(t, http.StatusOK, "")
	for _, text := range []string{`{}`, `{"friendly_name":"` + strings.Repeat("é", 121) + `"}`, `{"friendly_name":"a\u0000b"}`} {
		patch(id, text).want(t, http.StatusBadRequest, "validation_failed")
	}
	for _, id := range []string{unknownID, "x", "x%00"} {
		patch(id, `{"friendly_name":"x"}`).want(t, http.StatusNotFound, "validation_failed")
	}
}

func TestPasskeysBelongToTheirUser(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, ben := s.member("ana@plaza.test"), s.member("ben@plaza.test")
	key := newAuthenticator(t)
	id := s.newPasskey(ana.Access, key)
	remove := func(as, id string) answer {
		return s.do(call{method: http.MethodDelete, path: "/passkeys/" + id, as: as})
	}
	remove(ben.Access, id).want(t, http.StatusNotFound, "validation_failed")
	s.do(call{method: http.MethodPatch, path: "/passkeys/" + id, body: `{"friendly_name":"mine"}`, as: ben.Access}).want(t, http.StatusNotFound, "validation_failed")
	equal(t, "list of another", "[]", strings.TrimSpace(s.do(call{method: http.MethodGet, path: "/passkeys", as: ben.Access}).body))

	challenge := s.beginPasskey("registration", ana.Access)
	result := newAuthenticator(t).create(challenge.options)
	s.finishPasskey("registration", ben.Access, challenge.id, result).want(t, http.StatusBadRequest, "webauthn_challenge_not_found")
	s.finishPasskey("registration", ana.Access, challenge.id, result).want(t, http.StatusOK, "")

	own := s.beginPasskey("registration", ben.Access)
	s.finishPasskey("registration", ben.Access, own.id, key.create(own.options)).want(t, http.StatusUnprocessableEntity, "webauthn_credential_exists")

	got := remove(ana.Access, id)
	got.want(t, http.StatusNoContent, "")
	remove(ana.Access, id).want(t, http.StatusNotFound, "validation_failed")
	open := s.beginPasskey("authentication", "")
	key.handle = s.claimsOf(ana.Access)["sub"].(string)
	s.finishPasskey("authentication", "", open.id, key.get(open.options)).want(t, http.StatusBadRequest, "webauthn_verification_failed")
}

func TestPasskeySignInIsRefused(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	ben := s.member("ben@plaza.test")
	s.newPasskey(ana.Access, key)
	tests := []struct {
		name   string
		answer func(keyChallenge) any
		status int
		code   string
	}{
		{"another's name", func(c keyChallenge) any {
			copied := *key
			copied.handle = s.claimsOf(ben.Access)["sub"].(string)
			return copied.get(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"a name that is no id", func(c keyChallenge) any {
			copied := *key
			copied.handle = "ana\x00"
			return copied.get(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"no name", func(c keyChallenge) any {
			copied := *key
			copied.handle = ""
			return copied.get(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"another key", func(c keyChallenge) any {
			forged := *newAuthenticator(t)
			forged.id, forged.handle = key.id, key.handle
			return forged.get(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"another site", func(c keyChallenge) any {
			copied := *key
			copied.origin = "https://plaza.test.example"
			return copied.get(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"a registration", func(c keyChallenge) any {
			c.options.User.ID = encode([]byte(key.handle))
			return newAuthenticator(t).create(c.options)
		}, http.StatusBadRequest, "webauthn_verification_failed"},
		{"no credential", func(keyChallenge) any { return "x" }, http.StatusBadRequest, "webauthn_verification_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			challenge := s.beginPasskey("authentication", "")
			s.finishPasskey("authentication", "", challenge.id, tt.answer(challenge)).want(t, tt.status, tt.code)
		})
	}
}

// A correct response is refused if the account may not sign in.
func TestPasskeySignInRequiresAnActiveAccount(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	s.newPasskey(ana.Access, key)
	tests := []struct {
		name, change string
		status       int
		code         string
	}{
		{"a copy with an old counter", `update auth.webauthn_credentials set sign_count = 99`, http.StatusBadRequest, "webauthn_verification_failed"},
		{"banned", `with c as (update auth.webauthn_credentials set sign_count = 0) update auth.users set banned_until = '2100-01-01'`, http.StatusForbidden, "user_banned"},
		{"with an address not confirmed", `update auth.users set banned_until = null, email_confirmed_at = null`, http.StatusForbidden, "email_not_confirmed"},
		{"with a number not confirmed", `update auth.users set email_confirmed_at = now(), phone = '376600001'`, http.StatusForbidden, "phone_not_confirmed"},
		{"open again", `update auth.users set phone_confirmed_at = now()`, http.StatusOK, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.exec(tt.change)
			challenge := s.beginPasskey("authentication", "")
			s.finishPasskey("authentication", "", challenge.id, key.get(challenge.options)).want(t, tt.status, tt.code)
		})
	}
}

func TestPasskeyChallenges(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	s.newPasskey(ana.Access, key)
	open := s.beginPasskey("authentication", "")
	result := key.get(open.options)
	for name, c := range map[string]struct{ text, code string }{
		"no challenge":      {`{"credential":{}}`, "validation_failed"},
		"no credential":     {`{"challenge_id":"` + unknownID + `"}`, "validation_failed"},
		"no UUID":           {`{"challenge_id":"x\u0000","credential":{}}`, "validation_failed"},
		"unknown":           {`{"challenge_id":"` + unknownID + `","credential":{}}`, "webauthn_challenge_not_found"},
		"of a registration": {`{"challenge_id":"` + s.beginPasskey("registration", ana.Access).id + `","credential":{}}`, "webauthn_challenge_not_found"},
	} {
		t.Run(name, func(t *testing.T) {
			s.post("/passkeys/authentication/verify", c.text).want(t, http.StatusBadRequest, c.code)
		})
	}
	s.finishPasskey("authentication", "", open.id, "x").want(t, http.StatusBadRequest, "webauthn_verification_failed")
	s.finishPasskey("authentication", "", open.id, result).want(t, http.StatusBadRequest, "webauthn_challenge_not_found")
	late := s.beginPasskey("authentication", "")
	s.clock.Advance(5*time.Minute + time.Second)
	s.finishPasskey("authentication", "", late.id, key.get(late.options)).want(t, http.StatusBadRequest, "webauthn_challenge_expired")
	s.clock.Advance(25 * time.Hour)
	s.beginPasskey("authentication", "")
	equal(t, "challenges kept", 1, s.count(`select count(*) from auth.webauthn_challenges`))
}

// Of several concurrent requests with one response, one signs in.
func TestConcurrentPasskeyResponses(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	s.newPasskey(ana.Access, key)
	open := s.beginPasskey("authentication", "")
	proof := key.get(open.options)
	equal(t, "sign-ins", 1, countSuccesses(8, func(int) answer { return s.finishPasskey("authentication", "", open.id, proof) }))
}

// Of concurrent responses with the same counter, as from cloned keys, one is accepted.
func TestConcurrentClonedPasskeys(t *testing.T) {
	t.Parallel()
	s := startKeys(t, nil)
	ana, key := s.member("ana@plaza.test"), newAuthenticator(t)
	s.newPasskey(ana.Access, key)
	open, proofs := make([]keyChallenge, 8), make([]any, 8)
	for i := range open {
		copied := *key
		open[i] = s.beginPasskey("authentication", "")
		proofs[i] = copied.get(open[i].options)
	}
	equal(t, "sign-ins", 1, countSuccesses(8, func(i int) answer { return s.finishPasskey("authentication", "", open[i].id, proofs[i]) }))
}

func TestUsersWhoMayNotRegisterPasskeys(t *testing.T) {
	t.Parallel()
	s := startKeys(t, func(c *auth.Config) { c.Passkey.Max = 1 })
	options := func(as string) answer {
		return s.do(call{path: "/passkeys/registration/options", body: "{}", as: as})
	}
	options("").want(t, http.StatusUnauthorized, "no_authorization")
	guest := s.member("guest@plaza.test")
	s.exec(`update auth.users set is_anonymous = true where email = 'guest@plaza.test'`)
	options(guest.Access).want(t, http.StatusForbidden, "no_authorization")
	employee := s.member("employee@plaza.test")
	s.exec(`update auth.users set is_sso_user = true where email = 'employee@plaza.test'`)
	options(employee.Access).want(t, http.StatusUnprocessableEntity, "validation_failed")

	ana := s.member("ana@plaza.test")
	open := s.beginPasskey("registration", ana.Access)
	id := s.newPasskey(ana.Access, newAuthenticator(t))
	options(ana.Access).want(t, http.StatusUnprocessableEntity, "too_many_passkeys")
	s.finishPasskey("registration", ana.Access, open.id, newAuthenticator(t).create(open.options)).want(t, http.StatusUnprocessableEntity, "too_many_passkeys")

	strong, _ := s.memberWithApp("ben@plaza.test")
	weak := s.signInAAL1("ben@plaza.test")
	options(weak.Access).want(t, http.StatusForbidden, "insufficient_aal")
	s.newPasskey(strong.Access, newAuthenticator(t))
	s.do(call{method: http.MethodDelete, path: "/passkeys/" + id, as: weak.Access}).want(t, http.StatusForbidden, "insufficient_aal")
}

func TestPasskeysCanBeDisabled(t *testing.T) {
	t.Parallel()
	for _, on := range []bool{true, false} {
		s := startKeys(t, func(c *auth.Config) { c.Passkey.Enabled = on })
		var settings struct {
			Enabled bool `json:"passkeys_enabled"`
		}
		if err := json.Unmarshal([]byte(s.do(call{method: http.MethodGet, path: "/settings"}).body), &settings); err != nil || settings.Enabled != on {
			t.Errorf("passkeys_enabled is %v, %v; want %v", settings.Enabled, err, on)
		}
		if !on {
			s.post("/passkeys/authentication/options", "{}").want(t, http.StatusNotFound, "passkey_disabled")
			s.do(call{method: http.MethodGet, path: "/passkeys"}).want(t, http.StatusNotFound, "passkey_disabled")
		}
	}
}
