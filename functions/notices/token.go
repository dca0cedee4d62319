package notices

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

var encoding = base64.RawURLEncoding.Strict()

// newToken lets its bearer end one user's mails of a kind, and do nothing else. It
// does not expire, as mails are kept for years.
//
// It reads kind.user.signature, so that the client can tell what it ends.
func newToken(key []byte, user, kind string) string {
	signed := kind + "." + user
	return signed + "." + encoding.EncodeToString(sign(key, signed))
}

// readToken reports whose mails of which kind a token ends; ok is false for one
// that the server has not made.
func readToken(key []byte, token string) (user, kind string, ok bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return "", "", false
	}
	kind, user = parts[0], parts[1]
	given, err := encoding.DecodeString(parts[2])
	return user, kind, err == nil && hmac.Equal(given, sign(key, kind+"."+user))
}

func sign(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
