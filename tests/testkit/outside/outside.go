// Package outside simulates external servers for tests: hosts that respond like external providers,
// reached without a socket.
package outside

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Network dispatches requests by host.
type Network struct {
	mu        sync.Mutex
	hosts     map[string]http.Handler
	requested []string
}

// NewNetwork returns a network without hosts.
func NewNetwork() *Network { return &Network{hosts: map[string]http.Handler{}} }

// Host registers a handler for a host.
func (n *Network) Host(name string, handler http.Handler) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hosts[name] = handler
}

// Requested returns the requested URLs, in order.
func (n *Network) Requested() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]string{}, n.requested...)
}

// RoundTrip passes a request to its host's handler.
func (n *Network) RoundTrip(request *http.Request) (*http.Response, error) {
	n.mu.Lock()
	handler, ok := n.hosts[request.URL.Host]
	n.requested = append(n.requested, request.URL.Host+request.URL.Path)
	n.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("no such host: %s", request.URL.Host)
	}
	if request.Body == nil {
		request = request.Clone(request.Context())
		request.Body = http.NoBody
	}
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	response := answer.Result()
	response.Request = request
	return response, nil
}

// JSON returns a handler that responds to every request with a value.
func JSON(value any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value)
	}
}

// Claims are the claims of an ID token.
type Claims map[string]any

// Issuer is an OpenID provider whose responses are set by a test.
type Issuer struct {
	Name string // its URL
	now  func() time.Time
	key  *ecdsa.PrivateKey

	mu     sync.Mutex
	grants map[string]Grant
	number int
}

// Grant is what an authorization code is exchanged for.
type Grant struct {
	Client    string
	Challenge string // PKCE, verified if set
	ID        Claims // of the ID token; nil for none
	Userinfo  any
	Refresh   string
	Extra     map[string]any // further fields of the token response
}

// NewIssuer returns an issuer. It serves /.well-known/openid-configuration, /jwks, /token and
// /userinfo below its name.
func NewIssuer(t testing.TB, name string, now func() time.Time) *Issuer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Issuer{Name: name, now: now, key: key, grants: map[string]Grant{}}
}

// Sign returns a signed ID token. iss, iat and exp are the issuer's unless set.
func (i *Issuer) Sign(claims Claims) string {
	set := jwt.MapClaims{"iss": i.Name, "iat": i.now().Unix(), "exp": i.now().Add(time.Hour).Unix()}
	maps.Copy(set, jwt.MapClaims(claims))
	token := jwt.NewWithClaims(jwt.SigningMethodES256, set)
	token.Header["kid"] = "test"
	signed, err := token.SignedString(i.key)
	if err != nil {
		panic(err)
	}
	return signed
}

// Code returns an authorization code for a grant; it works once.
func (i *Issuer) Code(g Grant) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.number++
	code := fmt.Sprintf("code-%d", i.number)
	i.grants[code] = g
	return code
}

// AccessHash returns the at_hash of an access token.
func AccessHash(access string) string {
	sum := sha256.Sum256([]byte(access))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// ServeHTTP serves the URLs that NewIssuer lists. It treats all others as /token.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Scheme + "://" + r.URL.Host + r.URL.Path {
	case i.Name + "/.well-known/openid-configuration":
		JSON(map[string]any{
			"issuer": i.Name, "authorization_endpoint": i.Name + "/authorize", "token_endpoint": i.Name + "/token",
			"userinfo_endpoint": i.Name + "/userinfo", "jwks_uri": i.Name + "/jwks",
		})(w, r)
	case i.Name + "/jwks":
		point, err := i.key.PublicKey.Bytes()
		if err != nil {
			panic(err)
		}
		JSON(map[string]any{"keys": []any{map[string]string{
			"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": "test",
			"x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:]),
		}}})(w, r)
	case i.Name + "/userinfo":
		i.mu.Lock()
		g := i.grants[r.Header.Get("Authorization")]
		i.mu.Unlock()
		JSON(g.Userinfo)(w, r)
	default:
		i.Token(w, r)
	}
}

// Token handles a token request, at any path.
func (i *Issuer) Token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		panic(err)
	}
	client, _, basic := r.BasicAuth()
	if !basic {
		client = r.PostForm.Get("client_id")
	}
	i.mu.Lock()
	g, ok := i.grants[r.PostForm.Get("code")]
	delete(i.grants, r.PostForm.Get("code"))
	access := fmt.Sprintf("access-of-%s", r.PostForm.Get("code"))
	i.grants["Bearer "+access] = g
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	w.Header().Set("Content-Type", "application/json")
	if !ok || g.Client != client || g.Challenge != "" && g.Challenge != base64.RawURLEncoding.EncodeToString(sum[:]) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error": "invalid_grant"}`))
		return
	}
	answer := map[string]any{"access_token": access, "token_type": "bearer", "expires_in": 3600}
	maps.Copy(answer, g.Extra)
	if g.ID != nil {
		answer["id_token"] = i.Sign(g.ID)
	}
	if g.Refresh != "" {
		answer["refresh_token"] = g.Refresh
	}
	_ = json.NewEncoder(w).Encode(answer)
}
