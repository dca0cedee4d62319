package notices

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

var encoding = base64.RawURLEncoding.Strict()

// newToken returns a token that unsubscribes one user from mails of one kind and allows
// nothing else. It does not expire, as mails are kept for years.
//
// Its format is kind.user.signature, so that the client can show the kind.
func newToken(key []byte, user, kind string) string {
	signed := kind + "." + user
	return signed + "." + encoding.EncodeToString(sign(key, signed))
}

// readToken returns the user and the kind of mail that a token unsubscribes. ok is false if
// the server did not create the token.
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
