package mfa

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// RecoveryCodes is how many codes a set has.
const RecoveryCodes = 10

// A recovery code has 8 characters, none of which looks like another: no I, L
// or O, no 0 or 1.
const (
	recoveryLength   = 8
	recoveryAlphabet = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
)

// NewRecoveryCodes makes a set of codes, and the key for their hashes.
func NewRecoveryCodes() (codes []string, key []byte) {
	key = make([]byte, sha256.Size)
	rand.Read(key)
	for len(codes) < RecoveryCodes {
		codes = append(codes, recoveryCode())
	}
	return codes, key
}

func recoveryCode() string {
	const size = len(recoveryAlphabet)
	code := make([]byte, 0, recoveryLength)
	for len(code) < recoveryLength {
		var random [1]byte
		rand.Read(random[:])
		if int(random[0]) < 256/size*size { // else the first characters would be likelier
			code = append(code, recoveryAlphabet[int(random[0])%size])
		}
	}
	return string(code)
}

// RecoveryHash is what is stored of a code. Case, spaces and hyphens do not
// matter. It has a key, as a set of all codes (40 bits) is soon tried against a
// hash without one; a slow hash instead would cost each attempt ten of them.
func RecoveryHash(key []byte, code string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(strings.ToUpper(strings.Join(strings.FieldsFunc(code, func(char rune) bool {
		return char == ' ' || char == '-' || char == '\t' || char == '\n' || char == '\r'
	}), ""))))
	return hex.EncodeToString(mac.Sum(nil))
}
