package auth_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"testing"
	"time"

	"plaza/server/auth/mailer"
)

const verifier = "a-verifier-of-at-least-forty-three-characters-0123456789"

func s256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func exchange(s *server, code, verifier string) answer {
	return s.post("/token?grant_type=pkce", body(map[string]any{"auth_code": code, "code_verifier": verifier}))
}

// Each flow with a challenge yields a code, which only its app can exchange, once.
func TestPKCEFlows(t *testing.T) {
	t.Parallel()
	challenge := map[string]any{"email": "ana@plaza.test", "code_challenge": s256(verifier), "code_challenge_method": "s256"}
	with := func(more map[string]any) string {
		all := map[string]any{}
		for _, part := range []map[string]any{challenge, more} {
			for key, value := range part {
				all[key] = value
			}
		}
		return body(all)
	}
	tests := []struct {
		name, method string
		ask          func(s *server)
	}{
		{"sign-up", "email/signup", func(s *server) { s.ok("/signup", with(map[string]any{"password": strong})) }},
		{"resend", "email/signup", func(s *server) {
			s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
			s.clock.Advance(time.Minute)
			s.ok("/resend", with(map[string]any{"type": "signup"}))
		}},
		{"recovery", "recovery", func(s *server) {
			s.member("ana@plaza.test")
			s.ok("/recover", with(nil))
		}},
		{"magic link", "magiclink", func(s *server) {
			s.member("ana@plaza.test")
			s.ok("/otp", with(nil))
		}},
		{"email change", "email_change", func(s *server) {
			in := s.member("old@plaza.test")
			s.put(in.Access, with(nil)).want(s.t, http.StatusOK, "")
			half := s.pressButton(s.linkTo("old@plaza.test"))
			equal(s.t, "half", true, half.Query().Has("message"))
		}},
		{"plain challenge", "recovery", func(s *server) {
			s.member("ana@plaza.test")
			s.ok("/recover", body(map[string]any{"email": "ana@plaza.test", "code_challenge": verifier, "code_challenge_method": "PLAIN"}))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			tt.ask(s)
			s.clock.Advance(time.Hour) // a mail may be read late
			target := s.pressButton(s.linkTo("ana@plaza.test"))
			code := target.Query().Get("code")
			equal(t, "tokens in the redirect", "", target.Fragment)

			exchange(s, code, "").want(t, http.StatusBadRequest, "validation_failed")
			exchange(s, "nonsense", verifier).want(t, http.StatusNotFound, "flow_state_not_found")
			exchange(s, code, "another-verifier").want(t, http.StatusBadRequest, "bad_code_verifier")
			in := exchange(s, code, verifier).tokens(t)
			equal(t, "amr", any(tt.method), s.claimsOf(in.Access)["amr"].([]any)[0].(map[string]any)["method"])
			exchange(s, code, verifier).want(t, http.StatusNotFound, "flow_state_not_found")
		})
	}
}

func TestPKCECodeExpires(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong, "code_challenge": s256(verifier), "code_challenge_method": "s256"}))
	l := s.linkTo("ana@plaza.test")
	code := s.pressButton(l)
	s.clock.Advance(5*time.Minute + time.Second)
	exchange(s, code.Query().Get("code"), verifier).want(t, http.StatusUnprocessableEntity, "flow_state_expired")
}

// The typed code of a flow with a challenge signs in at once, as upstream.
func TestPKCETypedCode(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong, "code_challenge": s256(verifier), "code_challenge_method": "s256"}))
	s.ok("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
}

func TestLinkAndCodeSignIn(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, path string }{{"otp", "/otp"}, {"magiclink", "/magiclink"}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			equal(t, "body", `{}`, s.ok(tt.path, `{"email":"Ana@plaza.test","data":{"full_name":"Ana"}}`).body)
			equal(t, "a new address is confirmed", mailer.Confirmation, s.lastMail("ana@plaza.test").Kind)
			in := s.ok("/verify", body(map[string]any{"type": "email", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
			equal(t, "data", "Ana", in.User["user_metadata"].(map[string]any)["full_name"])

			s.ok(tt.path, `{"email":"ana@plaza.test"}`)
			equal(t, "a known one gets a link", mailer.MagicLink, s.lastMail("ana@plaza.test").Kind)
			equal(t, "type", "magiclink", fragment(t, s.pressButton(s.linkTo("ana@plaza.test"))).Get("type"))
			s.post(tt.path, `{"email":"ana@plaza.test"}`).want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
		})
	}
	s := start(t, nil)
	s.post("/otp", `{"email":"nobody@plaza.test","create_user":false}`).want(t, http.StatusUnprocessableEntity, "otp_disabled")
	s.post("/otp", `{"phone":"34600000000"}`).want(t, http.StatusBadRequest, "phone_provider_disabled")
	s.post("/otp", `{}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/otp", `{"email":"a@b.test","channel":"sms"}`).want(t, http.StatusBadRequest, "validation_failed")
	s.post("/magiclink", `{}`).want(t, http.StatusUnprocessableEntity, "validation_failed")
	equal(t, "users", 0, s.count("select count(*) from auth.users"))
}
