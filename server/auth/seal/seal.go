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

// version begins each sealed text: how it is sealed.
const version = "s1"

// Reasons a sealed text is not opened.
var (
	ErrUnknownKey = errors.New("sealed with a key that is not known here")
	ErrDamaged    = errors.New("sealed text is damaged, or of another place")
)

// Box seals with one key and opens with several, so that a key can be replaced.
type Box struct {
	current string
	keys    map[string]cipher.AEAD
}

// New makes a box of keys by name. current names the one that seals.
//
// Errors: current is not among the keys; a key of another size.
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

// Derive makes a key of another secret, for servers that are told no key.
func Derive(secret []byte) []byte {
	key, err := hkdf.Key(sha256.New, secret, nil, "plaza/seal", KeySize)
	if err != nil {
		panic("seal: a key of this size always derives: " + err.Error())
	}
	return key
}

// Seal encrypts a secret. about says where it will stand, such as a table's name
// and a row's id; only there it opens.
func (b *Box) Seal(plain []byte, about string) string {
	aead := b.keys[b.current]
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	sealed := aead.Seal(nonce, nonce, plain, []byte(about))
	return version + "." + b.current + "." + base64.RawURLEncoding.EncodeToString(sealed)
}

// IsSealed reports whether a text looks as one that Seal made.
func IsSealed(text string) bool { return strings.HasPrefix(text, version+".") }

// Open decrypts what Seal made for the same place. Errors: ErrUnknownKey,
// ErrDamaged.
func (b *Box) Open(sealed, about string) ([]byte, error) {
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
	plain, err := aead.Open(nil, raw[:aead.NonceSize()], raw[aead.NonceSize():], []byte(about))
	if err != nil {
		return nil, ErrDamaged
	}
	return plain, nil
}
