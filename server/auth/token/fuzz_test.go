package token_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"plaza/server/auth/token"
)

// FuzzPKCE checks that a challenge only accepts the verifier from which it was made.
func FuzzPKCE(f *testing.F) {
	const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk" // RFC 7636, appendix B
	f.Add("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "s256", verifier)
	f.Add(verifier, "plain", verifier)
	f.Add("", "s256", "")
	f.Add("", "plain", "")
	f.Add(strings.Repeat("a", 43), "S256", "x")
	f.Add("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM=", "s256", verifier)
	f.Fuzz(func(t *testing.T, challenge, method, given string) {
		valid := token.ValidChallenge(challenge)
		if valid && (len(challenge) < 43 || len(challenge) > 128 || strings.ContainsAny(challenge, "=+/ \x00")) {
			t.Errorf("challenge %q is valid", challenge)
		}
		sum := sha256.Sum256([]byte(given))
		want := challenge == given
		if method == token.S256 {
			want = challenge == base64.RawURLEncoding.EncodeToString(sum[:])
		}
		if got := token.VerifyChallenge(challenge, method, given); got != (want && given != "") {
			t.Errorf("%q meets %q (%s): %v", given, challenge, method, got)
		}
	})
}
