package claims_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/claims"
)

// issuer is a third-party issuer.
type issuer struct {
	t   *testing.T
	url string

	mu           sync.Mutex
	name         string // in its discovery document
	keys         []map[string]string
	requestCount int // requests for the keys
	isBroken     bool
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{t: t}
	mux := http.NewServeMux()
	answer := func(value func() any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			i.mu.Lock()
			defer i.mu.Unlock()
			if i.isBroken {
				w.WriteHeader(http.StatusInternalServerError)
			}
			_ = json.NewEncoder(w).Encode(value())
		}
	}
	mux.HandleFunc("/.well-known/openid-configuration", answer(func() any {
		i.requestCount++
		return map[string]string{"issuer": i.name, "jwks_uri": i.url + "/keys"}
	}))
	mux.HandleFunc("/keys", answer(func() any { return map[string]any{"keys": i.keys} }))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.url, i.name = server.URL, server.URL
	return i
}

func (i *issuer) set(change func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change()
}

// key makes a key that the issuer publishes.
func (i *issuer) key(id string) *ecdsa.PrivateKey {
	i.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		i.t.Fatal(err)
	}
	i.set(func() { i.keys = append(i.keys, asJWK(i.t, private, map[string]string{"kid": id, "alg": "ES256"})) })
	return private
}

func (i *issuer) requests() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.requestCount
}

// sign signs a token of the issuer, with changed claims.
func (i *issuer) sign(method jwt.SigningMethod, key any, id string, changes map[string]any) string {
	i.t.Helper()
	set := jwt.MapClaims{"iss": i.name, "sub": "user_2ab", "role": "authenticated", "exp": start.Add(time.Hour).Unix()}
	maps.Copy(set, changes)
	maps.DeleteFunc(set, func(_ string, value any) bool { return value == nil })
	token := jwt.NewWithClaims(method, set)
	token.Header["kid"] = id
	signed, err := token.SignedString(key)
	if err != nil {
		i.t.Fatal(err)
	}
	return signed
}

func trusting(urls ...string) (*claims.Verifier, *claims.Issuers, *clock) {
	v, at := verifier()
	issuers := claims.NewIssuers(urls, slog.New(slog.DiscardHandler), at.Now)
	v.TrustIssuers(issuers)
	return v, issuers, at
}

// Tokens of a trusted issuer are accepted if its own keys have signed them.
func TestTrustedIssuers(t *testing.T) {
	t.Parallel()
	ours, theirs, stranger := newIssuer(t), newIssuer(t), newIssuer(t)
	key, other, strange := ours.key("a"), theirs.key("a"), stranger.key("a")
	ours.set(func() {
		ours.name += "/" // as Auth0 names itself
		ours.keys = append(ours.keys, map[string]string{"kty": "oct", "kid": "shared", "k": b64([]byte(secret))}, map[string]string{"kty": "EC", "crv": "secp256k1", "kid": "odd"})
	})
	v, _, _ := trusting(ours.url, theirs.url)
	es := jwt.SigningMethodES256
	idToken := map[string]any{"at_hash": "x", "session_id": "4cbd6cd6-5c8f-4a1b-8f1e-6f4f0d5b3f11", "client_id": "app"}
	for name, tt := range map[string]struct {
		token string
		want  error
	}{
		"its own key":             {ours.sign(es, key, "a", nil), nil},
		"another issuer's":        {theirs.sign(es, other, "a", nil), nil},
		"an ID token":             {ours.sign(es, key, "a", idToken), nil},
		"another issuer's key":    {ours.sign(es, other, "a", nil), claims.ErrSignature},
		"an unknown key":          {ours.sign(es, key, "b", nil), claims.ErrSignature},
		"the project's secret":    {ours.sign(jwt.SigningMethodHS256, []byte(secret), "a", nil), claims.ErrSignature},
		"a published secret":      {ours.sign(jwt.SigningMethodHS256, []byte(secret), "shared", nil), claims.ErrSignature},
		"unsigned":                {ours.sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "a", nil), claims.ErrSignature},
		"an issuer not trusted":   {stranger.sign(es, strange, "a", nil), claims.ErrSignature},
		"no issuer":               {ours.sign(es, key, "a", map[string]any{"iss": nil}), claims.ErrSignature},
		"its name without slash":  {ours.sign(es, key, "a", map[string]any{"iss": ours.url}), claims.ErrSignature},
		"expired":                 {ours.sign(es, key, "a", map[string]any{"exp": start.Add(-time.Hour).Unix()}), claims.ErrExpired},
		"valid for ever":          {ours.sign(es, key, "a", map[string]any{"exp": nil}), claims.ErrMalformed},
		"the project's own token": {mint(t, v, map[string]any{"role": "authenticated"}), nil},
	} {
		who, err := v.Verify(tt.token)
		if !errors.Is(err, tt.want) || (err == nil) != (tt.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
		if err != nil || strings.HasPrefix(name, "the project") {
			continue
		}
		if who.Role != "authenticated" || who.Subject != "user_2ab" || who.Issuer == "" || who.ReadOnly || who.SessionID != "" {
			t.Errorf("%s: %+v", name, who)
		}
		if _, err := (&claims.Authenticator{Verifier: v}).OwnOnly().Verify(tt.token); !errors.Is(err, claims.ErrSignature) {
			t.Errorf("%s: the auth server gets %v", name, err)
		}
	}
}

// New keys of an issuer are found when a token has one, but tokens cannot make the server ask more often
// than twice a minute. A key that was withdrawn is refused, also if its token was verified before.
func TestChangedKeysOfIssuersAreFetched(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	old := i.key("old")
	v, issuers, at := trusting(i.url)
	token := i.sign(jwt.SigningMethodES256, old, "old", nil)
	check := func(token string, want error, requests int) {
		t.Helper()
		if _, err := v.Verify(token); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		if got := i.requests(); got != requests {
			t.Errorf("%d requests, want %d", got, requests)
		}
	}
	i.set(func() { i.isBroken = true })
	check(token, claims.ErrSignature, 1)
	check(token, claims.ErrSignature, 1)
	i.set(func() { i.isBroken = false })
	at.now = at.now.Add(31 * time.Second)
	check(token, nil, 2)

	young := i.sign(jwt.SigningMethodES256, i.key("young"), "young", nil)
	check(young, claims.ErrSignature, 2)
	at.now = at.now.Add(31 * time.Second)
	check(young, nil, 3)
	check(token, nil, 3)

	i.set(func() { i.keys = i.keys[1:] })
	at.now = at.now.Add(11 * time.Minute)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		issuers.Run(ctx)
	}()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := v.Verify(token); err != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the keys are not fetched again")
		}
	}
	stop()
	<-done
	check(token, claims.ErrSignature, 4)
	check(young, nil, 4)

	i.set(func() { i.isBroken = true })
	at.now = at.now.Add(31 * time.Second)
	check(i.sign(jwt.SigningMethodES256, old, "none", nil), claims.ErrSignature, 5)
	check(young, nil, 5)
}

// The discovery document must name the issuer, and its keys must be usable.
func TestBadIssuers(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*issuer){
		"another name":     func(i *issuer) { i.name = "https://example.com" },
		"no keys":          func(i *issuer) { i.keys = nil },
		"a large document": func(i *issuer) { i.keys = append(i.keys, map[string]string{"kty": strings.Repeat("x", 2<<20)}) },
		"many keys": func(i *issuer) {
			for range 100 {
				i.keys = append(i.keys, map[string]string{"kty": "x"})
			}
		},
	} {
		i := newIssuer(t)
		key := i.key("a")
		token := i.sign(jwt.SigningMethodES256, key, "a", nil)
		i.set(func() { change(i) })
		v, _, _ := trusting(i.url)
		if _, err := v.Verify(token); !errors.Is(err, claims.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for address, good := range map[string]bool{
		"https://example.clerk.accounts.dev": true, "https://cognito-idp.eu-west-1.amazonaws.com/pool": true,
		"http://example.com": false, "example.com": false, "https://": false, "https://user@example.com": false, "https://example.com?x=1": false, "ftp://example.com": false, "": false,
	} {
		if err := claims.CheckIssuer(address, false); (err == nil) != good {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// Cached tokens are removed when an issuer withdraws keys, also while the project's own keys are replaced. The new
// keys stay, and a token of the old ones is refused.
func TestClearingTheCacheKeepsNewKeys(t *testing.T) {
	t.Parallel()
	ring := func() *claims.Ring {
		t.Helper()
		key, err := claims.NewSigningKey("ES256", start.Add(-time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		made, err := claims.NewRing([]claims.SigningKey{key})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	v, _ := verifier()
	before, after := ring(), ring()
	v.SetRing(before)
	token := mint(t, v, map[string]any{"role": "authenticated", "exp": start.Add(time.Hour).Unix()})
	for range 2 { // also from the cache
		if _, err := v.Verify(token); err != nil {
			t.Fatal(err)
		}
	}
	v.Forget()
	if _, err := v.Verify(token); err != nil || v.CacheStats().Hits != 0 {
		t.Errorf("%v, the cache has %+v", err, v.CacheStats())
	}
	ctx, stop := context.WithCancel(t.Context())
	var clearing sync.WaitGroup
	clearing.Go(func() {
		for ctx.Err() == nil {
			v.Forget()
		}
	})
	for range 100 {
		v.SetRing(before)
		runtime.Gosched()
		v.SetRing(after)
		if runtime.Gosched(); v.Ring() != after {
			t.Error("clearing the cache brought the old keys back")
			break
		}
	}
	stop()
	clearing.Wait()
	if _, err := v.Verify(token); !errors.Is(err, claims.ErrSignature) {
		t.Errorf("a token of the old keys: %v", err)
	}
}
