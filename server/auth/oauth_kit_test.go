package auth_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"plaza/server/auth"
)

const (
	appAddress    = "https://app.test/callback?from=plaza"
	oauthVerifier = "a-verifier-of-forty-three-characters-or-more"
	issuer        = "https://api.plaza.test/auth/v1"
)

// challengeOf is the S256 challenge of oauthVerifier.
const challengeOf = "y5UF_tmp_ICTDGza-Ou2vUvx2cu7DBN-Xwf_z0RDfTw"

// startOAuthServer starts a server with the OAuth server enabled.
func startOAuthServer(t testing.TB, change func(*auth.Config)) *server {
	t.Helper()
	return start(t, func(c *auth.Config) {
		c.OAuthServer.Enabled, c.OAuthServer.AuthorizationPath = true, "/oauth/consent"
		if change != nil {
			change(c)
		}
	})
}

// oauthApp is a registered OAuth client.
type oauthApp struct {
	ID           string   `json:"client_id"`
	Secret       string   `json:"client_secret"`
	Type         string   `json:"client_type"`
	Method       string   `json:"token_endpoint_auth_method"`
	Redirects    []string `json:"redirect_uris"`
	Grants       []string `json:"grant_types"`
	Name         string   `json:"client_name"`
	Registration string   `json:"registration_type"`
}

// asAdmin sends a request with the service key.
func (s *server) asAdmin(method, path, body string) answer {
	s.t.Helper()
	return s.do(call{method: method, path: path, body: body, as: s.auth.Keys.Service})
}

// registerApp registers an OAuth client. fields may be nil.
func (s *server) registerApp(fields map[string]any) oauthApp {
	s.t.Helper()
	all := map[string]any{"redirect_uris": []string{appAddress}, "client_name": "Notes"}
	for name, value := range fields {
		all[name] = value
	}
	got := s.asAdmin(http.MethodPost, "/admin/oauth/clients", body(all))
	got.want(s.t, http.StatusCreated, "")
	var made oauthApp
	got.parse(s.t, &made)
	return made
}

func (s *server) publicApp() oauthApp {
	s.t.Helper()
	return s.registerApp(map[string]any{"token_endpoint_auth_method": "none"})
}

// request returns the parameters of an authorization request.
func (a oauthApp) request(change url.Values) url.Values {
	params := url.Values{
		"client_id": {a.ID}, "redirect_uri": {appAddress}, "response_type": {"code"}, "scope": {"openid email"}, "state": {"st&te"},
		"code_challenge": {challengeOf}, "code_challenge_method": {"S256"},
	}
	for name, values := range change {
		params[name] = values
		if values == nil {
			params.Del(name)
		}
	}
	return params
}

// followRedirect sends a request as a browser that follows a redirect.
func (s *server) followRedirect(path string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: path, header: map[string]string{"apikey": "", "X-Supabase-Api-Version": "2024-01-01"}})
}

// location returns the redirect target of a response.
func (a answer) location(t testing.TB) *url.URL {
	t.Helper()
	a.want(t, http.StatusFound, "")
	target, err := url.Parse(a.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// authorize begins an authorization and returns its id.
func (s *server) authorize(a oauthApp, change url.Values) string {
	s.t.Helper()
	target := s.followRedirect("/oauth/authorize?" + a.request(change).Encode()).location(s.t)
	if target.Host != "plaza.test" || target.Path != "/oauth/consent" {
		s.t.Fatalf("sent to %s", target)
	}
	return target.Query().Get("authorization_id")
}

func (s *server) openConsent(id, as string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: "/oauth/authorizations/" + id, as: as})
}

func (s *server) decideConsent(id, as, action string) answer {
	s.t.Helper()
	return s.do(call{path: "/oauth/authorizations/" + id + "/consent", as: as, body: body(map[string]any{"action": action})})
}

// consentRedirect returns the URL to which the consent page must redirect.
func (a answer) consentRedirect(t testing.TB) *url.URL {
	t.Helper()
	a.want(t, http.StatusOK, "")
	var result struct {
		To string `json:"redirect_url"`
	}
	a.parse(t, &result)
	target, err := url.Parse(result.To)
	if err != nil || result.To == "" {
		t.Fatalf("no address in %s", a.body)
	}
	return target
}

// codeFor gives consent as a user and returns the app's code.
func (s *server) codeFor(a oauthApp, as string, change url.Values) string {
	s.t.Helper()
	id := s.authorize(a, change)
	s.openConsent(id, as).want(s.t, http.StatusOK, "")
	code := s.decideConsent(id, as, "approve").consentRedirect(s.t).Query().Get("code")
	if code == "" {
		s.t.Fatal("no code")
	}
	return code
}

// exchangeForm returns the form for exchanging a code.
func exchangeForm(code string) url.Values {
	return url.Values{"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {appAddress}, "code_verifier": {oauthVerifier}}
}

// authenticated returns a token request with the client's authentication.
func (a oauthApp) authenticated(form url.Values) call {
	header := map[string]string{"apikey": "", "Content-Type": "application/x-www-form-urlencoded"}
	switch a.Method {
	case "client_secret_basic":
		header["Authorization"] = "Basic " + base64.StdEncoding.EncodeToString([]byte(a.ID+":"+a.Secret))
	case "client_secret_post":
		form.Set("client_secret", a.Secret)
		fallthrough
	default:
		form.Set("client_id", a.ID)
	}
	return call{path: "/oauth/token", body: form.Encode(), header: header}
}

// appTokens are the tokens of an app.
type appTokens struct {
	Access  string `json:"access_token"`
	Type    string `json:"token_type"`
	In      int64  `json:"expires_in"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
	ID      string `json:"id_token"`
}

func (s *server) tokensOfApp(c call) appTokens {
	s.t.Helper()
	got := s.do(c)
	got.want(s.t, http.StatusOK, "")
	var tokens appTokens
	got.parse(s.t, &tokens)
	if tokens.Access == "" || strings.Contains(got.body, `"user"`) {
		s.t.Fatalf("answer %s", got.body)
	}
	equal(s.t, "Cache-Control", "no-store", got.header.Get("Cache-Control"))
	return tokens
}

// signInToApp signs a user in to an app.
func (s *server) signInToApp(a oauthApp, as string, change url.Values) appTokens {
	s.t.Helper()
	return s.tokensOfApp(a.authenticated(exchangeForm(s.codeFor(a, as, change))))
}

func (s *server) refreshApp(a oauthApp, token string) answer {
	s.t.Helper()
	return s.do(a.authenticated(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}))
}

// wantTokenError checks an error response of the token endpoint.
func (a answer) wantTokenError(t testing.TB, status int, code string) {
	t.Helper()
	var failure struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	a.parse(t, &failure)
	if a.status != status || failure.Error != code || failure.Description == "" {
		t.Errorf("%d %s, want %d %s", a.status, a.body, status, code)
	}
}
