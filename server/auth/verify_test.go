package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

// A mail scanner that follows links does not consume them.
func TestOnlyTheButtonConsumesALink(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	l := s.linkTo("ana@plaza.test")

	for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodGet} {
		got := s.do(call{method: method, path: "/verify?" + l.link.RawQuery, header: map[string]string{"apikey": ""}})
		got.want(t, http.StatusOK, "")
		policy := got.header.Get("Content-Security-Policy")
		if strings.Contains(got.body, "<script") || !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") || strings.Contains(policy, "unsafe") {
			t.Errorf("the page may run scripts: %s", policy)
		}
		equal(t, "cache", "no-store", got.header.Get("Cache-Control"))
		if method == http.MethodGet && !strings.Contains(got.body, `<button type="submit" autofocus>Confirm email</button>`) {
			t.Errorf("no button:\n%s", got.body)
		}
	}
	equal(t, "confirmed", 0, s.count("select count(*) from auth.users where email_confirmed_at is not null"))
	equal(t, "tokens", 1, s.count("select count(*) from auth.one_time_tokens where attempts = 0"))

	// A form of another site shows the page and does not consume the link.
	s.postVerifyForm(l, map[string]string{"Sec-Fetch-Site": "cross-site"}).want(t, http.StatusOK, "")
	equal(t, "tokens", 1, s.count("select count(*) from auth.one_time_tokens"))

	target := s.pressButton(l)
	values := fragment(t, target)
	equal(t, "type", "signup", values.Get("type"))
	equal(t, "token type", "bearer", values.Get("token_type"))
	s.do(call{method: "GET", path: "/user", as: values.Get("access_token")}).want(t, http.StatusOK, "")
	s.refresh(values.Get("refresh_token")).tokens(t)

	again := fragment(t, s.pressButton(l))
	equal(t, "second press", url.Values{
		"error": {"access_denied"}, "error_code": {"otp_expired"}, "error_description": {"Email link is invalid or has expired"}, "sb": {""},
	}, again)
}

func fragment(t *testing.T, target url.URL) url.Values {
	t.Helper()
	values, err := url.ParseQuery(target.Fragment)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestLinkLeadsOnlyWhereAllowed(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.SMTP.MaxFrequency = 0 })
	s.member("ana@plaza.test")
	tests := []struct{ name, wanted, leads string }{
		{"no redirect_to: the site", "", "https://plaza.test"},
		{"a page of the site", "https://plaza.test/auth/callback?next=1", "https://plaza.test/auth/callback?next=1"},
		{"the allow list", "https://preview.plaza.test/a/b", "https://preview.plaza.test/a/b"},
		{"an app", "app.plaza://callback", "app.plaza://callback"},
		{"another site falls back", "https://evil.test/", "https://plaza.test"},
		{"a script falls back", "javascript:alert(1)", "https://plaza.test"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s.ok("/recover?redirect_to="+url.QueryEscape(tt.wanted), `{"email":"ana@plaza.test"}`)
			l := s.linkTo("ana@plaza.test")
			equal(t, "in the mail", tt.leads, l.link.Query().Get("redirect_to"))
			target := s.pressButton(l)
			target.Fragment, target.RawFragment = "", ""
			equal(t, "target", tt.leads, target.String())
		})
	}
	// The target is checked again when the button is pressed.
	s.ok("/recover", `{"email":"ana@plaza.test"}`)
	l := s.linkTo("ana@plaza.test")
	l.link.RawQuery += "&redirect_to=https%3A%2F%2Fevil.test"
	query := l.link.Query()
	query.Set("redirect_to", "https://evil.test")
	l.link.RawQuery = query.Encode()
	equal(t, "forged target", "plaza.test", s.pressButton(l).Host)
}

func TestLinkErrorsGoToTheTarget(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	l := s.linkTo("ana@plaza.test")

	query := l.link.Query()
	query.Set("type", "recovery") // another type than the link was sent for
	wrong := mailedLink{link: url.URL{RawQuery: query.Encode()}}
	equal(t, "wrong type", "otp_expired", fragment(t, s.pressButton(wrong)).Get("error_code"))

	query.Set("type", "nonsense")
	got := s.do(call{method: "GET", path: "/verify?" + query.Encode()})
	got.want(t, http.StatusSeeOther, "")
	if !strings.Contains(got.header.Get("Location"), "error_code=validation_failed") {
		t.Errorf("location %q", got.header.Get("Location"))
	}

	query.Set("token", "pkce_"+l.token())
	query.Set("type", "signup")
	target := s.pressButton(mailedLink{link: url.URL{RawQuery: query.Encode()}})
	equal(t, "PKCE: in the query, too", "otp_expired", target.Query().Get("error_code"))

	s.clock.Advance(24*time.Hour + time.Second)
	equal(t, "expired", "otp_expired", fragment(t, s.pressButton(l)).Get("error_code"))

	s.do(call{method: "GET", path: "/verify?type=signup"}).want(t, http.StatusBadRequest, "validation_failed")
	s.do(call{method: "GET", path: "/verify?token=x"}).want(t, http.StatusBadRequest, "validation_failed")
}

func TestTypedCode(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	l := s.linkTo("ana@plaza.test")
	typed := func(kind, email, code string) answer {
		return s.post("/verify", body(map[string]any{"type": kind, "email": email, "token": code}))
	}
	tests := []struct {
		name   string
		got    answer
		status int
		code   string
	}{
		{"no type", s.post("/verify", `{"token":"123456","email":"ana@plaza.test"}`), 400, "validation_failed"},
		{"no token", s.post("/verify", `{"type":"signup","email":"ana@plaza.test"}`), 400, "validation_failed"},
		{"both", s.post("/verify", `{"type":"signup","token":"1","token_hash":"2"}`), 400, "validation_failed"},
		{"a hash with an address", s.post("/verify", `{"type":"signup","token_hash":"2","email":"ana@plaza.test"}`), 400, "validation_failed"},
		{"a code without an address", s.post("/verify", `{"type":"signup","token":"123456"}`), 400, "validation_failed"},
		{"an unknown type", typed("nonsense", "ana@plaza.test", l.code), 400, "validation_failed"},
		{"an unknown address", typed("signup", "ben@plaza.test", l.code), 403, "otp_expired"},
		{"a phone", s.post("/verify", `{"type":"sms","token":"123456","phone":"34600000000"}`), 403, "otp_expired"},
		{"the code's hash is no link", s.post("/verify", body(map[string]any{"type": "signup", "token_hash": s.stored()})), 403, "otp_expired"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.got.want(t, tt.status, tt.code) })
	}
	in := typed("email", "ANA@plaza.test", l.code).tokens(t)
	equal(t, "amr", "otp", s.claimsOf(in.Access)["amr"].([]any)[0].(map[string]any)["method"])
	typed("email", "ana@plaza.test", l.code).want(t, http.StatusForbidden, "otp_expired")
}

// stored returns the stored hash of the newest code.
func (s *server) stored() string {
	var hash string
	if err := s.db.QueryRow(s.t.Context(), "select token_hash from auth.one_time_tokens").Scan(&hash); err != nil {
		s.t.Fatal(err)
	}
	return hash
}

// Five wrong codes invalidate a code and its link. Upstream has no limit.
func TestWrongCodesInvalidateTheToken(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	l := s.linkTo("ana@plaza.test")
	wrong := "000000"
	if l.code == wrong {
		wrong = "000001"
	}
	for range 4 {
		s.post("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": wrong})).want(t, http.StatusForbidden, "otp_expired")
	}
	equal(t, "attempts", 4, s.count("select attempts from auth.one_time_tokens"))
	s.post("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": wrong})).want(t, http.StatusForbidden, "otp_expired")
	s.post("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": l.code})).want(t, http.StatusForbidden, "otp_expired")
	equal(t, "the link too", "otp_expired", fragment(t, s.pressButton(l)).Get("error_code"))

	s.clock.Advance(time.Minute)
	s.ok("/resend", `{"type":"signup","email":"ana@plaza.test"}`)
	s.ok("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code}))
}

func TestTokenHashSignsIn(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	in := s.ok("/verify", body(map[string]any{"type": "email", "token_hash": s.linkTo("ana@plaza.test").token()})).tokens(t)
	identity := in.User["identities"].([]any)[0].(map[string]any)
	equal(t, "identity_data", map[string]any{
		"sub": in.User["id"], "email": "ana@plaza.test", "email_verified": true, "phone_verified": false,
	}, identity["identity_data"].(map[string]any))
}

func TestBannedUserCannotUseALink(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`)
	s.exec("update auth.users set banned_until = $1", startTime.Add(time.Hour))
	equal(t, "error", "user_banned", fragment(t, s.pressButton(s.linkTo("ana@plaza.test"))).Get("error_code"))
	equal(t, "token kept", 1, s.count("select count(*) from auth.one_time_tokens"))
}
