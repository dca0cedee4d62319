package settings

import (
	"encoding/base64"
	"fmt"
	"strings"

	"plaza/server/auth/seal"
	"plaza/server/secret"
)

// Encryption has the keys of secrets that are stored encrypted in the database. Keys are 32 bytes
// in base64url. Without a key, one is derived from JWT_SECRET.
type Encryption struct {
	KeyID   string            `env:"ENCRYPTION_KEY_ID"`
	Key     secret.Text       `env:"ENCRYPTION_KEY"`
	OldKeys map[string]string `env:"DECRYPTION_KEYS"` // id:key,…: keys that only decrypt
}

// derivedKey is the id of the key that is derived from the signing secret.
const derivedKey = "default"

// Box returns a box with the configured keys and the key derived from secret. The derived key seals
// if no key is configured.
func (e Encryption) Box(secret []byte) (*seal.Box, error) {
	current := derivedKey
	keys := map[string][]byte{derivedKey: seal.Derive(secret)}
	read := func(variable, id, text string) error {
		key, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
		if err != nil || len(key) != seal.KeySize || id == "" || strings.Contains(id, ".") {
			return fmt.Errorf("GOTRUE_SECURITY_DB_ENCRYPTION_%s: a key needs an id without a dot and %d bytes in base64url", variable, seal.KeySize)
		}
		keys[id] = key
		return nil
	}
	for id, text := range e.OldKeys {
		if err := read("DECRYPTION_KEYS", id, text); err != nil {
			return nil, err
		}
	}
	if text := e.Key.Reveal(); text != "" {
		if err := read("ENCRYPTION_KEY", e.KeyID, text); err != nil {
			return nil, err
		}
		current = e.KeyID
	}
	return seal.New(current, keys)
}
