package provider_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"
	"time"

	"plaza/server/auth/provider"
	"plaza/tests/testkit/outside"
)

var noon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

func now() time.Time { return noon }

const callback = "https://api.plaza.test/auth/v1/callback"

// enabled returns the settings of an enabled provider.
func enabled() provider.Settings {
	return provider.Settings{Enabled: true, ClientIDs: []string{"our-client", "our-phone-app"}, Secret: "our-secret"}
}

// testNetwork is a set of providers on a simulated network.
type testNetwork struct {
	*provider.Set
	t       testing.TB
	network *outside.Network
}

func newTestNetwork(t testing.TB, config provider.Config, change func(*provider.Options)) testNetwork {
	t.Helper()
	network := outside.NewNetwork()
	options := provider.Options{Callback: callback, Network: network, Now: now}
	if change != nil {
		change(&options)
	}
	config.CacheTTL = time.Hour
	return testNetwork{provider.New(config, options), t, network}
}

// issuer adds an OpenID provider to the network.
func (b testNetwork) issuer(name string) *outside.Issuer {
	b.t.Helper()
	made := outside.NewIssuer(b.t, name, now)
	parsed, err := url.Parse(name)
	if err != nil {
		b.t.Fatal(err)
	}
	b.network.Host(parsed.Host, made)
	return made
}

// signIn runs the whole browser flow, from the authorization request to the profile.
func (b testNetwork) signIn(p *provider.Provider, issuer *outside.Issuer, g outside.Grant) (provider.Profile, error) {
	b.t.Helper()
	verifier := ""
	if p.PKCE() {
		verifier = "a-verifier-of-tests-that-is-43-characters-long"
	}
	there, err := url.Parse(p.AuthURL("the-state", verifier, nil))
	if err != nil {
		b.t.Fatal(err)
	}
	if got := there.Query(); got.Get("state") != "the-state" || got.Get("response_type") != "code" || got.Get("redirect_uri") != callback {
		b.t.Fatalf("the browser is sent to %s", there)
	}
	g.Challenge = there.Query().Get("code_challenge")
	if g.Client == "" {
		g.Client = "our-client"
	}
	tokens, err := p.Exchange(b.t.Context(), issuer.Code(g), verifier)
	if err != nil {
		return provider.Profile{}, err
	}
	return p.Profile(b.t.Context(), tokens, "")
}

func (b testNetwork) open(name string) *provider.Provider {
	b.t.Helper()
	p, err := b.Open(b.t.Context(), name, "")
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func data(t testing.TB, who provider.Profile) map[string]any {
	t.Helper()
	var fields map[string]any
	if err := json.Unmarshal(who.Data(), &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// jsonHost returns a host that serves JSON at paths, and the issuer's token endpoint at token.
func jsonHost(issuer *outside.Issuer, token string, paths map[string]any) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+token, issuer.Token)
	for path, value := range paths {
		mux.Handle("GET "+path, outside.JSON(value))
	}
	return mux
}
