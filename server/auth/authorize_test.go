package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"plaza/server/auth"
)

const someChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWjbuGJSstw-cM"

func TestAuthorizeRedirectsToTheProvider(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	there := a.beginFlow("Google", "scopes", "calendar,drive", "login_hint", "ana", "nonce", "theirs",
		"redirect_uri", "https://evil.test", "Client_ID", "evil", "STATE", "evil", "code_verifier", "evil", "response_type", "token")
	want := map[string]string{
		"client_id": "our-client", "redirect_uri": "https://api.plaza.test/auth/v1/callback", "response_type": "code",
		"scope": "openid email profile calendar drive", "login_hint": "ana", "nonce": "theirs", "code_challenge_method": "S256",
		"Client_ID": "", "STATE": "", "code_verifier": "", "redirect_to": "", "provider": "", "scopes": "",
	}
	for name, value := range want {
		if got := there.Query().Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	if at := there.Scheme + "://" + there.Host + there.Path; at != issuerOfGoogle+"/authorize" {
		t.Errorf("sent to %s", at)
	}
}

func TestAuthorizeWithoutRedirect(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	got := a.browse("/authorize?provider=github&skip_http_redirect=true")
	got.want(t, http.StatusOK, "")
	var result struct{ URL string }
	got.parse(t, &result)
	if !strings.HasPrefix(result.URL, "https://github.com/login/oauth/authorize?") || strings.Contains(result.URL, "skip_http_redirect") {
		t.Errorf("address %s", result.URL)
	}
}

func TestAuthorizeRefuses(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) { config.External.GitLab.Enabled = true })
	for name, tt := range map[string]struct {
		query  string
		status int
		code   string
	}{
		"no provider":                           {"", 400, "validation_failed"},
		"an unknown provider":                   {"provider=nobody", 400, "validation_failed"},
		"a disabled provider":                   {"provider=spotify", 400, "validation_failed"},
		"a provider without a client":           {"provider=gitlab", 400, "validation_failed"},
		"an unknown custom provider":            {"provider=custom:nobody", 400, "validation_failed"},
		"a custom provider with a hostile name": {"provider=custom:%00'--", 400, "validation_failed"},
		"a challenge without a method":          {"provider=google&code_challenge=" + someChallenge, 400, "validation_failed"},
		"a short challenge":                     {"provider=google&code_challenge=a&code_challenge_method=s256", 400, "validation_failed"},
		"an unknown method":                     {"provider=google&code_challenge_method=md5&code_challenge=" + someChallenge, 400, "validation_failed"},
		"an unknown invitation":                 {"provider=google&invite_token=guessed", 404, "user_not_found"},
		"too much for a provider":               {"provider=google&login_hint=" + strings.Repeat("a", 9000), 400, "validation_failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a.browse("/authorize?"+tt.query).want(t, tt.status, "")
			if got := a.do(call{method: http.MethodGet, path: "/authorize?" + tt.query}); got.header.Get("X-Sb-Error-Code") != tt.code {
				t.Errorf("code %q", got.header.Get("X-Sb-Error-Code"))
			}
		})
	}
	if n := a.count("select count(*) from auth.flow_state"); n != 0 {
		t.Errorf("%d flows were begun", n)
	}
}

// Whatever redirect_to is, tokens are only sent to the project's own pages.
func TestOpenRedirects(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	for _, wanted := range []string{
		"https://evil.test/", "//evil.test", "https:evil.test", "https://plaza.test.evil.test/", "https://plaza.test@evil.test/", "javascript:alert(1)",
		"https://app.plaza.test.evil.test/home", "https://evil.test/?x=https://app.plaza.test/home", "https://app.plaza.test\\@evil.test/", "data:text/html,x",
		"https://evil.test#https://app.plaza.test/home", "\thttps://evil.test", "http://2130706433/", "https://[::1].evil.test/",
	} {
		landed := a.callBack(a.beginFlow("google", "redirect_to", wanted), a.google, grantFor(person("g", "ana@x.test", true))).flowResult(t)
		if landed.Scheme+"://"+landed.Host != site {
			t.Errorf("redirect_to %q leads to %s", wanted, landed.Redacted())
		}
	}
	landed := a.callBack(a.beginFlow("google", "redirect_to", "app.plaza://signed-in"), a.google, grantFor(person("g", "ana@x.test", true))).flowResult(t)
	if landed.Scheme != "app.plaza" || landed.fragment.Get("access_token") == "" {
		t.Errorf("an allowed app's address leads to %s", landed.String())
	}
}

func TestUnfinishedFlowsAreDeleted(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, nil)
	for range 3 {
		a.beginFlow("google")
	}
	a.clock.Advance(2 * time.Hour)
	there := a.beginFlow("google")
	if flows, states := a.count("select count(*) from auth.flow_state"), a.count("select count(*) from auth.oauth_client_states"); flows != 1 || states != 1 {
		t.Errorf("%d flows, %d states are left", flows, states)
	}
	a.tokensOf(a.callBack(there, a.google, grantFor(person("g", "ana@x.test", true))).flowResult(t))
}

func TestUnreachableProvider(t *testing.T) {
	t.Parallel()
	a := startWithProviders(t, func(config *auth.Config) {
		config.External.Keycloak = providerSettings()
		config.External.Keycloak.URL = "https://down.test/realms/a"
	})
	a.browse("/authorize?provider=keycloak").want(t, http.StatusInternalServerError, "")
	if u, err := url.Parse(a.world.Requested()[0]); err != nil || !strings.HasSuffix(u.Path, "/.well-known/openid-configuration") {
		t.Errorf("requested %v", a.world.Requested())
	}
}
