package claims_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/claims"
)

const secret = "a-secret-of-tests-with-32-characters"

var start = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// clock is a clock that tests advance.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func verifier() (*claims.Verifier, *clock) {
	c := &clock{start}
	return claims.NewVerifier([]byte(secret), c.Now), c
}

func mint(t *testing.T, v *claims.Verifier, set map[string]any) string {
	t.Helper()
	token, err := v.Mint(set)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestVerify(t *testing.T) {
	t.Parallel()
	v, _ := verifier()
	who, err := v.Verify(mint(t, v, map[string]any{"role": "authenticated", "sub": "u1", "session_id": "s1", "exp": start.Add(time.Hour).Unix(), "x": 1}))
	if err != nil {
		t.Fatal(err)
	}
	if who.Role != "authenticated" || who.Subject != "u1" || who.SessionID != "s1" || !who.Expires.Equal(start.Add(time.Hour)) || !strings.Contains(who.JSON, `"x":1`) {
		t.Errorf("%+v", who)
	}
	if who, err := v.Verify(mint(t, v, map[string]any{"sub": "u2"})); err != nil || who.Role != claims.Anon {
		t.Errorf("without a role: %+v, %v", who, err)
	}
}

func TestVerifyRefuses(t *testing.T) {
	t.Parallel()
	v, _ := verifier()
	good := mint(t, v, map[string]any{"role": "anon"})
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{"role": "service_role"}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"role": "service_role"}).SignedString([]byte("another secret of 32 characters!!"))
	if err != nil {
		t.Fatal(err)
	}
	longer, err := jwt.NewWithClaims(jwt.SigningMethodHS512, jwt.MapClaims{"role": "service_role"}).SignedString([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		token string
		want  error
	}{
		"nothing":         {"", claims.ErrMalformed},
		"no token":        {"a.b.c", claims.ErrMalformed},
		"two parts":       {"a.b", claims.ErrMalformed},
		"another secret":  {foreign, claims.ErrSignature},
		"no signature":    {unsigned, claims.ErrSignature},
		"another method":  {longer, claims.ErrSignature},
		"changed":         {good[:len(good)-10] + strings.Repeat("A", 10), claims.ErrSignature},
		"expired":         {mint(t, v, map[string]any{"exp": start.Add(-time.Minute).Unix()}), claims.ErrExpired},
		"not yet":         {mint(t, v, map[string]any{"nbf": start.Add(time.Minute).Unix()}), claims.ErrNotYet},
		"issued tomorrow": {mint(t, v, map[string]any{"iat": start.Add(24 * time.Hour).Unix()}), claims.ErrNotYet},
		"role no text":    {mint(t, v, map[string]any{"role": 7}), claims.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if who, err := v.Verify(test.token); !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v; caller %+v", err, test.want, who)
			}
		})
	}
}

func TestCachedTokenExpires(t *testing.T) {
	t.Parallel()
	v, c := verifier()
	token := mint(t, v, map[string]any{"role": "anon", "exp": start.Add(time.Minute).Unix()})
	if _, err := v.Verify(token); err != nil {
		t.Fatal(err)
	}
	c.now = start.Add(time.Minute + 29*time.Second)
	if _, err := v.Verify(token); err != nil {
		t.Errorf("within the allowed clock skew: %v", err)
	}
	c.now = start.Add(time.Minute + 31*time.Second)
	if _, err := v.Verify(token); !errors.Is(err, claims.ErrExpired) {
		t.Errorf("error %v, want ErrExpired", err)
	}
}

func TestMoreTokensThanTheCacheHolds(t *testing.T) {
	t.Parallel()
	v, _ := verifier()
	tokens := make([]string, 10_000) // more than the cache can hold
	for i := range tokens {
		tokens[i] = mint(t, v, map[string]any{"role": "anon", "sub": fmt.Sprint(i)})
	}
	for range 2 {
		for i, token := range tokens {
			if who, err := v.Verify(token); err != nil || who.Subject != fmt.Sprint(i) {
				t.Fatalf("token %d is %q, %v", i, who.Subject, err)
			}
		}
	}
}

func authenticator(t *testing.T) *claims.Authenticator {
	t.Helper()
	v, _ := verifier()
	keys, err := claims.NewKeys(v, start)
	if err != nil {
		t.Fatal(err)
	}
	return &claims.Authenticator{Verifier: v, Keys: keys}
}

func TestKeysAndTokensOfARequest(t *testing.T) {
	t.Parallel()
	a := authenticator(t)
	request := func(header ...string) *http.Request {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		for i := 0; i+1 < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		return r
	}
	for key, role := range map[string]string{
		a.Keys.Anon: claims.Anon, a.Keys.Service: claims.ServiceRole, a.Keys.Publishable: claims.Anon, a.Keys.Secret: claims.ServiceRole,
	} {
		if who, err := a.Key(request("apikey", key)); err != nil || who.Role != role {
			t.Errorf("key %.20s…: %+v, %v", key, who, err)
		}
		if who, ok, err := a.Bearer(request("Authorization", "bearer "+key)); err != nil || !ok || who.Role != role {
			t.Errorf("bearer %.20s…: %+v, %v, %v", key, who, ok, err)
		}
	}
	if _, err := a.Key(request()); !errors.Is(err, claims.ErrNoKey) {
		t.Errorf("without a key: %v", err)
	}
	if _, err := a.Key(request("apikey", "sb_publishable_wrong")); !errors.Is(err, claims.ErrWrongKey) {
		t.Errorf("with a wrong key: %v", err)
	}
	if _, ok, err := a.Bearer(request("Authorization", "Basic abc")); ok || err != nil {
		t.Errorf("another scheme: %v, %v", ok, err)
	}
	inQuery := httptest.NewRequest(http.MethodGet, "/?apikey="+a.Keys.Anon, nil)
	if who, err := a.Key(inQuery); err != nil || who.Role != claims.Anon {
		t.Errorf("key in the query: %+v, %v", who, err)
	}
}

func TestEmptyOpaqueKey(t *testing.T) {
	t.Parallel()
	if who, ok := (claims.Keys{}).Caller(""); ok {
		t.Errorf("the empty key is %+v", who)
	}
}

// A token that moves to the young generation does not count as evicted.
func TestTokensInUseAreNotEvicted(t *testing.T) {
	t.Parallel()
	cache := claims.NewCache(2)
	for _, token := range []string{"a", "b"} {
		cache.Put(token, claims.Caller{Role: token})
	}
	for range 3 {
		for _, token := range []string{"a", "b"} {
			if who, ok := cache.Get(token); !ok || who.Role != token {
				t.Errorf("%s: %v %t", token, who, ok)
			}
		}
	}
	if stats := cache.Stats(); stats.Hits != 6 || stats.Evictions != 0 {
		t.Errorf("%+v", stats)
	}
}
