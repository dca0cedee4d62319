// Package devopenid is an OpenID provider for development. It replaces Google on a machine without
// internet access and offers test users. Anyone who can reach it may sign in as any user, so it
// is never served in production.
package devopenid

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Person is a test user.
type Person struct {
	Name, Email string
	Verified    bool // the address is verified
}

// subject returns an id derived from the address, so that it is the same after a restart.
func (p Person) subject() string {
	sum := sha256.Sum256([]byte("plaza/openid:" + p.Email))
	return hex.EncodeToString(sum[:10])
}

// Initials returns up to two initials, which the page shows instead of a picture.
func (p Person) Initials() string {
	var letters []rune
	for _, word := range strings.Fields(p.Name) {
		letters = append(letters, []rune(strings.ToUpper(word))[0])
	}
	if len(letters) > 2 {
		letters = letters[:2]
	}
	return string(letters)
}

// People are the users that the page offers initially. Users entered on the page are added.
var People = []Person{
	{"Alba Serra", "alba.serra@example.com", true},
	{"Marc Puig", "marc.puig@example.com", true},
	{"Noa Vidal", "noa.vidal@example.com", true},
}

// ClientID is the id of the only client: this server.
const ClientID = "plaza-local"

// Options are the dependencies of a Provider.
type Options struct {
	Issuer   string // URL at which it is served: http://127.0.0.1:54321/openid
	Callback string // the only allowed redirect URI
	Now      func() time.Time
}

// Provider is the provider. It keeps its state in memory only.
type Provider struct {
	options Options
	secret  string
	key     *ecdsa.PrivateKey
	keyID   string

	mu      sync.Mutex
	people  []Person
	codes   map[string]grant
	access  map[string]grant
	refresh map[string]grant
}

// New returns a Provider with a new signing key.
func New(options Options) (*Provider, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("generate signing key: %w", err)
	}
	return &Provider{
		options: options, secret: randomText(), key: key, keyID: randomText()[:12], people: append([]Person{}, People...),
		codes: map[string]grant{}, access: map[string]grant{}, refresh: map[string]grant{},
	}, nil
}

// Secret returns the client secret of ClientID. It changes at each start.
func (p *Provider) Secret() string { return p.secret }

func randomText() string {
	var bytes [24]byte
	rand.Read(bytes[:])
	return base64.RawURLEncoding.EncodeToString(bytes[:])
}

// Routes serves the provider under a prefix such as "/openid".
func (p *Provider) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET "+prefix+"/.well-known/openid-configuration", p.discovery)
	routes.HandleFunc("GET "+prefix+"/jwks", p.keys)
	routes.HandleFunc("GET "+prefix+"/authorize", p.page)
	routes.HandleFunc("POST "+prefix+"/authorize", p.handleChoice)
	routes.HandleFunc("POST "+prefix+"/token", p.token)
	routes.HandleFunc("GET "+prefix+"/userinfo", p.userinfo)
	return routes
}

// discovery serves the discovery document of OpenID Connect Discovery 1.0.
func (p *Provider) discovery(w http.ResponseWriter, _ *http.Request) {
	at := p.options.Issuer
	writeJSON(w, http.StatusOK, map[string]any{
		"issuer": at, "authorization_endpoint": at + "/authorize", "token_endpoint": at + "/token", "userinfo_endpoint": at + "/userinfo",
		"jwks_uri": at + "/jwks", "response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"id_token_signing_alg_values_supported":          []string{"ES256"},
		"scopes_supported":                               []string{"openid", "email", "profile"},
		"token_endpoint_auth_methods_supported":          []string{"client_secret_basic", "client_secret_post"},
		"code_challenge_methods_supported":               []string{"S256"},
		"authorization_response_iss_parameter_supported": true,
	})
}

func (p *Provider) keys(w http.ResponseWriter, _ *http.Request) {
	point, err := p.key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		writeError(w, http.StatusInternalServerError, "server_error", "The key cannot be shown")
		return
	}
	writeJSON(w, http.StatusOK, map[string]any{"keys": []any{map[string]string{
		"kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": p.keyID,
		"x": base64.RawURLEncoding.EncodeToString(point[1:33]), "y": base64.RawURLEncoding.EncodeToString(point[33:]),
	}}})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	encoded, err := json.Marshal(value)
	if err != nil {
		http.Error(w, "", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(encoded) // fails only if the client has disconnected
}

// writeError writes an error response by RFC 6749, section 5.2.
func writeError(w http.ResponseWriter, status int, code, description string) {
	writeJSON(w, status, map[string]string{"error": code, "error_description": description})
}
