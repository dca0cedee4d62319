package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

// If the redirect URI does not belong to the client, there is no redirect.
func TestAuthorizeDoesNotRedirectToUnknownURIs(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	a := s.registerApp(map[string]any{"redirect_uris": []string{appAddress, "http://localhost:3000/cb"}})
	tests := []struct {
		name   string
		change url.Values
		code   string
	}{
		{"no client", url.Values{"client_id": nil}, "validation_failed"},
		{"an unknown client", url.Values{"client_id": {"2b1d7ee5-6ed0-4a1f-9d1c-7a5a7e0e2a11"}}, "oauth_client_not_found"},
		{"no client id", url.Values{"client_id": {"x' or 1=1"}}, "oauth_client_not_found"},
		{"no address", url.Values{"redirect_uri": nil}, "validation_failed"},
		{"another host", url.Values{"redirect_uri": {"https://evil.test/callback?from=plaza"}}, "validation_failed"},
		{"without the query", url.Values{"redirect_uri": {"https://app.test/callback"}}, "validation_failed"},
		{"more of a query", url.Values{"redirect_uri": {appAddress + "&a=b"}}, "validation_failed"},
		{"a fragment", url.Values{"redirect_uri": {appAddress + "#x"}}, "validation_failed"},
		{"a path below", url.Values{"redirect_uri": {"https://app.test/callback/../x?from=plaza"}}, "validation_failed"},
		{"other letters", url.Values{"redirect_uri": {"https://APP.test/callback?from=plaza"}}, "validation_failed"},
		{"another port of this machine", url.Values{"redirect_uri": {"http://localhost:3001/cb"}}, "validation_failed"},
		{"two addresses", url.Values{"redirect_uri": {appAddress, "https://evil.test/"}}, "validation_failed"},
		{"two clients", url.Values{"client_id": {a.ID, a.ID}}, "validation_failed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := s.followRedirect("/oauth/authorize?" + a.request(tt.change).Encode())
			got.want(t, http.StatusBadRequest, tt.code)
			equal(t, "Location", "", got.header.Get("Location"))
		})
	}
	equal(t, "authorizations", 0, s.count(`select count(*) from auth.oauth_authorizations`))
}

// Other errors are sent to the app, with its state and the issuer.
func TestAuthorizeErrorsGoToTheApp(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	a := s.publicApp()
	tests := []struct {
		name   string
		change url.Values
		want   string
		state  string
	}{
		{"no PKCE", url.Values{"code_challenge": nil, "code_challenge_method": nil}, "invalid_request", "st&te"},
		{"a short challenge", url.Values{"code_challenge": {"x"}}, "invalid_request", "st&te"},
		{"the implicit flow", url.Values{"response_type": {"token"}}, "unsupported_response_type", "st&te"},
		{"an unknown scope", url.Values{"scope": {"everything"}}, "invalid_scope", "st&te"},
		{"a bad resource", url.Values{"resource": {"x"}}, "invalid_target", "st&te"},
		{"a state too long", url.Values{"state": {strings.Repeat("x", 4097)}}, "invalid_request", ""},
		{"a state of invalid UTF-8", url.Values{"state": {"\xff"}}, "invalid_request", ""},
		{"no state", url.Values{"state": nil, "scope": {"everything"}}, "invalid_scope", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			target := s.followRedirect("/oauth/authorize?" + a.request(tt.change).Encode()).location(t)
			equal(t, "address", "https://app.test/callback", target.Scheme+"://"+target.Host+target.Path)
			query := target.Query()
			for name, want := range map[string]string{"error": tt.want, "state": tt.state, "iss": issuer, "from": "plaza", "code": ""} {
				equal(t, name, want, query.Get(name))
			}
		})
	}
	equal(t, "authorizations", 0, s.count(`select count(*) from auth.oauth_authorizations`))

	none := startOAuthServer(t, func(c *auth.Config) { c.OAuthServer.AuthorizationPath = "" })
	b := none.publicApp()
	equal(t, "without a consent page", "server_error", none.followRedirect("/oauth/authorize?"+b.request(nil).Encode()).location(t).Query().Get("error"))
}

func TestOldAuthorizationsAreRemoved(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	s.authorize(s.publicApp(), nil)
	s.clock.Advance(24 * time.Hour)
	equal(t, "kept for a day", nil, s.built.CleanUp(t.Context()))
	equal(t, "left", 1, s.count(`select count(*) from auth.oauth_authorizations`))
	s.clock.Advance(time.Hour)
	equal(t, "removed", nil, s.built.CleanUp(t.Context()))
	equal(t, "left", 0, s.count(`select count(*) from auth.oauth_authorizations`))
}

func TestSettingsOfTheOAuthServer(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*auth.OAuthServer){
		"GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL": func(c *auth.OAuthServer) { c.AuthorizationTTL = 0 },
		"GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE":     func(c *auth.OAuthServer) { c.DefaultScope = "all" },
	} {
		config := defaults(t)
		config.OAuthServer.Enabled = true
		equal(t, "as they are", nil, config.Check())
		change(&config.OAuthServer)
		if err := config.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The metadata is also served at the path of RFC 8414.
func TestMetadataAtTheOrigin(t *testing.T) {
	t.Parallel()
	s := startOAuthServer(t, nil)
	response, err := http.Get(s.web.URL + "/.well-known/oauth-authorization-server/auth/v1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	equal(t, "status", http.StatusOK, response.StatusCode)
}
