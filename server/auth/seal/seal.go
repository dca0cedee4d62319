// Package seal encrypts the few secrets that the auth server must read again,
// such as those of authenticator apps, with a key that is not in the database.
package seal

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// KeySize is the length of a key in bytes: AES-256.
const KeySize = 32

// version is the prefix of sealed texts. It identifies the format.
const version = "s1"

// Errors of Open.
var (
	ErrUnknownKey = errors.New("sealed with an unknown key")
	ErrDamaged    = errors.New("sealed text is damaged or was sealed for another place")
)

// Box seals with one key and opens with several, so that a key can be replaced.
type Box struct {
	current string
	keys    map[string]cipher.AEAD
}

// New returns a Box with keys by name. current is the name of the key that seals.
//
// Errors: current is not among the keys; a key has the wrong size.
func New(current string, keys map[string][]byte) (*Box, error) {
	b := &Box{current: current, keys: make(map[string]cipher.AEAD, len(keys))}
	for name, key := range keys {
		if len(key) != KeySize {
			return nil, fmt.Errorf("sealing key %q has %d bytes: use %d", name, len(key), KeySize)
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		if b.keys[name], err = cipher.NewGCM(block); err != nil {
			return nil, err
		}
	}
	if _, ok := b.keys[current]; !ok {
		return nil, fmt.Errorf("sealing key %q is not among the keys", current)
	}
	return b, nil
}

// Derive derives a key from another secret, for servers without a configured key.
func Derive(secret []byte) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "plaza/seal", KeySize)
	if err != nil {
		panic("seal: cannot derive key: " + err.Error())
	}
	return key
}

// Seal encrypts a secret. aad is additional data that binds it to a place, such as a table's
// name and a row's id. Open needs the same aad.
func (b *Box) Seal(plain []byte, aad string) string {
	aead := b.keys[b.current]
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, plain, []byte(aad))
	return version + "." + b.current + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// IsSealed reports whether a text has the format of Seal.
func IsSealed(text string) bool { return strings.HasPrefix(text, version+".") }

// Open decrypts a text that Seal encrypted with the same aad. Errors: ErrUnknownKey, ErrDamaged.
func (b *Box) Open(sealed, aad string) ([]byte, error) {
	name, text, ok := strings.Cut(strings.TrimPrefix(sealed, version+"."), ".")
	if !ok || !IsSealed(sealed) {
		return nil, ErrDamaged
	}
	aead, ok := b.keys[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrUnknownKey, name)
	}
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(raw) < aead.NonceSize() {
		return nil, ErrDamaged
	}
	plain, err := aead.Open(nil, raw[:aead.NonceSize()], raw[aead.NonceSize():], []byte(aad))
	if err != nil {
		return nil, ErrDamaged
	}
	return plain, nil
}
