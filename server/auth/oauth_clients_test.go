package auth_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

func TestAdminOfClients(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	a := s.registerApp(nil)
	equal(t, "client", oauthApp{
		ID: a.ID, Secret: a.Secret, Type: "confidential", Method: "client_secret_basic", Redirects: []string{appAddress},
		Grants: []string{"authorization_code", "refresh_token"}, Name: "Notes", Registration: "manual",
	}, a)
	equal(t, "the secret at rest", 0, s.count(`select count(*) from auth.oauth_clients where client_secret_hash = $1 or to_jsonb(oauth_clients)::text like '%' || $1 || '%'`, a.Secret))

	path := "/admin/oauth/clients/" + a.ID
	got := s.asAdmin("GET", path, "")
	got.want(t, http.StatusOK, "")
	if strings.Contains(got.body, "secret\"") || strings.Contains(got.body, a.Secret) {
		t.Errorf("the secret is shown again: %s", got.body)
	}
	var changed oauthApp
	s.asAdmin("PUT", path, `{"client_name":"Diary","client_uri":"https://diary.test","token_endpoint_auth_method":"client_secret_post"}`).parse(t, &changed)
	equal(t, "changed", oauthApp{ID: a.ID, Type: a.Type, Method: "client_secret_post", Redirects: a.Redirects, Grants: a.Grants, Name: "Diary", Registration: "manual"}, changed)
	s.asAdmin("PUT", path, `{}`).want(t, http.StatusBadRequest, "validation_failed")
	s.asAdmin("PUT", path, `{"token_endpoint_auth_method":"none"}`).want(t, http.StatusBadRequest, "validation_failed")
	s.asAdmin("PUT", path, `{"redirect_uris":[]}`).want(t, http.StatusBadRequest, "validation_failed")

	const unknown = "/admin/oauth/clients/2b1d7ee5-6ed0-4a1f-9d1c-7a5a7e0e2a11"
	for _, c := range []call{{method: "GET", path: unknown}, {method: "PUT", path: unknown, body: `{"client_name":"x"}`}, {method: "DELETE", path: unknown}, {path: unknown + "/regenerate_secret"}} {
		c.as = s.auth.Keys.Service
		s.do(c).want(t, http.StatusNotFound, "oauth_client_not_found")
	}
	s.asAdmin("GET", "/admin/oauth/clients/x", "").want(t, http.StatusBadRequest, "validation_failed")
	in := s.member("ana@plaza.test")
	s.do(call{method: "GET", path: path, as: in.Access}).want(t, http.StatusForbidden, "not_admin")
	s.do(call{method: "GET", path: path}).want(t, http.StatusUnauthorized, "no_authorization")
}

func TestListOfClients(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	for i := range 3 {
		s.clock.Advance(1)
		s.registerApp(map[string]any{"client_name": fmt.Sprint("app ", i)})
	}
	var page struct{ Clients []oauthApp }
	got := s.asAdmin("GET", "/admin/oauth/clients?page=1&per_page=2", "")
	got.parse(t, &page)
	equal(t, "total", "3", got.header.Get("X-Total-Count"))
	if len(page.Clients) != 2 || page.Clients[0].Secret != "" || !strings.Contains(got.header.Get("Link"), `rel="next"`) {
		t.Errorf("page %+v, Link %q", page.Clients, got.header.Get("Link"))
	}
	s.asAdmin("GET", "/admin/oauth/clients?page=9", "").parse(t, &page)
	equal(t, "a page past the end", 0, len(page.Clients))
}

// A new secret invalidates the old one. Users stay signed in.
func TestSecretIsRenewed(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.registerApp(nil)
	got := s.signInToApp(a, in.Access, nil)
	var renewed oauthApp
	s.asAdmin("POST", "/admin/oauth/clients/"+a.ID+"/regenerate_secret", "").parse(t, &renewed)
	if renewed.Secret == "" || renewed.Secret == a.Secret {
		t.Fatalf("secret %q", renewed.Secret)
	}
	s.refreshApp(a, got.Refresh).wantTokenError(t, http.StatusUnauthorized, "invalid_client")
	s.refreshApp(renewed, got.Refresh).want(t, http.StatusOK, "")
	s.asAdmin("POST", "/admin/oauth/clients/"+s.publicApp().ID+"/regenerate_secret", "").want(t, http.StatusBadRequest, "validation_failed")
}

// Deleting a client ends its sessions and invalidates its codes and pending requests.
func TestClientIsDeleted(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, a := s.member("ana@plaza.test"), s.registerApp(nil)
	got := s.signInToApp(a, in.Access, nil)
	code, pending := s.nextCode(a, in.Access), s.authorize(a, url.Values{"scope": {"profile"}})
	s.asAdmin("DELETE", "/admin/oauth/clients/"+a.ID, "").want(t, http.StatusNoContent, "")
	s.user(got.Access).want(t, http.StatusForbidden, "session_not_found")
	s.do(a.authenticated(exchangeForm(code))).wantTokenError(t, http.StatusUnauthorized, "invalid_client")
	s.openConsent(pending, in.Access).want(t, http.StatusNotFound, "oauth_authorization_not_found")
	s.followRedirect("/oauth/authorize?"+a.request(nil).Encode()).want(t, http.StatusBadRequest, "oauth_client_not_found")
	equal(t, "grants", "[]", s.do(call{method: "GET", path: "/user/oauth/grants", as: in.Access}).body)
	s.asAdmin("GET", "/admin/oauth/clients/"+a.ID, "").want(t, http.StatusNotFound, "oauth_client_not_found")
}

func TestAppsRegisterThemselves(t *testing.T) {
	t.Parallel()
	closed := startOAuthServer(t, nil)
	params := body(map[string]any{"redirect_uris": []string{appAddress}, "client_name": "Notes", "registration_type": "manual", "id": "x"})
	closed.do(call{path: "/oauth/clients/register", body: params, header: map[string]string{"apikey": ""}}).want(t, http.StatusForbidden, "oauth_dynamic_client_registration_disabled")

	s := startBehind(t, testkit.PlatformURL(t), func(c *auth.Config) {
		c.OAuthServer.Enabled, c.OAuthServer.AllowRegistration, c.RateLimit.Register = true, true, 2
	})
	from := func(address string) answer {
		return s.do(call{path: "/oauth/clients/register", body: params, header: map[string]string{"apikey": "", "X-Forwarded-For": address}})
	}
	got := from("203.0.113.7")
	got.want(t, http.StatusCreated, "")
	var made oauthApp
	got.parse(t, &made)
	equal(t, "registration", "dynamic", made.Registration)
	if !strings.Contains(got.body, `"client_secret_expires_at":0`) || len(made.Secret) != 43 {
		t.Errorf("answer %s", got.body)
	}
	from("203.0.113.7").want(t, http.StatusCreated, "")
	from("203.0.113.7").want(t, http.StatusTooManyRequests, "over_request_rate_limit")
	from("203.0.113.8").want(t, http.StatusCreated, "")
}

func TestGrantsOfAUser(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	in, other := s.member("ana@plaza.test"), s.member("ben@plaza.test")
	a, b := s.publicApp(), s.registerApp(map[string]any{"client_name": "Maps", "logo_uri": "https://maps.test/logo.png"})
	first := s.signInToApp(a, in.Access, nil)
	s.clock.Advance(1_000_000)
	second, theirs := s.signInToApp(b, in.Access, url.Values{"scope": {"profile"}}), s.signInToApp(a, other.Access, nil)
	var grants []struct {
		Client map[string]string
		Scopes []string
	}
	list := func() int {
		t.Helper()
		s.do(call{method: "GET", path: "/user/oauth/grants", as: in.Access}).parse(t, &grants)
		return len(grants)
	}
	equal(t, "grants", 2, list())
	equal(t, "newest first", map[string]string{"id": b.ID, "name": "Maps", "logo_uri": "https://maps.test/logo.png"}, grants[0].Client)
	equal(t, "scopes", []string{"openid", "email"}, grants[1].Scopes)

	revoke := func(id string) answer {
		return s.do(call{method: "DELETE", path: "/user/oauth/grants?client_id=" + id, as: in.Access})
	}
	revoke(a.ID).want(t, http.StatusNoContent, "")
	equal(t, "grants", 1, list())
	s.user(first.Access).want(t, http.StatusForbidden, "session_not_found")
	s.refreshApp(a, first.Refresh).wantTokenError(t, http.StatusBadRequest, "invalid_grant")
	s.user(second.Access).want(t, http.StatusOK, "")
	s.user(theirs.Access).want(t, http.StatusOK, "")
	s.user(in.Access).want(t, http.StatusOK, "")
	revoke(a.ID).want(t, http.StatusNotFound, "oauth_consent_not_found")
	revoke("").want(t, http.StatusBadRequest, "validation_failed")
	revoke("x").want(t, http.StatusBadRequest, "validation_failed")
	equal(t, "audit", 1, s.count(`select count(*) from auth.audit_log_entries where payload ->> 'action' = 'token_revoked' and payload -> 'traits' ->> 'oauth_client_id' = $1`, a.ID))

	// The app must ask for consent again, and only gets the newly requested scopes.
	s.openConsent(s.authorize(a, nil), in.Access).parse(t, &struct{}{})
	s.clock.Advance(1_000_000)
	s.signInToApp(a, in.Access, url.Values{"scope": {"phone"}})
	list()
	equal(t, "scopes anew", []string{"phone"}, grants[0].Scopes)
}
