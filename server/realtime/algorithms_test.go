package realtime_test

import (
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"plaza/server/claims"
)

// Tokens are signed with the secret, also by HS384 and HS512, which the data API and auth refuse, or with the
// key pair that their kid names. A token that is signed with the public key as a secret is refused.
func TestTokenAlgorithms(t *testing.T) {
	t.Parallel()
	a := start(t, "", nil)
	key, err := claims.NewSigningKey("RS256", startTime.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	mine, err := claims.NewSigningKey("RS256", startTime.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := claims.NewRing([]claims.SigningKey{key})
	if err != nil {
		t.Fatal(err)
	}
	a.auth.Verifier.SetRing(ring)
	der, err := x509.MarshalPKIXPublicKey(key.Private.Public())
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.MarshalPublic()
	if err != nil {
		t.Fatal(err)
	}
	asPEM := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	sign := func(method jwt.SigningMethod, id string, with any) string {
		token := jwt.NewWithClaims(method, jwt.MapClaims{"role": "service_role", "exp": startTime.Add(time.Hour).Unix()})
		if id != "" {
			token.Header["kid"] = id
		}
		signed, err := token.SignedString(with)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	const signature, signer = "Failed to validate JWT signature", "Failed to generate JWT signer, check your JWT secret or JWKS"
	tests := map[string]struct{ token, refusal string }{
		"HS256":                 {sign(jwt.SigningMethodHS256, "", []byte(secret)), ""},
		"HS256, an unknown key": {sign(jwt.SigningMethodHS256, "unknown", []byte(secret)), ""},
		"HS384":                 {sign(jwt.SigningMethodHS384, "", []byte(secret)), ""},
		"HS512":                 {sign(jwt.SigningMethodHS512, "", []byte(secret)), ""},
		"RS256":                 {sign(jwt.SigningMethodRS256, key.ID, key.Private), ""},
		"RS256 without a name":  {sign(jwt.SigningMethodRS256, "", key.Private), signer},
		"RS256 by another key":  {sign(jwt.SigningMethodRS256, key.ID, mine.Private), signature},
		"RS512 by the key":      {sign(jwt.SigningMethodRS512, key.ID, key.Private), signer},
		"PS256 by the key":      {sign(jwt.SigningMethodPS256, key.ID, key.Private), signer},
		"none":                  {sign(jwt.SigningMethodNone, "", jwt.UnsafeAllowNoneSignatureType), signer},
		"none, with a name":     {sign(jwt.SigningMethodNone, key.ID, jwt.UnsafeAllowNoneSignatureType), signer},
	}
	for form, with := range map[string][]byte{"PEM": asPEM, "DER": der, "JWK": public, "nothing": {}} {
		for _, id := range []string{"", key.ID} {
			tests["HS256 by "+form+" "+id] = struct{ token, refusal string }{sign(jwt.SigningMethodHS256, id, with), signature}
			tests["HS512 by "+form+" "+id] = struct{ token, refusal string }{sign(jwt.SigningMethodHS512, id, with), signature}
		}
	}
	for name, test := range tests {
		status, body := a.handshake(t, url.Values{"apikey": {test.token}}, "")
		want, wantBody := http.StatusUnauthorized, `{"error":"`+test.refusal+`"}`
		if test.refusal == "" {
			want, wantBody = http.StatusBadRequest, body // only the headers for a WebSocket are missing
		}
		if status != want || body != wantBody {
			t.Errorf("%s: %d %s, want %d %s", name, status, body, want, wantBody)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Authorization", "Bearer "+test.token)
		isElsewhere := test.refusal == "" && name != "HS384" && name != "HS512"
		if _, ok, err := a.auth.Bearer(r); ok != isElsewhere {
			t.Errorf("%s: elsewhere accepted: %t, %v", name, ok, err)
		}
	}
}
