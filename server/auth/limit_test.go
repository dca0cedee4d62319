package auth_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

// postFrom sends a request from an address through a trusted proxy.
func (s *server) postFrom(address, path, text string) answer {
	s.t.Helper()
	return s.do(call{path: path, body: text, header: map[string]string{"X-Forwarded-For": address}})
}

func behindProxy(c *auth.Config) { c.Ways.Anonymous = true }

func TestLimitsByAddress(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), behindProxy)
	wrong := body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": "000000"})
	for range 30 {
		s.postFrom("192.0.2.1", "/verify", wrong).want(t, http.StatusForbidden, "otp_expired")
	}
	refused := s.postFrom("192.0.2.1", "/verify", wrong)
	refused.want(t, http.StatusTooManyRequests, "over_request_rate_limit")
	equal(t, "wait", "10", refused.header.Get("Retry-After"))
	s.postFrom("192.0.2.2", "/verify", wrong).want(t, http.StatusForbidden, "otp_expired") // another address
	s.postFrom("192.0.2.1", "/recover", `{"email":"ana@plaza.test"}`).want(t, http.StatusOK, "")
	s.clock.Advance(10 * time.Second)
	s.postFrom("192.0.2.1", "/verify", wrong).want(t, http.StatusForbidden, "otp_expired")
	s.postFrom("192.0.2.1", "/verify", wrong).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
}

// A whole IPv6 network is one client. A header that the client sets itself is ignored.
func TestLimitKeys(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), behindProxy)
	for i := range 30 {
		s.postFrom("2001:db8::"+strconv.FormatInt(int64(i+1), 16), "/signup", `{}`).want(t, http.StatusOK, "")
	}
	s.postFrom("2001:db8::ffff", "/signup", `{}`).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
	s.postFrom("2001:db8:1::1", "/signup", `{}`).want(t, http.StatusOK, "")
	s.postFrom("203.0.113.9, 2001:db8::1", "/signup", `{}`).want(t, http.StatusTooManyRequests, "over_request_rate_limit")

	direct := start(t, behindProxy) // no proxy is trusted, and loopback has no limit
	for range 40 {
		direct.do(call{path: "/signup", body: `{}`}).want(t, http.StatusOK, "")
	}
}

func TestServersShareLimits(t *testing.T) {
	t.Parallel()
	address := testkit.PlatformURL(t)
	servers := []*server{startBehind(t, address, nil), startBehind(t, address, nil)}
	var refused atomic.Int32
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			if servers[i%2].postFrom("192.0.2.1", "/verify", `{"type":"signup","email":"ana@plaza.test","token":"000000"}`).status == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	all.Wait()
	equal(t, "refused", int32(10), refused.Load())
}

func TestRefreshesAreLimited(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), func(c *auth.Config) { c.RateLimit.TokenRefresh = 2 })
	in := s.member("ana@plaza.test")
	for range 2 {
		in = s.postFrom("192.0.2.1", "/token?grant_type=refresh_token", body(map[string]any{"refresh_token": in.Refresh})).tokens(t)
	}
	s.postFrom("192.0.2.1", "/token?grant_type=refresh_token", body(map[string]any{"refresh_token": in.Refresh})).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
	s.clock.Advance(150 * time.Second)
	s.postFrom("192.0.2.1", "/token?grant_type=refresh_token", body(map[string]any{"refresh_token": in.Refresh})).tokens(t) // the refused one spent nothing
}

// Wrong passwords for one account are limited across addresses, whether or not the account
// exists. Then the correct one is refused, too, except from an address with a session of the
// account.
func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	s := startBehind(t, testkit.PlatformURL(t), func(c *auth.Config) { c.RateLimit.PasswordFailures = 3 })
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong}))
	s.postFrom("198.51.100.7", "/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
	for _, email := range []string{"ana@plaza.test", "nobody@plaza.test"} {
		try := func(address, password string) answer {
			return s.postFrom(address, "/token?grant_type=password", body(map[string]any{"email": email, "password": password}))
		}
		for i := range 3 {
			try("192.0.2."+strconv.Itoa(i+1), "wrong").want(t, http.StatusBadRequest, "invalid_credentials")
		}
		try("192.0.2.9", "wrong").want(t, http.StatusTooManyRequests, "over_request_rate_limit")
		try("192.0.2.9", strong).want(t, http.StatusTooManyRequests, "over_request_rate_limit")
		if email == "ana@plaza.test" {
			try("198.51.100.7", "wrong").want(t, http.StatusBadRequest, "invalid_credentials")
			try("198.51.100.7", strong).tokens(t)
			s.clock.Advance(100 * time.Second)
			try("192.0.2.9", strong).tokens(t)
		}
	}
}

func TestMailsAreLimited(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) {
		c.RateLimit.EmailSent = auth.Rate{Events: 2, Over: time.Hour}
		c.SMTP.Host, c.SMTP.AdminEmail = "relay.plaza.test", "hola@plaza.test"
	})
	s.ok("/signup", body(map[string]any{"email": "a@plaza.test", "password": strong}))
	s.ok("/recover", `{"email":"nobody@plaza.test"}`)
	for _, path := range []string{"/signup", "/recover", "/otp"} {
		s.post(path, body(map[string]any{"email": "b@plaza.test", "password": strong})).want(t, http.StatusTooManyRequests, "over_email_send_rate_limit")
	}
	equal(t, "accounts", 1, s.count("select count(*) from auth.users"))
	s.clock.Advance(30 * time.Minute)
	s.ok("/signup", body(map[string]any{"email": "b@plaza.test", "password": strong}))
}

func TestMailsGoToAuthorizedAddressesOnly(t *testing.T) {
	t.Parallel()
	s := start(t, func(c *auth.Config) { c.Ways.AuthorizedAddresses = []string{"ana@plaza.test"} })
	s.ok("/signup", body(map[string]any{"email": "Ana@plaza.test", "password": strong}))
	s.post("/signup", body(map[string]any{"email": "eva@plaza.test", "password": strong})).want(t, http.StatusBadRequest, "email_address_not_authorized")
}

func TestParseRates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]auth.Rate{"30": {Events: 30, Over: time.Hour}, "100/24h": {Events: 100, Over: 24 * time.Hour}, " 1.5 / 1m ": {Events: 1.5, Over: time.Minute}} {
		var got auth.Rate
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q is %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "x", "-1", "3/", "3/x", "3/-1h", "3/1h/2"} {
		var got auth.Rate
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
}

func TestCaptcha(t *testing.T) {
	t.Parallel()
	var params atomic.Pointer[http.Request]
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		params.Store(r)
		_ = json.NewEncoder(w).Encode(map[string]any{"success": r.PostForm.Get("response") == "solved", "error-codes": []string{"invalid-input-response"}})
	}))
	t.Cleanup(service.Close)
	s := start(t, func(c *auth.Config) {
		c.Security.Captcha = auth.Captcha{Enabled: true, Provider: "turnstile", Secret: "shared", Timeout: 5 * time.Second, URL: service.URL}
	})
	with := func(token string) string {
		return body(map[string]any{"email": "ana@plaza.test", "password": strong, "gotrue_meta_security": map[string]any{"captcha_token": token}})
	}
	for _, path := range []string{"/signup", "/recover", "/resend", "/otp", "/magiclink", "/token?grant_type=password", "/passkeys/authentication/options"} {
		s.post(path, with("")).want(t, http.StatusBadRequest, "captcha_failed")
		s.post(path, with("wrong")).want(t, http.StatusBadRequest, "captcha_failed")
	}
	s.ok("/signup", with("solved"))
	form := params.Load().PostForm
	equal(t, "the captcha request", "shared solved 127.0.0.1", form.Get("secret")+" "+form.Get("response")+" "+form.Get("remoteip"))
	in := s.ok("/verify", body(map[string]any{"type": "signup", "email": "ana@plaza.test", "token": s.linkTo("ana@plaza.test").code})).tokens(t)
	s.refresh(in.Refresh).tokens(t) // a refresh needs no captcha
	s.do(call{path: "/recover", as: s.auth.Keys.Service, body: `{"email":"eva@plaza.test"}`}).want(t, http.StatusOK, "")
	service.Close()
	s.post("/signup", with("solved")).want(t, http.StatusInternalServerError, "unexpected_failure")
}

// startBehind starts a server behind a trusted proxy on this machine.
func startBehind(t testing.TB, address string, change func(*auth.Config)) *server {
	t.Helper()
	return startWith(t, address, change, func(d *auth.Deps) { d.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
}

// In development without a proxy, loopback and private addresses have no limit. In production, or
// with a configured proxy or a forwarding header, they are limited like other clients.
func TestLimitsHoldForLocalAddresses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trusted, client, forwarded string
		everybody, limited         bool
	}{
		"loopback": {client: "127.0.0.1"}, "private": {client: "172.18.0.2"}, "private, of IPv6": {client: "fd00::2"},
		"loopback, passed on":                       {client: "127.0.0.1", forwarded: "192.0.2.1", limited: true},
		"public":                                    {client: "192.0.2.1", limited: true},
		"private, with a proxy":                     {trusted: "10.0.0.0/8", client: "172.18.0.2", limited: true},
		"loopback, with a proxy":                    {trusted: "10.0.0.0/8", client: "127.0.0.1", limited: true},
		"loopback behind a proxy":                   {trusted: "127.0.0.0/8", client: "127.0.0.1", forwarded: "127.0.0.1", limited: true},
		"loopback in production":                    {client: "127.0.0.1", everybody: true, limited: true},
		"private in production":                     {client: "172.18.0.2", everybody: true, limited: true},
		"loopback in production, with a proxy":      {trusted: "10.0.0.0/8", client: "::1", everybody: true, limited: true},
		"loopback in production, passed on by none": {trusted: "127.0.0.0/8", client: "127.0.0.1", everybody: true, limited: true},
	} {
		deps := auth.Deps{LimitLocalAddresses: tt.everybody}
		if tt.trusted != "" {
			deps.TrustedProxies = []netip.Prefix{netip.MustParsePrefix(tt.trusted)}
		}
		if limited := auth.LimitKey(deps, netip.MustParseAddr(tt.client), tt.forwarded) != ""; limited != tt.limited {
			t.Errorf("%s: limited %v", name, limited)
		}
	}
}
