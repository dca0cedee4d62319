package auth_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

func TestErrorShapes(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	tests := []struct {
		name, version, body, want string
	}{
		{"new shape", "2024-01-01", `{"email":"x"}`, `{"code":"validation_failed","message":"missing email or phone"}`},
		{"a later version", "2025-06-30", `{"email":"x"}`, `{"code":"validation_failed","message":"missing email or phone"}`},
		{"old shape", "", `{"email":"x"}`, `{"code":400,"error_code":"validation_failed","msg":"missing email or phone"}`},
		{"an earlier version", "2023-01-01", `{"email":"x"}`, `{"code":400,"error_code":"validation_failed","msg":"missing email or phone"}`},
		{"no date", "soon", `{"email":"x"}`, `{"code":400,"error_code":"validation_failed","msg":"missing email or phone"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.do(call{path: "/token?grant_type=password", body: `{"password":"x"}`, header: map[string]string{"X-Supabase-Api-Version": tt.version}})
			equal(t, "body", tt.want, got.body)
			equal(t, "code header", "validation_failed", got.header.Get("X-Sb-Error-Code"))
			echoed := ""
			if strings.Contains(tt.want, `"message"`) {
				echoed = "2024-01-01"
			}
			equal(t, "version header", echoed, got.header.Get("X-Supabase-Api-Version"))
		})
	}
	weak := `{"email":"ana@plaza.test","password":"abc"}`
	equal(t, "weak, new", `{"code":"weak_password","message":"Password should be at least 6 characters.","weak_password":{"reasons":["length"]}}`, s.post("/signup", weak).body)
	old := s.do(call{path: "/signup", body: weak, header: map[string]string{"X-Supabase-Api-Version": ""}})
	equal(t, "weak, old", `{"code":422,"error_code":"weak_password","msg":"Password should be at least 6 characters.","weak_password":{"reasons":["length"]}}`, old.body)
}

func TestTriggerErrorsAreShown(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.exec(`create function public.refuse() returns trigger language plpgsql as $$
		begin raise exception using errcode = 'PT409', message = 'No more members', hint = 'Come back tomorrow'; end $$;
		create trigger refuse before insert on auth.users for each row execute function public.refuse()`)
	s.post("/signup", `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`).want(t, http.StatusInternalServerError, "unexpected_failure")
	old := s.do(call{path: "/signup", body: `{"email":"ana@plaza.test","password":"Correct-Horse-1"}`, header: map[string]string{"X-Supabase-Api-Version": ""}})
	old.want(t, http.StatusConflict, "")
	equal(t, "body", `{"code":"PT409","message":"No more members","hint":"Come back tomorrow"}`, old.body)
}

// A constraint violation in a trigger of the project does not reveal the constraint or the key, in
// either error format, and is not mistaken for a violation in our tables.
func TestConstraintsOfTheProjectAreNotShown(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.Anonymous = true })
	ana := s.member("ana@plaza.test")
	s.exec(`create table public.cards (number text constraint cards_number_secret primary key);
		insert into public.cards values ('4000');
		create function public.card() returns trigger language plpgsql security definer as $$
		begin insert into public.cards values ('4000'); return new; end $$;
		create trigger card before insert on auth.users for each row execute function public.card();
		create trigger card_of_change before update of email, phone, email_change, raw_user_meta_data on auth.users for each row execute function public.card()`)
	const person = `{"email":"eva@plaza.test","password":"Correct-Horse-1"}`
	calls := map[string]call{
		"sign-up":          {path: "/signup", body: person},
		"anonymous":        {path: "/signup", body: `{}`},
		"magic link":       {path: "/otp", body: person},
		"admin creates":    {path: "/admin/users", body: person, as: s.auth.Keys.Service},
		"admin invites":    {path: "/invite", body: person, as: s.auth.Keys.Service},
		"generated link":   {path: "/admin/generate_link", body: `{"type":"signup","email":"eva@plaza.test","password":"Correct-Horse-1"}`, as: s.auth.Keys.Service},
		"admin changes":    {method: http.MethodPut, path: "/admin/users/" + ana.User["id"].(string), body: `{"email":"zoe@plaza.test"}`, as: s.auth.Keys.Service},
		"a change of data": {method: http.MethodPut, path: "/user", body: `{"data":{"a":1}}`, as: ana.Access},
		"a change of mail": {method: http.MethodPut, path: "/user", body: `{"email":"zoe@plaza.test"}`, as: ana.Access},
	}
	for name, request := range calls {
		for _, version := range []string{"", "2024-01-01"} {
			request.header = map[string]string{"X-Supabase-Api-Version": version}
			got := s.do(request)
			equal(t, name+" status", http.StatusInternalServerError, got.status)
			equal(t, name+" code", "unexpected_failure", got.header.Get("X-Sb-Error-Code"))
			for _, secret := range []string{"cards", "4000", "23505", "duplicate"} {
				if strings.Contains(got.body, secret) {
					t.Errorf("%s, version %q: %s", name, version, got.body)
				}
			}
		}
	}
	equal(t, "sign-up", `{"code":"unexpected_failure","message":"Database error saving new user"}`, s.post("/signup", person).body)

	// A violation in our own tables by concurrent requests does not reveal them, either.
	s.exec("drop trigger card on auth.users; drop trigger card_of_change on auth.users")
	s.member("zoe@plaza.test")
	old := s.do(call{method: http.MethodPut, path: "/admin/users/" + ana.User["id"].(string), body: `{"email":"zoe@plaza.test"}`, as: s.auth.Keys.Service, header: map[string]string{"X-Supabase-Api-Version": ""}})
	old.want(t, http.StatusUnprocessableEntity, "")
	equal(t, "taken", `{"code":422,"error_code":"email_exists","msg":"A user with this email address has already been registered"}`, old.body)
}

func TestStatusesAndHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	tests := []struct {
		name, method, path string
		header             map[string]string
		status             int
		want               map[string]string
	}{
		{"an unknown path", "GET", "/nonsense", nil, 404, map[string]string{"Content-Type": "text/plain; charset=utf-8"}},
		{"a wrong method", "DELETE", "/signup", nil, 405, map[string]string{"Allow": "POST", "Content-Length": "0"}},
		{"a wrong method of two", "POST", "/user", nil, 405, map[string]string{"Allow": "GET"}},
		{"no API key", "GET", "/settings", map[string]string{"apikey": ""}, 200, nil},
		{"a wrong API key", "POST", "/signup", map[string]string{"apikey": "x"}, 401, map[string]string{"X-Sb-Error-Code": "invalid_api_key"}},
		{"the newer key", "GET", "/settings", map[string]string{"apikey": s.auth.Keys.Publishable}, 200, nil},
		{"health without a key", "GET", "/health", map[string]string{"apikey": ""}, 200, nil},
		{"keys without a key", "GET", "/.well-known/jwks.json", map[string]string{"apikey": ""}, 200, map[string]string{"Cache-Control": "public, max-age=600"}},
		{"another origin asks", "OPTIONS", "/token", map[string]string{"Origin": "https://app.test", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "apikey,x-client-info"}, 200,
			map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "Authorization, apikey, x-client-info, Accept, Accept-Language, Content-Language"}},
		{"another origin reads", "GET", "/settings", map[string]string{"Origin": "https://app.test"}, 200,
			map[string]string{"Access-Control-Expose-Headers": "X-Total-Count, Link, X-Supabase-Api-Version, X-Request-Id"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.do(call{method: tt.method, path: tt.path, header: tt.header})
			got.want(t, tt.status, "")
			for name, want := range tt.want {
				equal(t, name, want, got.header.Get(name))
			}
		})
	}
	equal(t, "keys", `{"keys":[]}`, s.do(call{method: "GET", path: "/.well-known/jwks.json"}).body)
	large := s.post("/signup", `{"email":"`+strings.Repeat("x", 1<<20)+`"}`)
	large.want(t, http.StatusRequestEntityTooLarge, "request_entity_too_large")

	var settings struct {
		External    map[string]bool `json:"external"`
		Autoconfirm bool            `json:"mailer_autoconfirm"`
	}
	s.do(call{method: "GET", path: "/settings"}).parse(t, &settings)
	equal(t, "email", true, settings.External["email"])
	equal(t, "google", false, settings.External["google"])
}

func TestTokenHeaders(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.member("ana@plaza.test")
	got := s.signIn("ana@plaza.test", strong)
	in := got.tokens(t)
	equal(t, "user", in.User["id"], any(got.header.Get("Sb-Auth-User-Id")))
	equal(t, "session", s.claimsOf(in.Access)["session_id"], any(got.header.Get("Sb-Auth-Session-Id")))
	equal(t, "prefix", in.Refresh[:5], got.header.Get("Sb-Auth-Refresh-Token-Prefix"))
	equal(t, "cache", "no-store", got.header.Get("Cache-Control"))
}

// A password that no longer meets the policy still signs in, with a hint.
func TestWeakPasswordStillSignsIn(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	startOn(t, address, nil).member("ana@plaza.test")
	s := startOn(t, address, func(c *auth.Config) { c.Password.MinLength = 20 })
	got := s.signIn("ana@plaza.test", strong)
	got.tokens(t)
	if !strings.Contains(got.body, `"weak_password":{"reasons":["length"]}`) {
		t.Errorf("no hint: %s", got.body)
	}
}

func TestInvalidSettings(t *testing.T) {
	t.Parallel()
	good := defaults(t)
	tests := []struct {
		name   string
		change func(*auth.Config)
		want   string
	}{
		{"none", func(*auth.Config) {}, ""},
		{"expiry", func(c *auth.Config) { c.JWT.Expiry = 0 }, "GOTRUE_JWT_EXP"},
		{"code length", func(c *auth.Config) { c.Mailer.OTPLength = 4 }, "GOTRUE_MAILER_OTP_LENGTH"},
		{"password length", func(c *auth.Config) { c.Password.MinLength = 73 }, "GOTRUE_PASSWORD_MIN_LENGTH"},
		{"code length of messages", func(c *auth.Config) { c.SMS.OTPLength = 11 }, "GOTRUE_SMS_OTP_LENGTH"},
		{"message", func(c *auth.Config) { c.SMS.Template = "{{ .Token }}" }, "GOTRUE_SMS_TEMPLATE"},
		{"provider of messages", func(c *auth.Config) { c.SMS.Provider = "pigeon" }, "GOTRUE_SMS_PROVIDER"},
		{"captcha", func(c *auth.Config) { c.Security.Captcha = auth.Captcha{Enabled: true, Provider: "riddle"} }, "GOTRUE_SECURITY_CAPTCHA_PROVIDER"},
		{"sealing key", func(c *auth.Config) { c.Security.Encryption = auth.Encryption{KeyID: "a", Key: "short"} }, "GOTRUE_SECURITY_DB_ENCRYPTION"},
		{"confirmations", func(c *auth.Config) { c.Mailer.Autoconfirm, c.Mailer.AllowUnverified = true, true }, "GOTRUE_MAILER_AUTOCONFIRM"},
		{"hook without a secret", func(c *auth.Config) { c.Hook.SendSMS = auth.Hook{Enabled: true, URI: "https://example.com/x"} }, "GOTRUE_HOOK_SEND_SMS_URI"},
		{"sender", func(c *auth.Config) { c.SMTP.Host = "mail" }, "GOTRUE_SMTP_ADMIN_EMAIL"},
		{"glob", func(c *auth.Config) { c.URIAllowList = []string{"https://{a"} }, "GOTRUE_URI_ALLOW_LIST"},
		{"hook", func(c *auth.Config) { c.Hook.PasswordVerification = auth.Hook{Enabled: true, URI: "https://x"} }, "GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI"},
		{"hook with SQL", func(c *auth.Config) {
			c.Hook.PasswordVerification = auth.Hook{Enabled: true, URI: `pg-functions://postgres/public/f"();drop`}
		}, "GOTRUE_HOOK_PASSWORD_VERIFICATION_ATTEMPT_URI"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := good
			tt.change(&c)
			err := c.Check()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestUnsupportedEndpoints(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.post("/sso", `{"domain":"plaza.test"}`).want(t, http.StatusNotFound, "saml_provider_disabled")
	s.post("/token?grant_type=web3", `{"chain":"solana"}`).want(t, http.StatusUnprocessableEntity, "web3_provider_disabled")
	s.post("/token?grant_type=web3", `{"chain":"dogecoin"}`).want(t, http.StatusBadRequest, "web3_unsupported_chain")
	s.post("/token?grant_type=nonsense", `{}`).want(t, http.StatusBadRequest, "invalid_credentials")
}

// Standalone, like upstream's container, the server is served at the root.
func TestRoutesAtTheRoot(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	result := httptest.NewRecorder()
	s.built.Routes("").ServeHTTP(result, httptest.NewRequest(http.MethodGet, "/health", nil))
	equal(t, "status", http.StatusOK, result.Code)
}
