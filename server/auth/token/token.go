// Package token generates and verifies secrets that are not JSON Web Tokens: refresh tokens, mailed
// codes and links, and PKCE challenges.
package token

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"math/big"
	"strings"
)

// PKCEPrefix marks a link that yields a code to exchange instead of tokens.
const PKCEPrefix = "pkce_"

// refreshLength is the length of a refresh token, in base32 characters: 60 bits. Source:
// supabase/auth, old format.
const refreshLength = 12

// linkBytes is the length of a link's secret. In hex it looks like upstream's, a SHA-224.
const linkBytes = 28

// Refresh returns a new refresh token of 12 lower-case characters.
func Refresh() string {
	var random [8]byte
	rand.Read(random[:])
	return strings.ToLower(base32.StdEncoding.EncodeToString(random[:]))[:refreshLength]
}

// Code returns a random code with a number of digits.
func Code(digits int) string {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	number, err := rand.Int(rand.Reader, limit)
	if err != nil {
		panic("token: no randomness: " + err.Error())
	}
	text := number.String()
	return strings.Repeat("0", digits-len(text)) + text
}

// CodeHash returns the stored hash of a code sent to an address.
// Source: supabase/auth stores the SHA-224 of both in hex.
func CodeHash(address, code string) string { return hash(address + code) }

// Link returns a new secret of a mailed link.
func Link() string {
	var random [linkBytes]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

// LinkHash returns the stored hash of a link's secret, with or without PKCEPrefix.
func LinkHash(secret string) string { return hash(secret) }

func hash(text string) string {
	sum := sha256.Sum224([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Equal reports whether two secrets are equal, in constant time.
func Equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// Methods of a PKCE challenge.
const (
	S256  = "s256"
	Plain = "plain"
)

// Limits of a challenge. Source: RFC 7636, section 4.2.
const (
	minChallenge = 43
	maxChallenge = 128
)

// ValidChallenge reports whether text is a valid challenge: 43 to 128 unreserved characters.
func ValidChallenge(text string) bool {
	if len(text) < minChallenge || len(text) > maxChallenge {
		return false
	}
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~") == ""
}

// VerifyChallenge reports whether the challenge was made from verifier.
func VerifyChallenge(challenge, method, verifier string) bool {
	if method == S256 {
		sum := sha256.Sum256([]byte(verifier))
		verifier = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return verifier != "" && Equal(challenge, verifier)
}
