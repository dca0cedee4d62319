package provider_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/auth/provider"
	"plaza/tests/testkit/outside"
)

const own = "https://id.corp.test"

func TestCustomOpenIDProviders(t *testing.T) {
	t.Parallel()
	b := newTestNetwork(t, provider.Config{}, nil)
	issuer := b.issuer(own)
	custom := provider.Custom{
		Name: "custom:corp", Issuer: own, ClientID: "our-client", Secret: "s", Scopes: []string{"profile"}, PKCE: true,
		AcceptableClientIDs: []string{"our-phone-app"}, AuthorizationParams: map[string]string{"prompt": "login"},
		Mapping: map[string]any{"name": "display", "gender": 7, "sub": "email"}, ClaimsAllowlist: []string{"team", "absent"},
	}
	p, err := b.OpenCustom(t.Context(), custom, "")
	if err != nil {
		t.Fatal(err)
	}
	there, err := url.Parse(p.AuthURL("s", "v", url.Values{"prompt": {"none"}, "login_hint": {"a"}}))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"scope": "openid profile", "prompt": "login", "login_hint": "a", "client_id": "our-client", "code_challenge_method": "S256",
	} {
		if got := there.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	claims := outside.Claims{"sub": "u1", "aud": "our-phone-app", "email": "a@corp.test", "email_verified": true, "display": "Ana", "team": []any{"x"}, "secret": "y"}
	who, err := b.signIn(p, issuer, outside.Grant{ID: claims})
	if err != nil {
		t.Fatal(err)
	}
	want := object{
		"iss": own, "sub": "u1", "provider_id": "u1", "name": "Ana", "email": "a@corp.test", "email_verified": true,
		"phone_verified": false, "custom_claims": object{"team": []any{"x"}},
	}
	got := data(t, who)
	delete(got, "gender")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("profile (-want +got):\n%s", diff)
	}
	if _, err := b.signIn(p, issuer, outside.Grant{ID: outside.Claims{"sub": "u1", "aud": "another"}}); !errors.Is(err, provider.ErrAudience) {
		t.Errorf("a token made for another app: %v", err)
	}
	if _, err := b.signIn(p, issuer, outside.Grant{ID: claims, Client: "another-client"}); err == nil {
		t.Error("a code made for another app is exchanged")
	}
}

func TestCustomOAuthProviders(t *testing.T) {
	t.Parallel()
	b := newTestNetwork(t, provider.Config{}, nil)
	issuer := b.issuer("https://id.corp.test")
	custom := provider.Custom{
		Name: "custom:old", ClientID: "our-client", Secret: "s", AuthorizationURL: own + "/go", TokenURL: own + "/token", UserinfoURL: own + "/userinfo",
		Mapping: map[string]any{"sub": "id", "email": "mail"},
	}
	p, err := b.OpenCustom(t.Context(), custom, "")
	if err != nil {
		t.Fatal(err)
	}
	who, err := b.signIn(p, issuer, outside.Grant{Userinfo: object{"id": 42, "mail": "a@corp.test"}})
	if err != nil || who.Subject != "42" || who.Email().Address != "a@corp.test" {
		t.Fatalf("%v, %v", who, err)
	}
	if _, err := b.signIn(p, issuer, outside.Grant{Userinfo: object{"mail": "a@corp.test"}}); err == nil {
		t.Error("somebody without a name signs in")
	}
}

// email_verified only refers to the claim email. Users may be able to set other claims themselves.
func TestMappedAddressIsNotVerified(t *testing.T) {
	t.Parallel()
	b := newTestNetwork(t, provider.Config{}, nil)
	issuer := b.issuer(own)
	custom := provider.Custom{Name: "custom:corp", Issuer: own, ClientID: "our-client", Mapping: map[string]any{"email": "preferred_username"}}
	p, err := b.OpenCustom(t.Context(), custom, "")
	if err != nil {
		t.Fatal(err)
	}
	claims := outside.Claims{"sub": "u1", "aud": "our-client", "email": "mallory@corp.test", "email_verified": true, "preferred_username": "victim@corp.test"}
	who, err := b.signIn(p, issuer, outside.Grant{ID: claims})
	if err != nil {
		t.Fatal(err)
	}
	if got := who.Email(); got.Address != "victim@corp.test" || got.Verified {
		t.Errorf("the address is %+v", got)
	}
}

func TestIssuersArePinned(t *testing.T) {
	t.Parallel()
	b := newTestNetwork(t, provider.Config{}, nil)
	b.network.Host("lies.test", outside.JSON(object{
		"issuer": google, "authorization_endpoint": "https://lies.test/a", "token_endpoint": "https://lies.test/t", "jwks_uri": "https://lies.test/k",
	}))
	if _, err := b.Discover(t.Context(), "https://lies.test", ""); err == nil || !strings.Contains(err.Error(), "calls itself") {
		t.Errorf("an issuer of another's name: %v", err)
	}
	b.network.Host("plain.test", outside.JSON(object{
		"issuer": "https://plain.test", "authorization_endpoint": "https://plain.test/a", "token_endpoint": "http://plain.test/t", "jwks_uri": "https://plain.test/k",
	}))
	if _, err := b.Discover(t.Context(), "https://plain.test", ""); err == nil || !strings.Contains(err.Error(), "HTTPS") {
		t.Errorf("a token endpoint without TLS: %v", err)
	}
	b.network.Host("less.test", outside.JSON(object{"issuer": "https://less.test", "authorization_endpoint": "https://less.test/a"}))
	if _, err := b.Discover(t.Context(), "https://less.test", ""); err == nil || !strings.Contains(err.Error(), "missing required fields") {
		t.Errorf("an incomplete document: %v", err)
	}
}

func TestReservedSettingsAreRefused(t *testing.T) {
	t.Parallel()
	for name, custom := range map[string]provider.Custom{
		"the redirect URI":       {AuthorizationParams: map[string]string{"redirect_uri": "x"}},
		"the state":              {AuthorizationParams: map[string]string{"State": "x"}},
		"the role":               {Mapping: map[string]any{"role": "role"}},
		"email_verified":         {Mapping: map[string]any{"email_verified": true}},
		"a claim without a name": {ClaimsAllowlist: []string{" "}},
		"too many scopes":        {Scopes: make([]string, 51)},
		"too long a scope":       {Scopes: []string{strings.Repeat("a", 501)}},
	} {
		if custom.Check() == nil {
			t.Errorf("%s can be set", name)
		}
	}
	fine := provider.Custom{Mapping: map[string]any{"name": "display"}, AuthorizationParams: map[string]string{"prompt": "login"}, Scopes: []string{"a"}}
	if err := fine.Check(); err != nil {
		t.Error(err)
	}
}
