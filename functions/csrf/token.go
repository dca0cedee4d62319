// Package csrf makes and checks tokens that bind a form to a session (FN-04 to
// FN-06). What protects calls is that they carry a bearer token and no cookies;
// a token of this package is accepted only where the server made it (S-25).
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

// lifetime is how long a token is good (S-25).
const lifetime = 30 * time.Minute

// A token is the moment it ends (8 bytes, seconds since 1970), 16 random bytes
// and an HMAC-SHA256 over both and the session, in URL-safe base64.
const (
	endBytes   = 8
	nonceBytes = 16
	tokenBytes = endBytes + nonceBytes + sha256.Size
)

var encoding = base64.RawURLEncoding.Strict()

// binding is what a token is good for: the session the client names, within the
// caller's own.
type binding struct {
	who     claims.Caller
	session string
}

func (b binding) sign(key, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(body)
	for _, part := range []string{b.who.Subject, b.who.SessionID, b.session} {
		// With its length, so that no two bindings read alike.
		mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		mac.Write([]byte(part))
	}
	return mac.Sum(nil)
}

// newToken makes a token that is good until lifetime has passed.
func newToken(key []byte, b binding, now time.Time) string {
	body := binary.BigEndian.AppendUint64(make([]byte, 0, tokenBytes), uint64(now.Add(lifetime).Unix())) // after 1970
	body = body[:endBytes+nonceBytes]
	rand.Read(body[endBytes:])
	return encoding.EncodeToString(append(body, b.sign(key, body)...))
}

// valid reports whether the server made the token for this binding and it has not
// ended.
func valid(key []byte, b binding, token string, now time.Time) bool {
	if len(token) != encoding.EncodedLen(tokenBytes) {
		return false
	}
	raw, err := encoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return false
	}
	body, mac := raw[:endBytes+nonceBytes], raw[endBytes+nonceBytes:]
	if !hmac.Equal(mac, b.sign(key, body)) {
		return false
	}
	return uint64(now.Unix()) < binary.BigEndian.Uint64(body) // after 1970
}
