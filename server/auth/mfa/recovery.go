package mfa

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// RecoveryCodes is the number of codes in a set.
const RecoveryCodes = 10

// A recovery code has 8 characters. Characters that are easily confused (I, L, O, 0, 1) are
// excluded.
const (
	recoveryLength   = 8
	recoveryAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
)

// NewRecoveryCodes returns a new set of codes and the key for their hashes.
func NewRecoveryCodes() (codes []string, key []byte) {
	key = make([]byte, sha256.Size)
	rand.Read(key)
	for len(codes) < RecoveryCodes {
		codes = append(codes, newRecoveryCode())
	}
	return codes, key
}

func newRecoveryCode() string {
	const size = len(recoveryAlphabet)
	code := make([]byte, 0, recoveryLength)
	for len(code) < recoveryLength {
		var random [1]byte
		rand.Read(random[:])
		if int(random[0]) < 256/size*size { // rejection sampling: a plain modulo would favor the first characters
			code = append(code, recoveryAlphabet[int(random[0])%size])
		}
	}
	return string(code)
}

// RecoveryHash returns the stored hash of a code. It ignores case, spaces and hyphens. The
// hash is keyed, because an attacker could quickly try all codes (40 bits) against an unkeyed
// hash. A slow hash would have to be computed ten times per attempt.
func RecoveryHash(key []byte, code string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToUpper(strings.Join(strings.FieldsFunc(code, func(char rune) bool {
		return char == ' ' || char == '-' || char == '\t' || char == '\n' || char == '\r'
	}), ""))))
	return hex.EncodeToString(mac.Sum(nil))
}
