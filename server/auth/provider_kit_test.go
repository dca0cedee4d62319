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

// abroad is a server with Google and GitHub in the test's hands.
type abroad struct {
	*server
	google *outside.Issuer
	github *outside.Issuer // gives tokens; its people are of says
}

func ours() provider.Settings {
	return provider.Settings{Enabled: true, ClientIDs: []string{"our-client"}, Secret: "our-secret"}
}

func startAbroad(t testing.TB, change func(*auth.Config)) *abroad {
	t.Helper()
	s := start(t, func(config *auth.Config) {
		config.External.Google, config.External.GitHub = ours(), ours()
		config.Security.ManualLinking = true
		if change != nil {
			change(config)
		}
	})
	a := &abroad{s, outside.NewIssuer(t, issuerOfGoogle, s.clock.Now), outside.NewIssuer(t, "https://github.com", s.clock.Now)}
	s.world.Host("accounts.google.com", a.google)
	s.world.Host("github.com", a.github)
	return a
}

// says lets GitHub tell of one person from now on.
func (a *abroad) says(id any, emails ...map[string]any) {
	mux := http.NewServeMux()
	mux.Handle("/user", outside.JSON(map[string]any{"id": id, "login": "octo"}))
	mux.Handle("/user/emails", outside.JSON(emails))
	a.world.Host("api.github.com", mux)
}

func mailAt(address string, verified bool) map[string]any {
	return map[string]any{"email": address, "verified": verified, "primary": true}
}

// landing is where a flow ended.
type landing struct {
	*url.URL
	fragment url.Values
}

func (l landing) error() string { return l.fragment.Get("error_code") }

// sent is where a request sends the browser.
func (a answer) sent(t testing.TB) landing {
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
	return landing{target, fragment}
}

// browse is a request of a browser, without a key.
func (s *server) browse(path string) answer {
	s.t.Helper()
	return s.do(call{method: http.MethodGet, path: path, header: map[string]string{"apikey": ""}})
}

// begin goes to a provider. pairs are further parameters of /authorize.
func (a *abroad) begin(name string, pairs ...string) landing {
	a.t.Helper()
	query := url.Values{"provider": {name}, "redirect_to": {home}}
	for i := 0; i < len(pairs); i += 2 {
		query.Set(pairs[i], pairs[i+1])
	}
	return a.browse("/authorize?" + query.Encode()).sent(a.t)
}

// back comes from a provider that grants what is given.
func (a *abroad) back(there landing, from *outside.Issuer, g outside.Grant) answer {
	a.t.Helper()
	if g.Client == "" {
		g.Client = "our-client"
	}
	g.Challenge = there.Query().Get("code_challenge")
	query := url.Values{"state": {there.Query().Get("state")}, "code": {from.Code(g)}}
	return a.browse("/callback?" + query.Encode())
}

// person are the claims of somebody at Google.
func person(sub, email string, verified bool) outside.Claims {
	return outside.Claims{"sub": sub, "aud": "our-client", "email": email, "email_verified": verified, "name": "Ana Google"}
}

// enter signs in at Google, in the implicit flow.
func (a *abroad) enter(who outside.Claims) landing {
	a.t.Helper()
	return a.back(a.begin("google"), a.google, outside.Grant{ID: who}).sent(a.t)
}

// entered signs in at Google and gives the tokens.
func (a *abroad) entered(who outside.Claims) tokens {
	a.t.Helper()
	return a.tokensOf(a.enter(who))
}

func (a *abroad) tokensOf(at landing) tokens {
	a.t.Helper()
	got := tokens{Access: at.fragment.Get("access_token"), Refresh: at.fragment.Get("refresh_token")}
	if got.Access == "" || got.Refresh == "" || !strings.HasPrefix(at.String(), home+"#") {
		a.t.Fatalf("landed at %s", at.String())
	}
	a.do(call{method: http.MethodGet, path: "/user", as: got.Access}).parse(a.t, &got.User)
	return got
}

// enterGitHub signs in at GitHub, in the implicit flow.
func (a *abroad) enterGitHub() landing {
	a.t.Helper()
	return a.back(a.begin("github"), a.github, outside.Grant{}).sent(a.t)
}

func providersOf(user map[string]any) any {
	return user["app_metadata"].(map[string]any)["providers"]
}
