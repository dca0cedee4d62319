package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"plaza/server/auth"
	"plaza/server/auth/provider"
	"plaza/tests/testkit/outside"
)

const (
	issuerOfGoogle = "https://accounts.google.com"
	home           = "https://app.plaza.test/home"
)

// providerServer is a server with simulated providers for Google and GitHub.
type providerServer struct {
	*server
	google *outside.Issuer
	github *outside.Issuer // issues tokens; setGitHubUser sets the user
}

func providerSettings() provider.Settings {
	return provider.Settings{Enabled: true, ClientIDs: []string{"our-client"}, Secret: "our-secret"}
}

func startWithProviders(t testing.TB, change func(*auth.Config)) *providerServer {
	t.Helper()
	s := start(t, func(config *auth.Config) {
		config.External.Google, config.External.GitHub = providerSettings(), providerSettings()
		config.Security.ManualLinking = true
		if change != nil {
			change(config)
		}
	})
	a := &providerServer{s, outside.NewIssuer(t, issuerOfGoogle, s.clock.Now), outside.NewIssuer(t, "https://github.com", s.clock.Now)}
	s.world.Host("accounts.google.com", a.google)
	s.world.Host("github.com", a.github)
	return a
}

// setGitHubUser sets the user that GitHub's API returns.
func (a *providerServer) setGitHubUser(id any, emails ...map[string]any) {
	mux := http.NewServeMux()
	mux.Handle("/user", outside.JSON(map[string]any{"id": id, "login": "octo"}))
	mux.Handle("/user/emails", outside.JSON(emails))
	a.world.Host("api.github.com", mux)
}

func mailAt(address string, verified bool) map[string]any {
	return map[string]any{"email": address, "verified": verified, "primary": true}
}

// flowResult is where a flow ended.
type flowResult struct {
	*url.URL
	fragment url.Values
}

func (l flowResult) error() string { return l.fragment.Get("error_code") }

// flowResult parses the redirect of a response.
func (a answer) flowResult(t testing.TB) flowResult {
	t.Helper()
	if a.status != http.StatusFound && a.status != http.StatusSeeOther {
		t.Fatalf("status %d\n%s", a.status, a.body)
	}
	target, err := url.Parse(a.header.Get("Location"))
	if err != nil {
		t.Fatal(err)
	}
	fragment, err := url.ParseQuery(target.Fragment)
	if err != nil {
		t.Fatal(err)
	}
	return flowResult{target, fragment}
}

// browse sends a request of a browser, without an API key.
func (s *server) browse(path string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: path, header: map[string]string{"apikey": ""}})
}

// beginFlow begins a flow at a provider. pairs are additional parameters of /authorize.
func (a *providerServer) beginFlow(name string, pairs ...string) flowResult {
	a.t.Helper()
	query := url.Values{"provider": {name}, "redirect_to": {home}}
	for i := 0; i < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	return a.browse("/authorize?" + query.Encode()).flowResult(a.t)
}

// callBack calls the callback with a code for a grant.
func (a *providerServer) callBack(there flowResult, from *outside.Issuer, g outside.Grant) answer {
	a.t.Helper()
	if g.Client == "" {
		g.Client = "our-client"
	}
	g.Challenge = there.Query().Get("code_challenge")
	query := url.Values{"state": {there.Query().Get("state")}, "code": {from.Code(g)}}
	return a.browse("/callback?" + query.Encode())
}

// person returns the claims of a user at Google.
func person(sub, email string, verified bool) outside.Claims {
	return outside.Claims{"sub": sub, "aud": "our-client", "email": email, "email_verified": verified, "name": "Ana Google"}
}

// signInGoogle signs in at Google with the implicit flow.
func (a *providerServer) signInGoogle(who outside.Claims) flowResult {
	a.t.Helper()
	return a.callBack(a.beginFlow("google"), a.google, outside.Grant{ID: who}).flowResult(a.t)
}

// googleTokens signs in at Google and returns the tokens.
func (a *providerServer) googleTokens(who outside.Claims) tokens {
	a.t.Helper()
	return a.tokensOf(a.signInGoogle(who))
}

func (a *providerServer) tokensOf(at flowResult) tokens {
	a.t.Helper()
	got := tokens{Access: at.fragment.Get("access_token"), Refresh: at.fragment.Get("refresh_token")}
	if got.Access == "" || got.Refresh == "" || !strings.HasPrefix(at.String(), home+"#") {
		a.t.Fatalf("landed at %s", at.String())
	}
	a.do(call{method: http.MethodGet, path: "/user", as: got.Access}).parse(a.t, &got.User)
	return got
}

// signInGitHub signs in at GitHub with the implicit flow.
func (a *providerServer) signInGitHub() flowResult {
	a.t.Helper()
	return a.callBack(a.beginFlow("github"), a.github, outside.Grant{}).flowResult(a.t)
}

func providersOf(user map[string]any) any {
	return user["app_metadata"].(map[string]any)["providers"]
}
