package auth_test

import (
	"net/http"
	"testing"
	"time"

	"plaza/server/auth"
)

func TestGetUser(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	mint := func(set map[string]any) string {
		token, err := s.auth.Verifier.Mint(set)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	const nobody = "6f9619ff-8b86-4011-b42d-00c04fc964ff"
	tests := []struct {
		name, token string
		status      int
		code        string
	}{
		{"no token", "", 401, "no_authorization"},
		{"a broken token", "x.y.z", 403, "bad_jwt"},
		{"an expired token", mint(map[string]any{"sub": in.User["id"], "exp": startTime.Unix() - 60}), 403, "bad_jwt"},
		{"an API key", s.auth.Keys.Anon, 403, "bad_jwt"},
		{"a secret key", s.auth.Keys.Secret, 403, "bad_jwt"},
		{"a sub that is no UUID", mint(map[string]any{"sub": "ana"}), 400, "bad_jwt"},
		{"a session that is no UUID", mint(map[string]any{"sub": nobody, "session_id": "x"}), 403, "bad_jwt"},
		{"a user who is gone", mint(map[string]any{"sub": nobody}), 403, "user_not_found"},
		{"a session that is gone", mint(map[string]any{"sub": in.User["id"], "session_id": nobody}), 403, "session_not_found"},
		{"a token without a session", mint(map[string]any{"sub": in.User["id"]}), 200, ""},
		{"a signed-in user", in.Access, 200, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.do(call{method: "GET", path: "/user", as: tt.token}).want(t, tt.status, tt.code)
		})
	}
	s.exec("update auth.users set banned_until = $1", startTime.Add(time.Hour))
	s.do(call{method: "GET", path: "/user", as: in.Access}).want(t, http.StatusForbidden, "user_banned")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "user_banned")
}

func TestUserObject(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1","data":{"full_name":"Ana","sub":"forged"}}`)
	s.pressButton(s.linkTo("ana@plaza.test"))
	in := s.signIn("ana@plaza.test", strong).tokens(t)
	id := in.User["id"]
	identity := in.User["identities"].([]any)[0].(map[string]any)
	at := "2026-03-14T12:00:00Z"
	equal(t, "user", map[string]any{
		"id": id, "aud": "authenticated", "role": "authenticated", "email": "ana@plaza.test", "phone": "",
		"email_confirmed_at": at, "confirmed_at": at, "confirmation_sent_at": at, "last_sign_in_at": at, "created_at": at, "updated_at": at,
		"app_metadata":  map[string]any{"provider": "email", "providers": []any{"email"}},
		"user_metadata": map[string]any{"full_name": "Ana", "sub": "forged", "email_verified": true},
		"is_anonymous":  false,
		"identities": []any{map[string]any{
			"identity_id": identity["identity_id"], "id": id, "user_id": id, "provider": "email", "email": "ana@plaza.test",
			"identity_data":   map[string]any{"sub": id, "email": "ana@plaza.test", "email_verified": true, "phone_verified": false, "full_name": "Ana"},
			"last_sign_in_at": at, "created_at": at, "updated_at": at,
		}},
	}, in.User)
	equal(t, "expires_in", 3600, in.In)
	equal(t, "expires_at", startTime.Unix()+3600, in.At)
	equal(t, "token_type", "bearer", in.Type)
}

func (s *server) put(as, body string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodPut, path: "/user", as: as, body: body})
}

func TestMetadataIsMergedKeyByKey(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.put(in.Access, `{"data":{"a":1,"b":{"c":[1,2]},"keep":"x"}}`).want(t, http.StatusOK, "")
	got := s.put(in.Access, `{"data":{"a":null,"b":{"d":2},"new":true}}`)
	got.want(t, http.StatusOK, "")
	var user struct {
		Data map[string]any `json:"user_metadata"`
	}
	got.parse(t, &user)
	equal(t, "data", map[string]any{"b": map[string]any{"d": 2.0}, "keep": "x", "new": true, "email_verified": true}, user.Data)
	s.put(in.Access, `{"app_metadata":{"role":"admin"}}`).want(t, http.StatusForbidden, "not_admin")
	s.put(in.Access, `{"phone":"34600000000"}`).want(t, http.StatusBadRequest, "phone_provider_disabled")
	s.put(in.Access, `{"data":[]}`).want(t, http.StatusBadRequest, "bad_json")
}

func TestPasswordChange(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.RequireCurrentPassword = true })
	s.member("ana@plaza.test")
	other := s.signIn("ana@plaza.test", strong).tokens(t)
	in := s.signIn("ana@plaza.test", strong).tokens(t)

	s.put(in.Access, `{"password":"New-Horse-2"}`).want(t, http.StatusBadRequest, "current_password_required")
	s.put(in.Access, `{"password":"New-Horse-2","current_password":"wrong"}`).want(t, http.StatusBadRequest, "current_password_invalid")
	s.put(in.Access, `{"password":"Correct-Horse-1","current_password":"Correct-Horse-1"}`).want(t, http.StatusUnprocessableEntity, "same_password")
	s.put(in.Access, `{"password":"short","current_password":"Correct-Horse-1"}`).want(t, http.StatusUnprocessableEntity, "weak_password")
	s.put(in.Access, `{"password":"","current_password":"Correct-Horse-1"}`).want(t, http.StatusUnprocessableEntity, "weak_password")
	s.put(in.Access, `{"password":"New-Horse-2","current_password":"Correct-Horse-1"}`).want(t, http.StatusOK, "")

	s.do(call{method: "GET", path: "/user", as: in.Access}).want(t, http.StatusOK, "")
	s.do(call{method: "GET", path: "/user", as: other.Access}).want(t, http.StatusForbidden, "session_not_found")
	s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "invalid_credentials")
	s.signIn("ana@plaza.test", "New-Horse-2").tokens(t)
	equal(t, "audit", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'user_updated_password'"))
}

// A session from a mailed link may set a password without the current one for an hour.
func TestRecoverySetsAPassword(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Security.RequireCurrentPassword = true })
	s.member("ana@plaza.test")
	s.ok("/recover", `{"email":"ANA@plaza.test"}`)
	late := fragment(t, s.pressButton(s.linkTo("ana@plaza.test")))
	equal(t, "type", "recovery", late.Get("type"))
	s.clock.Advance(time.Hour + time.Second)
	lateAccess := s.refresh(late.Get("refresh_token")).tokens(t).Access
	s.put(lateAccess, `{"password":"New-Horse-2"}`).want(t, http.StatusBadRequest, "current_password_required")

	s.ok("/recover", `{"email":"ana@plaza.test"}`)
	in := s.ok("/verify", body(map[string]any{"type": "recovery", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
	s.put(in.Access, `{"password":"New-Horse-2"}`).want(t, http.StatusOK, "")
	s.signIn("ana@plaza.test", "New-Horse-2").tokens(t)
}

func TestSecondFactorGuardsPasswordAndEmail(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.exec(`insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
		select gen_random_uuid(), id, 'phone', 'totp', 'verified', now(), now() from auth.users`)
	s.put(in.Access, `{"password":"New-Horse-2"}`).want(t, http.StatusUnauthorized, "insufficient_aal")
	s.put(in.Access, `{"email":"new@plaza.test"}`).want(t, http.StatusUnauthorized, "insufficient_aal")
	s.put(in.Access, `{"data":{"a":1}}`).want(t, http.StatusOK, "")
	s.exec(`update auth.mfa_amr_claims set authentication_method = 'totp'`)
	s.put(in.Access, `{"password":"New-Horse-2"}`).want(t, http.StatusOK, "")
	equal(t, "aal", "aal2", s.claimsOf(s.refresh(in.Refresh).tokens(t).Access)["aal"])
}

func TestEmailChangeNeedsBothAddresses(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"new@plaza.test", "ana@plaza.test"} {
		t.Run(first+" first", func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			in := s.member("ana@plaza.test")
			second := "ana@plaza.test"
			if first == second {
				second = "new@plaza.test"
			}
			got := s.put(in.Access, `{"email":"New@plaza.test"}`)
			got.want(t, http.StatusOK, "")
			var user struct {
				Email string `json:"email"`
				New   string `json:"new_email"`
			}
			got.parse(t, &user)
			equal(t, "addresses", [2]string{"ana@plaza.test", "new@plaza.test"}, [2]string{user.Email, user.New})

			half := fragment(t, s.pressButton(s.linkTo(first)))
			equal(t, "half", "Confirmation link accepted. Please proceed to confirm link sent to the other email", half.Get("message"))
			equal(t, "the same link again", "otp_expired", fragment(t, s.pressButton(s.linkTo(first))).Get("error_code"))
			done := fragment(t, s.pressButton(s.linkTo(second)))
			set := s.claimsOf(done.Get("access_token"))
			equal(t, "email", "new@plaza.test", set["email"])
			s.signIn("new@plaza.test", strong).tokens(t)
			s.signIn("ana@plaza.test", strong).want(t, http.StatusBadRequest, "invalid_credentials")
			equal(t, "identity", 1, s.count("select count(*) from auth.identities where email = 'new@plaza.test' and (identity_data ->> 'email_verified')::boolean"))
			equal(t, "tokens", 0, s.count("select count(*) from auth.one_time_tokens"))
		})
	}
}

func TestEmailChangeByCode(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.put(in.Access, `{"email":"new@plaza.test"}`).want(t, http.StatusOK, "")
	half := s.ok("/verify", body(map[string]any{"type": "email_change", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code}))
	equal(t, "half", `{"code":"200","msg":"Confirmation link accepted. Please proceed to confirm link sent to the other email"}`, half.body)
	s.clock.Advance(time.Minute)
	s.ok("/verify", body(map[string]any{"type": "email_change", "email": "new@plaza.test", "token": s.linkTo("new@plaza.test").code})).tokens(t)
}

func TestEmailChangeWithoutTheOldAddress(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Mailer.SecureEmailChange = false })
	in := s.member("ana@plaza.test")
	before := s.mailCount()
	s.put(in.Access, `{"email":"new@plaza.test"}`).want(t, http.StatusOK, "")
	equal(t, "mails", before+1, s.mailCount())
	s.put(in.Access, `{"email":"other@plaza.test"}`).want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
	equal(t, "email", "new@plaza.test", s.claimsOf(fragment(t, s.pressButton(s.linkTo("new@plaza.test"))).Get("access_token"))["email"])
}

func TestEmailChangeToATakenAddress(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Mailer.SecureEmailChange = false })
	s.member("ben@plaza.test")
	in := s.member("ana@plaza.test")
	s.put(in.Access, `{"email":"ben@plaza.test"}`).want(t, http.StatusUnprocessableEntity, "email_exists")
	s.put(in.Access, `{"email":"not an address"}`).want(t, http.StatusBadRequest, "validation_failed")

	// The address is taken between the request and the confirmation.
	s.put(in.Access, `{"email":"cleo@plaza.test"}`).want(t, http.StatusOK, "")
	l := s.linkTo("cleo@plaza.test")
	s.ok("/signup", `{"email":"cleo@plaza.test","password":"Correct-Horse-1"}`)
	equal(t, "error", "email_exists", fragment(t, s.pressButton(l)).Get("error_code"))
}

func TestSignOutScopes(t *testing.T) {
	t.Parallel()
	tests := []struct {
		scope                  string
		here, there, elsewhere bool // which sessions are left: this one, the user's other, another user's
	}{
		{"", false, false, true},
		{"?scope=global", false, false, true},
		{"?scope=local", false, true, true},
		{"?scope=others", true, false, true},
	}
	for _, tt := range tests {
		t.Run("scope"+tt.scope, func(t *testing.T) {
			t.Parallel()
			s := start(t, nil)
			ben := s.member("ben@plaza.test")
			there := s.member("ana@plaza.test")
			here := s.signIn("ana@plaza.test", strong).tokens(t)
			s.do(call{path: "/logout" + tt.scope, as: here.Access}).want(t, http.StatusNoContent, "")
			alive := func(in tokens) bool {
				return s.do(call{method: "GET", path: "/user", as: in.Access}).status == http.StatusOK
			}
			equal(t, "sessions left", [3]bool{tt.here, tt.there, tt.elsewhere}, [3]bool{alive(here), alive(there), alive(ben)})
			equal(t, "audit", 1, s.count("select count(*) from auth.audit_log_entries where payload ->> 'action' = 'logout'"))
		})
	}
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	s.do(call{path: "/logout?scope=nonsense", as: in.Access}).want(t, http.StatusBadRequest, "validation_failed")
	s.do(call{path: "/logout"}).want(t, http.StatusUnauthorized, "no_authorization")
	s.do(call{method: "GET", path: "/user", as: in.Access}).want(t, http.StatusOK, "")
}
