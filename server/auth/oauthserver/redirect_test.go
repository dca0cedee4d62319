package oauthserver_test

import (
	"net/url"
	"testing"

	"github.com/ory/fosite"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
)

// Every redirect URI that a client may register is accepted by fosite, at /oauth/authorize and when
// it issues the code. Otherwise a client could register that cannot be used.
func FuzzFositeAcceptsRegisteredRedirects(f *testing.F) {
	for _, seed := range []string{
		"https://app.test/cb", "https://app.test/cb?a=b&c", "http://localhost:3000/cb", "http://127.0.0.1:8080", "http://[::1]/cb", "myapp://cb",
		"com.example.app://host/a%20b", "https://app.test?", "https://app.test/cb?x=%zz", "https://äpp.test/ü", "https://app.test/a;b?c;d",
		"https://a.test:/", "x://%41",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if oauth.CheckRedirect(address) != nil {
			return
		}
		client := storage.Client{Client: &oauth.Client{RedirectURIs: []string{address}}}
		if _, err := fosite.MatchRedirectURIWithClientRedirectURIs(address, client); err != nil {
			t.Errorf("fosite refuses %q", address)
		}
		parsed, err := url.Parse(address)
		if err != nil || !fosite.IsRedirectURISecure(t.Context(), parsed) {
			t.Errorf("fosite holds %q for insecure: %v", address, err)
		}
	})
}
