// Package token makes and checks the secrets of the auth server that are not
// JSON Web Tokens: refresh tokens, mailed codes and links, PKCE challenges.
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

// PKCEPrefix marks a link whose visitor gets a code to exchange instead of tokens.
const PKCEPrefix = "pkce_"

// refreshLength gives a refresh token 60 bits. Source: supabase/auth, old form.
const refreshLength = 12

// linkBytes gives a link's secret the look of upstream's, a SHA-224 in hex.
const linkBytes = 28

// Refresh makes a refresh token: 12 lower-case characters.
func Refresh() string {
	var random [8]byte
	rand.Read(random[:])
	return strings.ToLower(base32.StdEncoding.EncodeToString(random[:]))[:refreshLength]
}

// Code makes a code of so many digits for a person to type.
func Code(digits int) string {
	limit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil)
	number, err := rand.Int(rand.Reader, limit)
	if err != nil {
		panic("token: the system has no randomness: " + err.Error())
	}
	text := number.String()
	return strings.Repeat("0", digits-len(text)) + text
}

// CodeHash is what is stored of a code sent to an address.
// Source: supabase/auth keeps the SHA-224 of both in hex.
func CodeHash(address, code string) string { return hash(address + code) }

// Link makes the secret of a mailed link.
func Link() string {
	var random [linkBytes]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
}

// LinkHash is what is stored of a link's secret, with or without PKCEPrefix.
func LinkHash(secret string) string { return hash(secret) }

func hash(text string) string {
	sum := sha256.Sum224([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Same compares two secrets in constant time.
func Same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

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

// ValidChallenge reports whether text may be a challenge: 43 to 128 unreserved
// characters.
func ValidChallenge(text string) bool {
	if len(text) < minChallenge || len(text) > maxChallenge {
		return false
	}
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~") == ""
}

// Verifies reports whether verifier is what the challenge was made of.
func Verifies(challenge, method, verifier string) bool {
	if method == S256 {
		sum := sha256.Sum256([]byte(verifier))
		verifier = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	return verifier != "" && Same(challenge, verifier)
}
