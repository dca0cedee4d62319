package auth_test

import (
	"net/http"
	"testing"

	"plaza/server/auth"
)

func TestSignUpConfirmSignInRefreshSignOut(t *testing.T) {
	t.Parallel()
	s := start(t, nil)

	s.ok("/signup", `{"email":"Ana@Plaza.test","password":"Correct-Horse-1","data":{"full_name":"Ana"}}`)
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "email_not_confirmed")

	target := s.pressButton(s.linkTo("ana@plaza.test"))
	equal(t, "target", site, target.Scheme+"://"+target.Host+target.Path)

	in := s.signIn("ana@plaza.test", strong).tokens(t)
	set := s.claimsOf(in.Access)
	equal(t, "claims", map[string]any{
		"iss": "https://api.plaza.test/auth/v1", "sub": in.User["id"], "aud": "authenticated", "role": "authenticated",
		"email": "ana@plaza.test", "phone": "", "aal": "aal1", "is_anonymous": false, "session_id": set["session_id"],
		"iat": float64(startTime.Unix()), "exp": float64(startTime.Unix() + 3600),
		"amr":           []any{map[string]any{"method": "password", "timestamp": float64(startTime.Unix())}},
		"app_metadata":  map[string]any{"provider": "email", "providers": []any{"email"}},
		"user_metadata": map[string]any{"full_name": "Ana", "email_verified": true},
	}, set)

	again := s.refresh(in.Refresh).tokens(t)
	if again.Refresh == in.Refresh {
		t.Error("the refresh token was not rotated")
	}
	s.do(call{method: "GET", path: "/user", as: again.Access}).want(t, http.StatusOK, "")
	s.do(call{path: "/logout", as: again.Access}).want(t, http.StatusNoContent, "")
	s.do(call{method: "GET", path: "/user", as: again.Access}).want(t, http.StatusForbidden, "session_not_found")
	s.refresh(again.Refresh).want(t, http.StatusBadRequest, "refresh_token_not_found")
}

func TestSignUpIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.Password.RequiredCharacters = []string{"abcdefghijklmnopqrstuvwxyz", "0123456789"}
	})
	tests := []struct {
		name, body string
		status     int
		code       string
	}{
		{"no JSON", `{"email":`, 400, "bad_json"},
		{"wrong type", `{"email":1}`, 400, "bad_json"},
		{"data that is no object", `{"email":"a@b.test","password":"abcdef1","data":[]}`, 400, "bad_json"},
		{"nothing: anonymous", `{}`, 422, "anonymous_provider_disabled"},
		{"no password", `{"email":"a@b.test"}`, 400, "validation_failed"},
		{"short password", `{"email":"a@b.test","password":"ab1"}`, 422, "weak_password"},
		{"password without a digit", `{"email":"a@b.test","password":"abcdefgh"}`, 422, "weak_password"},
		{"password over 72 bytes", `{"email":"a@b.test","password":"a1` + string(make73()) + `"}`, 400, "validation_failed"},
		{"no address", `{"email":"nobody","password":"abcdef1"}`, 400, "validation_failed"},
		{"address with a line break", `{"email":"a@b.test\nBcc: c@d.test","password":"abcdef1"}`, 400, "validation_failed"},
		{"phone", `{"phone":"34600000000","password":"abcdef1"}`, 400, "phone_provider_disabled"},
		{"both", `{"phone":"34600000000","email":"a@b.test","password":"abcdef1"}`, 400, "validation_failed"},
		{"challenge without method", `{"email":"a@b.test","password":"abcdef1","code_challenge":"x"}`, 400, "validation_failed"},
		{"short challenge", `{"email":"a@b.test","password":"abcdef1","code_challenge":"x","code_challenge_method":"s256"}`, 400, "validation_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.post("/signup", tt.body).want(t, tt.status, tt.code)
		})
	}
	equal(t, "users", 0, s.count("select count(*) from auth.users"))
	equal(t, "mails", 0, s.mailCount())
}

func make73() []byte {
	long := make([]byte, 71)
	for i := range long {
		long[i] = 'x'
	}
	return long
}
