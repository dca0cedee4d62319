package token

import (
	"regexp"
	"strings"
	"testing"
)

func TestTokenFormats(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		for name, made := range map[string]struct{ text, form string }{
			"refresh": {Refresh(), `^[a-z2-7]{12}$`}, "code": {Code(6), `^[0-9]{6}$`}, "long code": {Code(10), `^[0-9]{10}$`}, "link": {Link(), `^[0-9a-f]{56}$`},
		} {
			if !regexp.MustCompile(made.form).MatchString(made.text) {
				t.Fatalf("%s %q has not the form %s", name, made.text, made.form)
			}
			if name != "code" && seen[made.text] {
				t.Fatalf("%s %q came twice", name, made.text)
			}
			seen[made.text] = true
		}
	}
}

// The stored format is upstream's, so pending codes stay valid after a migration.
func TestCodeHash(t *testing.T) {
	t.Parallel()
	// printf 'ana@plaza.test123456' | sha224sum
	const want = "128c7ddf7ca50881ce571d7908dbd6985c63d312091a90b66d1916d5"
	if got := CodeHash("ana@plaza.test", "123456"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestChallenge(t *testing.T) {
	t.Parallel()
	// The example of RFC 7636, appendix B.
	const verifier, challenge = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	tests := []struct {
		name                        string
		challenge, method, verifier string
		want                        bool
	}{
		{"s256", challenge, S256, verifier, true},
		{"s256, wrong", challenge, S256, verifier + "x", false},
		{"s256, the challenge itself", challenge, S256, challenge, false},
		{"plain", verifier, Plain, verifier, true},
		{"plain, wrong", verifier, Plain, challenge, false},
		{"nothing", "", Plain, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := VerifyChallenge(tt.challenge, tt.method, tt.verifier); got != tt.want {
				t.Errorf("got %v", got)
			}
		})
	}
	for text, want := range map[string]bool{
		challenge: true, challenge[1:]: false, strings.Repeat("a", 128): true, strings.Repeat("a", 129): false, challenge[1:] + "=": false, challenge[1:] + "é": false,
	} {
		if got := ValidChallenge(text); got != want {
			t.Errorf("ValidChallenge(%q) = %v", text, got)
		}
	}
}
