package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"plaza/server/auth"
	"plaza/tests/testkit/outside"
)

func grantFor(who outside.Claims) outside.Grant {
	return outside.Grant{ID: who, Refresh: "a-refresh-token"}
}

func TestImplicitSignIn(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	landed := a.callBack(a.beginFlow("google"), a.google, grantFor(person("g-1", "Ana@X.test", true))).flowResult(t)
	if landed.fragment.Get("provider_refresh_token") != "a-refresh-token" || !strings.HasPrefix(landed.fragment.Get("provider_token"), "access-of-") ||
		landed.fragment.Has("type") || !landed.fragment.Has("sb") {
		t.Errorf("fragment %v", landed.fragment)
	}
	got := a.tokensOf(landed)
	equal(t, "providers", any([]any{"google"}), providersOf(got.User))
	if got.User["email"] != "ana@x.test" || got.User["email_confirmed_at"] == nil {
		t.Errorf("user %v", got.User)
	}
	identity := got.User["identities"].([]any)[0].(map[string]any)
	equal(t, "identity", any(map[string]any{
		"iss": issuerOfGoogle, "sub": "g-1", "provider_id": "g-1", "name": "Ana Google", "full_name": "Ana Google", "email": "ana@x.test",
		"email_verified": true, "phone_verified": false,
	}), identity["identity_data"])
	amr := a.claimsOf(got.Access)["amr"].([]any)[0].(map[string]any)
	if amr["method"] != "oauth" {
		t.Errorf("amr %v", amr)
	}
	if n := a.count("select count(*) from auth.flow_state") + a.count("select count(*) from auth.oauth_client_states"); n != 0 {
		t.Errorf("%d rows are left of the flow", n)
	}
}

func TestPKCESignIn(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	verifier := strings.Repeat("v", 43)
	there := a.beginFlow("google", "code_challenge", verifier, "code_challenge_method", "plain")
	landed := a.callBack(there, a.google, grantFor(person("g-1", "ana@x.test", true))).flowResult(t)
	code := landed.Query().Get("code")
	if code == "" || landed.Fragment != "" {
		t.Fatalf("landed at %s", landed.String())
	}
	if n := a.count("select count(*) from auth.flow_state where provider_access_token like '%access-of%' or provider_refresh_token like '%a-refresh%'"); n != 0 {
		t.Error("the provider's tokens lie open in the database")
	}
	exchange := body(map[string]any{"auth_code": code, "code_verifier": verifier})
	a.post("/token?grant_type=pkce", body(map[string]any{"auth_code": code, "code_verifier": "another"})).want(t, http.StatusBadRequest, "bad_code_verifier")
	got := a.ok("/token?grant_type=pkce", exchange)
	var received struct {
		Token   string `json:"provider_token"`
		Refresh string `json:"provider_refresh_token"`
	}
	got.parse(t, &received)
	if !strings.HasPrefix(received.Token, "access-of-") || received.Refresh != "a-refresh-token" {
		t.Errorf("provider's tokens %+v", received)
	}
	a.post("/token?grant_type=pkce", exchange).want(t, http.StatusNotFound, "flow_state_not_found")
	got.tokens(t)
}

func TestStatesWorkOnce(t *testing.T) {
	t.Parallel()
	for _, flow := range []string{"implicit", "pkce"} {
		t.Run(flow, func(t *testing.T) {
			t.Parallel()
			a := startWithProviders(t, nil)
			pairs := []string{}
			if flow == "pkce" {
				pairs = []string{"code_challenge", someChallenge, "code_challenge_method", "s256"}
			}
			there := a.beginFlow("google", pairs...)
			if landed := a.callBack(there, a.google, grantFor(person("g", "ana@x.test", true))).flowResult(t); landed.error() != "" {
				t.Fatal(landed.String())
			}
			landed := a.callBack(there, a.google, grantFor(person("g", "ana@x.test", true))).flowResult(t)
			if code := landed.Query().Get("error_code"); code != "bad_oauth_state" && code != "flow_state_already_used" || !strings.HasPrefix(landed.String(), site) {
				t.Errorf("a second time: %s", landed.String())
			}
			if n := a.count("select count(*) from auth.sessions"); flow == "implicit" && n != 1 || flow == "pkce" && n != 0 {
				t.Errorf("%d sessions", n)
			}
		})
	}
}

func TestConcurrentCallbacks(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	there := a.beginFlow("google")
	code := func() string {
		return a.google.Code(outside.Grant{Client: "our-client", ID: person("g", "ana@x.test", true), Challenge: there.Query().Get("code_challenge")})
	}
	var wait sync.WaitGroup
	landed := make([]answer, 8)
	for i := range landed {
		query := url.Values{"state": {there.Query().Get("state")}, "code": {code()}}
		wait.Go(func() { landed[i] = a.browse("/callback?" + query.Encode()) })
	}
	wait.Wait()
	in := 0
	for _, one := range landed {
		if one.flowResult(t).fragment.Get("access_token") != "" {
			in++
		}
	}
	if sessions := a.count("select count(*) from auth.sessions"); in != 1 || sessions != 1 {
		t.Errorf("%d callbacks signed in, %d sessions", in, sessions)
	}
}

func TestConcurrentFirstSignIns(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	var wait sync.WaitGroup
	landed := make([]answer, 6)
	for i := range landed {
		there := a.beginFlow("google")
		query := url.Values{"state": {there.Query().Get("state")}, "code": {a.google.Code(outside.Grant{
			Client: "our-client", ID: person("g", "ana@x.test", true), Challenge: there.Query().Get("code_challenge"),
		})}}
		wait.Go(func() { landed[i] = a.browse("/callback?" + query.Encode()) })
	}
	wait.Wait()
	for _, one := range landed {
		a.tokensOf(one.flowResult(t))
	}
	if users, identities := a.count("select count(*) from auth.users"), a.count("select count(*) from auth.identities"); users != 1 || identities != 1 {
		t.Errorf("%d users, %d identities", users, identities)
	}
}

func TestCallbacksThatFail(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	state := func() string { return a.beginFlow("google").Query().Get("state") }
	late := state()
	tests := []struct {
		name, query, code, error, at string
	}{
		{"no state", "code=a", "bad_oauth_callback", "invalid_request", site},
		{"an invalid state", "state=a%00b&code=a", "bad_oauth_state", "invalid_request", site},
		{"an unknown state", "state=11111111-2222-4333-8444-555555555555&code=a", "bad_oauth_state", "invalid_request", site},
		{"no code", "state=" + state(), "bad_oauth_callback", "invalid_request", home},
		{"an invalid code", "code=guessed&state=" + state(), "unexpected_failure", "server_error", home},
		{"the provider refuses", "error=access_denied&error_description=No%00+" + strings.Repeat("x", 500) + "&state=" + state(), "", "access_denied", home},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			landed := a.browse("/callback?" + tt.query).flowResult(t)
			query := landed.Query()
			if query.Get("error_code") != tt.code || query.Get("error") != tt.error || !strings.HasPrefix(landed.String(), tt.at) {
				t.Errorf("landed at %s", landed.String())
			}
			if len(query.Get("error_description")) > 210 || query.Get("error_description") == "" {
				t.Errorf("description %q", query.Get("error_description"))
			}
		})
	}
	a.clock.Advance(6 * time.Minute)
	if landed := a.browse("/callback?code=a&state=" + late).flowResult(t); landed.Query().Get("error_code") != "bad_oauth_state" {
		t.Errorf("a state of six minutes: %s", landed.String())
	}
	a.do(call{path: "/callback", body: "state=" + strings.Repeat("a", 2<<20), header: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}}).
		want(t, http.StatusBadRequest, "")
}

// An ID token must have our audience, the issuer of the flow's provider, and a subject.
func TestForeignTokensAreRefused(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	victim := a.googleTokens(person("g-victim", "victim@x.test", true)).User["id"]
	for name, g := range map[string]outside.Grant{
		"a code for another client":  {Client: "another-client", ID: person("g-victim", "victim@x.test", true)},
		"a token for another client": {ID: outside.Claims{"sub": "g-victim", "aud": "another-client", "email": "victim@x.test", "email_verified": true}},
		"another issuer's token":     {ID: outside.Claims{"iss": "https://evil.test", "sub": "g-victim", "aud": "our-client", "email": "victim@x.test", "email_verified": true}},
		"nobody's token":             {ID: person("", "victim@x.test", true)},
		"no token":                   {},
		"an expired token":           {ID: outside.Claims{"sub": "g-victim", "aud": "our-client", "exp": 1}},
		"another access token's":     {ID: outside.Claims{"sub": "g-victim", "aud": "our-client", "email": "victim@x.test", "at_hash": outside.AccessHash("other")}},
	} {
		landed := a.callBack(a.beginFlow("google"), a.google, g).flowResult(t)
		if landed.error() != "unexpected_failure" || landed.fragment.Has("access_token") {
			t.Errorf("%s: %s", name, landed.String())
		}
	}
	a.setGitHubUser("", mailAt("victim@x.test", true))
	if landed := a.signInGitHub(); landed.error() != "unexpected_failure" {
		t.Errorf("an empty name at GitHub: %s", landed.String())
	}
	// The same subject at another provider is another identity.
	a.setGitHubUser("g-victim", mailAt("mallory@x.test", true))
	if other := a.tokensOf(a.signInGitHub()); other.User["id"] == victim {
		t.Error("the same name at another provider opens the account")
	}
}

func TestAppleCallbackByForm(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.External.Apple = providerSettings() })
	apple := outside.NewIssuer(t, "https://appleid.apple.com", a.clock.Now)
	a.world.Host("appleid.apple.com", apple)
	there := a.beginFlow("apple")
	if there.Query().Get("response_mode") != "form_post" || there.Query().Get("scope") != "email name" {
		t.Errorf("sent to %s", there.String())
	}
	form := url.Values{
		"state": {there.Query().Get("state")}, "code": {apple.Code(outside.Grant{Client: "our-client", ID: outside.Claims{"sub": "a-1", "aud": "our-client", "email": "ana@x.test"}})},
		"user": {`{"name": {"firstName": "Ana", "lastName": "Poma"}, "email": "victim@x.test", "sub": "evil"}`},
	}
	got := a.do(call{path: "/callback", body: form.Encode(), header: map[string]string{"apikey": "", "Content-Type": "application/x-www-form-urlencoded"}})
	user := a.tokensOf(got.flowResult(t)).User
	if data := user["user_metadata"].(map[string]any); user["email"] != "ana@x.test" || data["full_name"] != "Ana Poma" || data["sub"] != "a-1" {
		t.Errorf("user %v", user)
	}
}

func TestSignInWithoutAnAddress(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.External.GitHub.EmailOptional = true })
	a.setGitHubUser(7)
	user := a.tokensOf(a.signInGitHub()).User
	if user["email"] != "" || user["email_confirmed_at"] != nil {
		t.Errorf("user %v", user)
	}
	if again := a.tokensOf(a.signInGitHub()).User; again["id"] != user["id"] {
		t.Error("the same person has two accounts")
	}
	if landed := a.signInGoogle(person("g", "", true)); landed.error() != "unexpected_failure" {
		t.Errorf("where an address is needed: %s", landed.String())
	}
}
