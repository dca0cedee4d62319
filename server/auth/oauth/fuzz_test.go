package oauth_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"plaza/server/auth/oauth"
)

// FuzzRedirect checks that a redirect with a code always goes to the registered host.
func FuzzRedirect(f *testing.F) {
	for _, seed := range []string{
		"https://app.test/cb", "http://localhost:3000/?a=b", "myapp://cb", "https://app.test?", "https://app.test/cb?x=%zz", "https://[::1]/", "https://a.test\\@b.test",
		"https://app.test/#", "javascript://x/%0aalert(1)", "https:app.test", "https://app.test/a;b?c;d",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, address string) {
		if oauth.CheckRedirect(address) != nil {
			return
		}
		before, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		sent := oauth.RedirectURL(address, url.Values{"code": {"the-code"}, "state": {"a&b#c"}})
		after, err := url.Parse(sent)
		if err != nil {
			t.Fatalf("%q: %v", sent, err)
		}
		if after.Scheme != before.Scheme || after.Host != before.Host || after.Path != before.Path || after.User != nil || after.Fragment != "" {
			t.Fatalf("%q leads to %q", address, sent)
		}
		if !strings.HasSuffix(after.RawQuery, "code=the-code&state=a%26b%23c") || strings.ContainsAny(sent, "\r\n\\ ") {
			t.Fatalf("%q leads to %q", address, sent)
		}
	})
}

// FuzzAuthorize checks that an accepted request fits the table, has supported scopes and uses PKCE.
func FuzzAuthorize(f *testing.F) {
	f.Add("client_id=c&redirect_uri=https://a.test&code_challenge=" + challenge + "&code_challenge_method=S256&scope=openid&state=x&nonce=y&resource=https://a.test")
	f.Add("client_id=c&redirect_uri=a&response_type=token&state=%00&request=x")
	f.Add("client_id=c&client_id=d&scope=%ff")
	f.Fuzz(func(t *testing.T, query string) {
		params, _ := url.ParseQuery(query)
		a, err := oauth.ReadAuthorize(params)
		if err != nil {
			return
		}
		err = a.Complete(params, "email")
		if bad := a.State; !utf8.ValidString(bad) || strings.ContainsRune(bad, 0) || utf8.RuneCountInString(bad) > 4096 {
			t.Fatalf("state %q is sent back", bad)
		}
		if err != nil {
			return
		}
		for name, limit := range map[string]struct {
			text string
			most int
		}{"nonce": {a.Nonce, 255}, "resource": {a.Resource, 2048}, "challenge": {a.Challenge, 128}, "scope": {a.Scope.String(), 2048}} {
			if utf8.RuneCountInString(limit.text) > limit.most || !utf8.ValidString(limit.text) || strings.ContainsRune(limit.text, 0) {
				t.Fatalf("%s %q", name, limit.text)
			}
		}
		if len(a.Challenge) < 43 || len(a.Scope) == 0 || !oauth.Scope(oauth.Scopes).ContainsAll(a.Scope) {
			t.Fatalf("%+v", a)
		}
	})
}

// FuzzToken checks that a request with two authentication methods is refused.
func FuzzToken(f *testing.F) {
	f.Add("grant_type=refresh_token&refresh_token=x&client_id=c", "", "", false)
	f.Add("grant_type=authorization_code&client_secret=s", "c", "s", true)
	f.Add("client_id=a&client_id=b", "%zz", "", true)
	f.Fuzz(func(t *testing.T, body, id, secret string, basic bool) {
		params, _ := url.ParseQuery(body)
		var login *oauth.Login
		if basic {
			login = &oauth.Login{ID: id, Secret: secret}
		}
		got, err := oauth.ReadToken(params, login)
		if err != nil {
			return
		}
		c := got.Client
		if c.ID == "" || got.GrantType == "" || (c.Method == oauth.Basic) != basic || c.Method == oauth.None && c.Secret != "" {
			t.Fatalf("%+v of %q", got, body)
		}
		if basic && params.Get("client_secret") != "" {
			t.Fatalf("two ways are taken: %q", body)
		}
	})
}
