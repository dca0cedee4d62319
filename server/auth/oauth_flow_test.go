package auth_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"
)

// Without the setting every path responds as upstream.
func TestOAuthServerIsOffByDefault(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	in := s.member("ana@plaza.test")
	for _, c := range []call{
		{method: "GET", path: "/oauth/authorize?client_id=x"},
		{method: "GET", path: "/oauth/authorizations/x", as: in.Access},
		{path: "/oauth/authorizations/x/consent", as: in.Access},
		{path: "/oauth/token"},
		{method: "GET", path: "/oauth/userinfo", as: in.Access},
		{path: "/oauth/clients/register"},
		{method: "GET", path: "/user/oauth/grants", as: in.Access},
		{method: "GET", path: "/admin/oauth/clients", as: s.auth.Keys.Service},
		{method: "GET", path: "/.well-known/oauth-authorization-server"},
	} {
		t.Run(c.path, func(t *testing.T) { s.do(c).want(t, http.StatusNotFound, "feature_disabled") })
	}
	s.followRedirect("/.well-known/openid-configuration").want(t, http.StatusOK, "")
}

// The whole flow, for each kind of client, with a form and with JSON.
func TestSignInToAnApp(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in := s.member("ana@plaza.test")
	for _, method := range []string{"none", "client_secret_basic", "client_secret_post"} {
		t.Run(method, func(t *testing.T) {
			a := s.registerApp(map[string]any{"token_endpoint_auth_method": method})
			id := s.authorize(a, nil)
			var page struct {
				ID       string         `json:"authorization_id"`
				Redirect string         `json:"redirect_uri"`
				Client   map[string]any `json:"client"`
				User     map[string]any `json:"user"`
				Scope    string         `json:"scope"`
			}
			s.openConsent(id, in.Access).parse(t, &page)
			equal(t, "id", id, page.ID)
			equal(t, "redirect", appAddress, page.Redirect)
			equal(t, "client", map[string]any{"id": a.ID, "name": "Notes"}, page.Client)
			equal(t, "user", map[string]any{"id": in.User["id"], "email": "ana@plaza.test"}, page.User)
			equal(t, "scope", "openid email", page.Scope)

			target := s.decideConsent(id, in.Access, "approve").consentRedirect(t)
			equal(t, "address", "https://app.test/callback", target.Scheme+"://"+target.Host+target.Path)
			equal(t, "the app's own parameter", "plaza", target.Query().Get("from"))
			equal(t, "state", "st&te", target.Query().Get("state"))
			equal(t, "iss", issuer, target.Query().Get("iss"))

			got := s.tokensOfApp(a.authenticated(exchangeForm(target.Query().Get("code"))))
			equal(t, "type", "bearer", got.Type)
			equal(t, "lifetime", int64(3600), got.In)
			equal(t, "scope", "openid email", got.Scope)
			equal(t, "no ID token without a signing key", "", got.ID)
			set := s.claimsOf(got.Access)
			for name, want := range map[string]any{"client_id": a.ID, "scope": "openid email", "sub": in.User["id"], "aud": "authenticated", "role": "authenticated", "aal": "aal1"} {
				equal(t, name, want, set[name])
			}
			equal(t, "amr", any([]any{map[string]any{"method": "oauth_provider/authorization_code", "timestamp": float64(startTime.Unix())}}), set["amr"])

			var again appTokens
			s.refreshApp(a, got.Refresh).parse(t, &again)
			equal(t, "session", set["session_id"], s.claimsOf(again.Access)["session_id"])
			equal(t, "client after a refresh", any(a.ID), s.claimsOf(again.Access)["client_id"])
			equal(t, "scope after a refresh", "openid email", again.Scope)
		})
	}
	equal(t, "nothing that works is stored", 0, s.count(`select count(*) from auth.oauth_authorizations where authorization_code !~ '^[A-Za-z0-9_-]{43}$'`))
	equal(t, "audit", 3, s.count(`select count(*) from auth.audit_log_entries where payload -> 'traits' ->> 'provider_type' = 'oauth_provider_authorization_code'`))
}

func TestTokenRequestAsJSON(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.registerApp(map[string]any{"token_endpoint_auth_method": "client_secret_post"})
	s.tokensOfApp(call{path: "/oauth/token", header: map[string]string{"apikey": ""}, body: body(map[string]any{
		"grant_type": "authorization_code", "code": s.codeFor(a, in.Access, nil), "code_verifier": oauthVerifier, "client_id": a.ID, "client_secret": a.Secret,
	})})
	s.do(call{path: "/oauth/token", body: `{"grant_type":`}).wantTokenError(t, http.StatusBadRequest, "invalid_request")
}

// PKCE with the plain method, which upstream accepts in either spelling.
func TestPlainChallenge(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	s.signInToApp(a, in.Access, url.Values{"code_challenge": {oauthVerifier}, "code_challenge_method": {"PLAIN"}})
}

// A user who has consented to all requested scopes is not asked again.
func TestConsentIsRemembered(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	s.signInToApp(a, in.Access, nil)

	less := s.authorize(a, url.Values{"scope": {"email"}})
	target := s.openConsent(less, in.Access).consentRedirect(t)
	got := s.tokensOfApp(a.authenticated(exchangeForm(target.Query().Get("code"))))
	equal(t, "scope", "email", got.Scope)
	s.openConsent(less, in.Access).want(t, http.StatusBadRequest, "validation_failed")

	more := s.authorize(a, url.Values{"scope": {"email profile"}})
	if params := s.openConsent(more, in.Access); params.status != http.StatusOK || params.body == "" || params.header.Get("Location") != "" {
		t.Fatal("the user is not asked for consent")
	}
	s.decideConsent(more, in.Access, "approve").consentRedirect(t)
	s.openConsent(s.authorize(a, url.Values{"scope": {"openid email profile"}}), in.Access).consentRedirect(t)

	other := s.member("ben@plaza.test")
	params := s.openConsent(s.authorize(a, nil), other.Access)
	var page struct {
		User struct{ Email string }
	}
	params.parse(t, &page)
	equal(t, "the user on the consent page", "ben@plaza.test", page.User.Email)
}

func TestDenial(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	id := s.authorize(a, nil)
	s.openConsent(id, in.Access).want(t, http.StatusOK, "")
	query := s.decideConsent(id, in.Access, "deny").consentRedirect(t).Query()
	equal(t, "answer", url.Values{
		"from": {"plaza"}, "error": {"access_denied"}, "error_description": {"User denied the request"}, "state": {"st&te"}, "iss": {issuer},
	}, query)
	s.decideConsent(id, in.Access, "approve").want(t, http.StatusBadRequest, "validation_failed")
	equal(t, "consents", 0, s.count(`select count(*) from auth.oauth_consents`))
}

// Only the user who opened the page may decide, before it expires, on the site's own page.
func TestOnlyTheUserDecides(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, other, a := s.member("ana@plaza.test"), s.member("ben@plaza.test"), s.publicApp()
	id := s.authorize(a, nil)
	s.decideConsent(id, in.Access, "approve").want(t, http.StatusNotFound, "oauth_authorization_not_found") // the page was not opened
	s.openConsent(id, in.Access).want(t, http.StatusOK, "")
	s.openConsent(id, other.Access).want(t, http.StatusNotFound, "oauth_authorization_not_found")
	s.decideConsent(id, other.Access, "approve").want(t, http.StatusNotFound, "oauth_authorization_not_found")
	s.decideConsent(id, in.Access, "perhaps").want(t, http.StatusBadRequest, "validation_failed")
	s.decideConsent(id, "", "approve").want(t, http.StatusUnauthorized, "no_authorization")
	s.openConsent("nonsense", in.Access).want(t, http.StatusNotFound, "oauth_authorization_not_found")

	for origin, status := range map[string]int{"https://evil.test": 400, "null": 400, "https://plaza.test.evil.test": 400, "https://plaza.test": 200, "https://shop.plaza.test": 200} {
		got := s.do(call{method: "GET", path: "/oauth/authorizations/" + id, as: in.Access, header: map[string]string{"Origin": origin}})
		equal(t, "origin "+origin, status, got.status)
	}
	evil := s.do(call{path: "/oauth/authorizations/" + id + "/consent", as: in.Access, body: `{"action":"approve"}`, header: map[string]string{"Origin": "https://evil.test"}})
	evil.want(t, http.StatusBadRequest, "validation_failed")

	s.clock.Advance(10 * time.Minute)
	s.decideConsent(id, in.Access, "approve").want(t, http.StatusNotFound, "oauth_authorization_not_found")
	equal(t, "status", "expired", s.text(`select status::text from auth.oauth_authorizations where authorization_id = $1`, id))
}

// A redirect URI that the client has removed gets no code.
func TestAuthorizationFollowsTheClient(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.publicApp()
	id := s.authorize(a, nil)
	s.openConsent(id, in.Access).want(t, http.StatusOK, "")
	s.asAdmin("PUT", "/admin/oauth/clients/"+a.ID, `{"redirect_uris":["https://app.test/new"]}`).want(t, http.StatusOK, "")
	s.decideConsent(id, in.Access, "approve").want(t, http.StatusNotFound, "oauth_authorization_not_found")
}
