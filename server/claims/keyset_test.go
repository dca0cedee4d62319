package claims_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/claims"
)

func b64(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

// asJWK encodes a public or shared key as a JSON Web Key.
func asJWK(t *testing.T, key any, more map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	switch key := key.(type) {
	case []byte:
		out = map[string]string{"kty": "oct", "k": b64(key)}
	case *rsa.PrivateKey:
		out = map[string]string{"kty": "RSA", "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes())}
	case *ecdsa.PrivateKey:
		point, err := key.PublicKey.Bytes()
		if err != nil {
			t.Fatal(err)
		}
		half := len(point) / 2
		out = map[string]string{"kty": "EC", "crv": key.Params().Name, "x": b64(point[1 : 1+half]), "y": b64(point[1+half:])}
	case ed25519.PrivateKey:
		out = map[string]string{"kty": "OKP", "crv": "Ed25519", "x": b64(key.Public().(ed25519.PublicKey))}
	}
	for name, value := range more {
		out[name] = value
	}
	return out
}

func keySet(t *testing.T, keys ...map[string]string) *claims.KeySet {
	t.Helper()
	text, err := json.Marshal(map[string]any{"keys": keys})
	if err != nil {
		t.Fatal(err)
	}
	set, err := claims.ParseKeySet(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return set
}

func signed(t *testing.T, method jwt.SigningMethod, key crypto.PrivateKey, id string) string {
	t.Helper()
	token := jwt.NewWithClaims(method, jwt.MapClaims{"role": "author"})
	if id != "" {
		token.Header["kid"] = id
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// madeKeys are one key of each kind, and another RSA key.
type madeKeys struct {
	shared           []byte
	rsa, otherRSA    *rsa.PrivateKey
	p256, p384, p521 *ecdsa.PrivateKey
	ed               ed25519.PrivateKey
}

func makeKeys(t *testing.T) (keys madeKeys) {
	t.Helper()
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var err error
	keys.shared = []byte("a shared key of these tests, with 40 bytes")
	keys.rsa, err = rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	keys.otherRSA, err = rsa.GenerateKey(rand.Reader, 2048)
	must(err)
	keys.p256, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	keys.p384, err = ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	must(err)
	keys.p521, err = ecdsa.GenerateKey(elliptic.P521(), rand.Reader)
	must(err)
	_, keys.ed, err = ed25519.GenerateKey(rand.Reader)
	must(err)
	return keys
}

func TestKeySetVerifiesEachAlgorithm(t *testing.T) {
	t.Parallel()
	keys := makeKeys(t)
	all := keySet(t, map[string]string{"kty": "new", "kid": "unknown kinds are passed over"}, asJWK(t, keys.shared, nil), asJWK(t, keys.otherRSA, nil),
		asJWK(t, keys.rsa, nil), asJWK(t, keys.p256, nil), asJWK(t, keys.p384, nil), asJWK(t, keys.p521, nil), asJWK(t, keys.ed, nil))
	for _, one := range []struct {
		method jwt.SigningMethod
		key    crypto.PrivateKey
	}{
		{jwt.SigningMethodHS256, keys.shared}, {jwt.SigningMethodHS384, keys.shared}, {jwt.SigningMethodHS512, keys.shared},
		{jwt.SigningMethodRS256, keys.rsa}, {jwt.SigningMethodRS384, keys.rsa}, {jwt.SigningMethodRS512, keys.rsa},
		{jwt.SigningMethodPS256, keys.rsa}, {jwt.SigningMethodPS384, keys.rsa}, {jwt.SigningMethodPS512, keys.rsa},
		{jwt.SigningMethodES256, keys.p256}, {jwt.SigningMethodES384, keys.p384}, {jwt.SigningMethodES512, keys.p521},
		{jwt.SigningMethodEdDSA, keys.ed},
	} {
		t.Run(one.method.Alg(), func(t *testing.T) {
			t.Parallel()
			token := signed(t, one.method, one.key, "")
			if payload, err := all.Verify(token); err != nil || string(payload) != `{"role":"author"}` {
				t.Errorf("%s, %v", payload, err)
			}
			head, rest, _ := strings.Cut(token, ".")
			_, signature, _ := strings.Cut(rest, ".")
			forged := head + "." + b64([]byte(`{"role":"admin"}`)) + "." + signature
			if payload, err := all.Verify(forged); !errors.Is(err, claims.ErrSignature) {
				t.Errorf("forged: %s, %v", payload, err)
			}
		})
	}
}

// A verifier with an additional key set accepts tokens of these keys and its own tokens only.
func TestVerifierAcceptsTokensOfAKeySet(t *testing.T) {
	t.Parallel()
	keys := makeKeys(t)
	own := []byte("the secret of the server, with 40 bytes..")
	v := claims.NewVerifier(own, time.Now)
	v.AddKeySet(keySet(t, asJWK(t, keys.p256, map[string]string{"kid": "curve"}), asJWK(t, keys.rsa, map[string]string{"kid": "rsa"}), asJWK(t, keys.shared, map[string]string{"kid": "shared"})))
	public, err := x509.MarshalPKIXPublicKey(&keys.rsa.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		token string
		want  error
	}{
		"by name":               {signed(t, jwt.SigningMethodES256, keys.p256, "curve"), nil},
		"without a name":        {signed(t, jwt.SigningMethodRS256, keys.rsa, ""), nil},
		"a shared one":          {signed(t, jwt.SigningMethodHS256, keys.shared, "shared"), nil},
		"the server's own":      {signed(t, jwt.SigningMethodHS256, own, ""), nil},
		"the own, with a name":  {signed(t, jwt.SigningMethodHS256, own, "whatever"), nil},
		"another's name":        {signed(t, jwt.SigningMethodES256, keys.p256, "rsa"), claims.ErrSignature},
		"an unknown key":        {signed(t, jwt.SigningMethodRS256, keys.otherRSA, "rsa"), claims.ErrSignature},
		"a public as a secret":  {signed(t, jwt.SigningMethodHS256, public, "rsa"), claims.ErrSignature},
		"an algorithm not used": {signed(t, jwt.SigningMethodHS512, own, ""), claims.ErrSignature},
	} {
		if who, err := v.Verify(test.token); !errors.Is(err, test.want) || test.want == nil && (err != nil || who.Role != "author") {
			t.Errorf("%s: %+v, %v, want %v", name, who, err, test.want)
		}
	}
}

func TestKeySetChoosesTheKey(t *testing.T) {
	t.Parallel()
	keys := makeKeys(t)
	one, two := asJWK(t, keys.rsa, map[string]string{"kid": "one"}), asJWK(t, keys.otherRSA, map[string]string{"kid": "two"})
	asText := string(keys.p256.X.Bytes())
	secret, err := claims.ParseKeySet(keys.shared)
	if err != nil {
		t.Fatal(err)
	}
	valid := signed(t, jwt.SigningMethodHS256, keys.shared, "")
	last := len(valid) - 1
	for name, test := range map[string]struct {
		set   *claims.KeySet
		token string
		want  error
	}{
		"the key that is named":             {keySet(t, one, two), signed(t, jwt.SigningMethodRS256, keys.otherRSA, "two"), nil},
		"any key where none is named":       {keySet(t, one, two), signed(t, jwt.SigningMethodRS256, keys.otherRSA, ""), nil},
		"another key than is named":         {keySet(t, one, two), signed(t, jwt.SigningMethodRS256, keys.otherRSA, "one"), claims.ErrSignature},
		"a name that is not in the set":     {keySet(t, one, two), signed(t, jwt.SigningMethodRS256, keys.rsa, "three"), claims.ErrNoKeyFor},
		"a key for another algorithm":       {keySet(t, asJWK(t, keys.rsa, map[string]string{"alg": "RS512"})), signed(t, jwt.SigningMethodRS256, keys.rsa, ""), claims.ErrNoKeyFor},
		"a key for encryption":              {keySet(t, asJWK(t, keys.rsa, map[string]string{"use": "enc"})), signed(t, jwt.SigningMethodRS256, keys.rsa, ""), claims.ErrNoKeyFor},
		"a public key as a shared secret":   {keySet(t, asJWK(t, keys.p256, nil)), signed(t, jwt.SigningMethodHS256, []byte(asText), ""), claims.ErrNoKeyFor},
		"a curve of another size":           {keySet(t, asJWK(t, keys.p384, nil)), signed(t, jwt.SigningMethodES256, keys.p256, ""), claims.ErrNoKeyFor},
		"a shared secret":                   {secret, valid, nil},
		"a shared secret, a longer hash":    {secret, signed(t, jwt.SigningMethodHS512, keys.shared, ""), claims.ErrNoKeyFor},
		"no signature":                      {secret, signed(t, jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, ""), claims.ErrUnsigned},
		"no token":                          {secret, "one.two", claims.ErrMalformed},
		"a header that is no JSON":          {secret, "e30x.e30.e30", claims.ErrMalformed},
		"an algorithm that does not exist":  {secret, b64([]byte(`{"alg":"XY"}`)) + ".e30.e30", claims.ErrNoKeyFor},
		"a signature that is not base64url": {secret, b64([]byte(`{"alg":"HS256"}`)) + ".e30.*", claims.ErrMalformed},
		"a signature with a line break":     {secret, valid[:last] + "\n" + valid[last:], claims.ErrMalformed},
		"a signature with padding":          {secret, valid + "=", claims.ErrMalformed},
		// The last character of a signature of 32 bytes has two unused bits.
		"a signature with an unused bit": {secret, valid[:last] + string(valid[last]+1), claims.ErrMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if payload, err := test.set.Verify(test.token); !errors.Is(err, test.want) {
				t.Errorf("%s, %v; want %v", payload, err, test.want)
			}
		})
	}
}

func TestInvalidKeySetsAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "short", `{"kty":"oct"}`, `{"kty":"oct","k":"*"}`, `{"kty":"RSA","e":"AQAB","n":""}`, `{"kty":"RSA","n":"AQAB"}`,
		`{"kty":"EC","crv":"P-1"}`, `{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}`, `{"kty":"OKP","crv":"Ed25519","x":"AQ"}`, `{"keys":[{"kty":"oct"}]}`,
	} {
		if _, err := claims.ParseKeySet([]byte(text)); err == nil {
			t.Errorf("%s was accepted", text)
		}
	}
	if _, err := claims.ParseKeySet([]byte(`{"a secret may look like this": 1}`)); err != nil {
		t.Errorf("a secret in braces: %v", err)
	}
}

// FuzzKeySet checks that no key set and no token causes a panic.
func FuzzKeySet(f *testing.F) {
	f.Add(`{"kty":"oct","k":"AAAA"}`, "eyJhbGciOiJIUzI1NiJ9.e30.AA")
	f.Add(`{"keys":[{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}]}`, "eyJhbGciOiJFUzI1NiJ9.e30.AA")
	f.Add("a-secret-of-tests-with-32-characters", "a.b.c")
	f.Fuzz(func(_ *testing.T, keys, token string) {
		if set, err := claims.ParseKeySet([]byte(keys)); err == nil {
			_, _ = set.Verify(token)
		}
	})
}
