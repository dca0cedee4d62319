package settings

import (
	"encoding/base64"
	"fmt"
	"strings"

	"plaza/server/auth/seal"
	"plaza/server/secret"
)

// Encryption is the key of the secrets that the database holds encrypted. Keys
// are 32 bytes in base64url. Without one, a key follows from JWT_SECRET.
type Encryption struct {
	KeyID   string            `env:"ENCRYPTION_KEY_ID"`
	Key     secret.Text       `env:"ENCRYPTION_KEY"`
	OldKeys map[string]string `env:"DECRYPTION_KEYS"` // id:key,…: keys that still open
}

// derivedKey is the name of the key that follows from the signing secret.
const derivedKey = "default"

// Box makes the box of the configured keys, with the one that follows from
// secret, which also seals where none is configured.
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
