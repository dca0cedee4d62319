// Package csrf creates and validates tokens that bind a form to a session (FN-04 to
// FN-06). API calls are protected from CSRF because they carry a bearer token and no
// cookies. A token of this package is accepted only if the server created it (S-25).
package csrf

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"plaza/server/claims"
)

// lifetime is how long a token is valid (S-25).
const lifetime = 30 * time.Minute

// A token is its expiry time (8 bytes, seconds since 1970), 16 random bytes and an
// HMAC-SHA256 over both and the binding, in URL-safe base64.
const (
	expiryBytes = 8
	nonceBytes  = 16
	tokenBytes  = expiryBytes + nonceBytes + sha256.Size
)

var encoding = base64.RawURLEncoding.Strict()

// binding is what a token is bound to: the caller, the caller's session, and the session
// id that the client names.
type binding struct {
	who     claims.Caller
	session string
}

func (b binding) sign(key, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	for _, part := range []string{b.who.Subject, b.who.SessionID, b.session} {
		// The length prefix makes the encoding unambiguous.
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// newToken returns a token that expires after lifetime.
func newToken(key []byte, b binding, now time.Time) string {
	body := binary.BigEndian.AppendUint64(make([]byte, 0, tokenBytes), uint64(now.Add(lifetime).Unix())) // after 1970
	body = body[:expiryBytes+nonceBytes]
	rand.Read(body[expiryBytes:])
	return encoding.EncodeToString(append(body, b.sign(key, body)...))
}

// isValid reports whether the server created the token for this binding and it has not
// expired.
func isValid(key []byte, b binding, token string, now time.Time) bool {
	if len(token) != encoding.EncodedLen(tokenBytes) {
		return false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return false
	}
	body, mac := raw[:expiryBytes+nonceBytes], raw[expiryBytes+nonceBytes:]
	if !hmac.Equal(mac, b.sign(key, body)) {
		return false
	}
	return uint64(now.Unix()) < binary.BigEndian.Uint64(body) // after 1970
}
