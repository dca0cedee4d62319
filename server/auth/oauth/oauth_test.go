package oauth_test

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plaza/server/auth/oauth"
)

func TestCheckRedirect(t *testing.T) {
	t.Parallel()
	good := []string{
		"https://app.test/callback", "https://app.test", "https://app.test/a?b=c&d", "http://localhost/cb", "http://localhost:3000/cb",
		"http://127.0.0.1:1/cb", "http://[::1]:3000/cb", "myapp://callback", "com.example.app://oauth/cb", "https://app.test/" + strings.Repeat("a", 2031),
	}
	for _, address := range good {
		if err := oauth.CheckRedirect(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	bad := []string{
		"", "/callback", "//app.test/callback", "app.test/callback", "https:///callback", "https://", "mailto:a@app.test", "com.example.app:/cb",
		"http://app.test/cb", "http://127.0.0.2/cb", "http://localhost.app.test/cb", "http://127.0.0.1.app.test/", "HTTP://app.test/cb",
		"https://app.test/#", "https://app.test/cb#x", "https://ana@app.test/cb", "https://app.test@evil.test/cb",
		"javascript://app.test/%0aalert(1)", "JavaScript://app.test/x", "data://x/y", "file://host/x", "vbscript://x/", "about://blank", "blob://x/y", "view-source://x/",
		"https://app.test/a,https://evil.test/b", "https://app.test/a b", "https://app.test\\@evil.test/", "https://app.test/\n", "https://app.test/\x00",
		"https://app.test/\xff", "https://app.test:port/", "https://app.test/" + strings.Repeat("a", 2032),
	}
	for _, address := range bad {
		if oauth.CheckRedirect(address) == nil {
			t.Errorf("%q is taken", address)
		}
	}
}

func TestRedirect(t *testing.T) {
	t.Parallel()
	params := url.Values{"code": {"a b&c"}, "state": {"ü"}}
	for address, want := range map[string]string{
		"https://app.test/cb":         "https://app.test/cb?code=a+b%26c&state=%C3%BC",
		"https://app.test/cb?":        "https://app.test/cb?code=a+b%26c&state=%C3%BC",
		"https://app.test/cb?z=1&a=%": "https://app.test/cb?z=1&a=%&code=a+b%26c&state=%C3%BC",
		"app://cb":                    "app://cb?code=a+b%26c&state=%C3%BC",
	} {
		if got := oauth.RedirectURL(address, params); got != want {
			t.Errorf("RedirectURL(%s) = %s, want %s", address, got, want)
		}
	}
}

func TestScope(t *testing.T) {
	t.Parallel()
	scope := oauth.ParseScope("  openid email openid  profile")
	if diff := cmp.Diff(oauth.Scope{"openid", "email", "profile"}, scope); diff != "" {
		t.Error(diff)
	}
	if !scope.ContainsAll(oauth.ParseScope("email openid")) || scope.ContainsAll(oauth.ParseScope("email phone")) || !scope.ContainsAll(nil) {
		t.Error("Covers is wrong")
	}
	if got := scope.Union(oauth.ParseScope("phone email")).String(); got != "openid email profile phone" {
		t.Errorf("With gives %q", got)
	}
}

const challenge = "y5UF_tmp_ICTDGza-Ou2vUvx2cu7DBN-Xwf_z0RDfTw"

func request(change url.Values) url.Values {
	params := url.Values{"client_id": {"c"}, "redirect_uri": {"https://app.test/"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"}}
	for name, values := range change {
		params[name] = values
		if values == nil {
			params.Del(name)
		}
	}
	return params
}

func TestAuthorizeRequest(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change url.Values
		want   string // code of the error
	}{
		{"the least", nil, ""},
		{"all", url.Values{"response_type": {"code"}, "response_mode": {"query"}, "scope": {strings.Join(oauth.Scopes, " ")}, "state": {"x"}, "nonce": {"y"}, "resource": {"https://api.test/a"}}, ""},
		{"plain", url.Values{"code_challenge_method": {"plain"}}, ""},
		{"no client", url.Values{"client_id": nil}, oauth.InvalidRequest},
		{"no address", url.Values{"redirect_uri": nil}, oauth.InvalidRequest},
		{"two clients", url.Values{"client_id": {"a", "b"}}, oauth.InvalidRequest},
		{"two addresses", url.Values{"redirect_uri": {"a", "b"}}, oauth.InvalidRequest},
		{"two states", url.Values{"state": {"a", "b"}}, oauth.InvalidRequest},
		{"two challenges", url.Values{"code_challenge": {challenge, challenge}}, oauth.InvalidRequest},
		{"a token", url.Values{"response_type": {"token"}}, oauth.UnsupportedResponseType},
		{"a hybrid", url.Values{"response_type": {"code id_token"}}, oauth.UnsupportedResponseType},
		{"a fragment", url.Values{"response_mode": {"fragment"}}, oauth.InvalidRequest},
		{"a request object", url.Values{"request": {"eyJ"}}, oauth.RequestNotSupported},
		{"a request object elsewhere", url.Values{"request_uri": {"https://evil.test"}}, oauth.RequestURINotSupported},
		{"an unknown scope", url.Values{"scope": {"openid admin"}}, oauth.InvalidScope},
		{"spaces for a scope", url.Values{"scope": {"  "}}, oauth.InvalidScope},
		{"a long state", url.Values{"state": {strings.Repeat("x", 4097)}}, oauth.InvalidRequest},
		{"a state of invalid UTF-8", url.Values{"state": {"\xff"}}, oauth.InvalidRequest},
		{"a state with NUL", url.Values{"state": {"\x00"}}, oauth.InvalidRequest},
		{"a long nonce", url.Values{"nonce": {strings.Repeat("x", 256)}}, oauth.InvalidRequest},
		{"a relative resource", url.Values{"resource": {"/a"}}, oauth.InvalidTarget},
		{"a resource with a fragment", url.Values{"resource": {"https://api.test/#a"}}, oauth.InvalidTarget},
		{"a resource with a query", url.Values{"resource": {"https://api.test/?a"}}, oauth.InvalidTarget},
		{"a long resource", url.Values{"resource": {"https://api.test/" + strings.Repeat("x", 2048)}}, oauth.InvalidTarget},
		{"no challenge", url.Values{"code_challenge": nil}, oauth.InvalidRequest},
		{"no method", url.Values{"code_challenge_method": nil}, oauth.InvalidRequest},
		{"no PKCE", url.Values{"code_challenge": nil, "code_challenge_method": nil}, oauth.InvalidRequest},
		{"another method", url.Values{"code_challenge_method": {"S512"}}, oauth.InvalidRequest},
		{"a short challenge", url.Values{"code_challenge": {challenge[:42]}}, oauth.InvalidRequest},
		{"a long challenge", url.Values{"code_challenge": {strings.Repeat("x", 129)}}, oauth.InvalidRequest},
		{"a challenge of other characters", url.Values{"code_challenge": {challenge[:42] + "="}}, oauth.InvalidRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			params := request(tt.change)
			read, err := oauth.ReadAuthorize(params)
			if err == nil {
				err = read.Complete(params, "email")
			}
			var refused *oauth.Error
			code := ""
			if errors.As(err, &refused) {
				code = refused.Code
			}
			if code != tt.want {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
	read, _ := oauth.ReadAuthorize(request(nil))
	if err := read.Complete(request(nil), "email"); err != nil || read.Scope.String() != "email" || read.Method != "s256" {
		t.Errorf("%+v, %v", read, err)
	}
}

func text(s string) *string { return &s }

func TestRegistration(t *testing.T) {
	t.Parallel()
	address := &[]string{"https://app.test/"}
	many := make([]string, 11)
	for i := range many {
		many[i] = "https://app.test/"
	}
	tests := []struct {
		name         string
		registration oauth.Registration
		kind, ways   string // empty: refused
	}{
		{"the default", oauth.Registration{RedirectURIs: address}, oauth.Confidential, oauth.Basic},
		{"a type", oauth.Registration{RedirectURIs: address, Type: oauth.Public}, oauth.Public, oauth.None},
		{"a method", oauth.Registration{RedirectURIs: address, AuthMethod: text(oauth.None)}, oauth.Public, oauth.None},
		{"another method", oauth.Registration{RedirectURIs: address, AuthMethod: text(oauth.Post)}, oauth.Confidential, oauth.Post},
		{"no grant types are all", oauth.Registration{RedirectURIs: address, GrantTypes: &[]string{}}, oauth.Confidential, oauth.Basic},
		{"the longest name", oauth.Registration{RedirectURIs: address, Name: text(strings.Repeat("ü", 1024))}, oauth.Confidential, oauth.Basic},
		{"no addresses", oauth.Registration{}, "", ""},
		{"an empty list", oauth.Registration{RedirectURIs: &[]string{}}, "", ""},
		{"eleven addresses", oauth.Registration{RedirectURIs: &many}, "", ""},
		{"a bad address", oauth.Registration{RedirectURIs: &[]string{"https://app.test/", "http://app.test/"}}, "", ""},
		{"an unknown type", oauth.Registration{RedirectURIs: address, Type: "secret"}, "", ""},
		{"an unknown method", oauth.Registration{RedirectURIs: address, AuthMethod: text("private_key_jwt")}, "", ""},
		{"a method that contradicts the type", oauth.Registration{RedirectURIs: address, Type: oauth.Public, AuthMethod: text(oauth.Basic)}, "", ""},
		{"a type without a secret", oauth.Registration{RedirectURIs: address, Type: oauth.Confidential, AuthMethod: text(oauth.None)}, "", ""},
		{"an unknown grant", oauth.Registration{RedirectURIs: address, GrantTypes: &[]string{"password"}}, "", ""},
		{"a grant twice", oauth.Registration{RedirectURIs: address, GrantTypes: &[]string{"refresh_token", "refresh_token"}}, "", ""},
		{"a long name", oauth.Registration{RedirectURIs: address, Name: text(strings.Repeat("x", 1025))}, "", ""},
		{"a name with NUL", oauth.Registration{RedirectURIs: address, Name: text("a\x00")}, "", ""},
		{"a page that runs", oauth.Registration{RedirectURIs: address, URI: text("javascript:alert(1)")}, "", ""},
		{"a picture that runs", oauth.Registration{RedirectURIs: address, LogoURI: text("data:text/html,x")}, "", ""},
		{"a long page", oauth.Registration{RedirectURIs: address, URI: text("https://app.test/" + strings.Repeat("x", 2048))}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, err := oauth.NewClient(tt.registration)
			if tt.kind == "" {
				if err == nil {
					t.Errorf("made %+v", c)
				}
				return
			}
			if err != nil || c.Type != tt.kind || c.AuthMethod != tt.ways || len(c.GrantTypes) != 2 {
				t.Errorf("%+v, %v", c, err)
			}
		})
	}
}

func TestAuthenticate(t *testing.T) {
	t.Parallel()
	confidential := &oauth.Client{Type: oauth.Confidential, AuthMethod: oauth.Basic}
	confidential.SetNewSecret()
	public := &oauth.Client{Type: oauth.Public, AuthMethod: oauth.None}
	var nobody *oauth.Client
	tests := []struct {
		name  string
		who   *oauth.Client
		given oauth.Credentials
		ok    bool
	}{
		{"the secret", confidential, oauth.Credentials{Secret: confidential.Secret, Method: oauth.Basic}, true},
		{"a wrong secret", confidential, oauth.Credentials{Secret: "x", Method: oauth.Basic}, false},
		{"no secret", confidential, oauth.Credentials{Method: oauth.Basic}, false},
		{"the hash", confidential, oauth.Credentials{Secret: confidential.SecretHash, Method: oauth.Basic}, false},
		{"another method", confidential, oauth.Credentials{Secret: confidential.Secret, Method: oauth.Post}, false},
		{"none", confidential, oauth.Credentials{Method: oauth.None}, false},
		{"public", public, oauth.Credentials{Method: oauth.None}, true},
		{"public with a secret", public, oauth.Credentials{Secret: "x", Method: oauth.Post}, false},
		{"nobody", nobody, oauth.Credentials{Method: oauth.None}, false},
		{"no client id, with a secret", nobody, oauth.Credentials{Secret: "x", Method: oauth.Basic}, false},
	}
	for _, tt := range tests {
		if err := tt.who.Authenticate(tt.given); (err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
