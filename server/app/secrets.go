package app

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
)

// secretsFile is in the data folder and readable only by its owner.
const secretsFile = "secrets.json"

// Secrets holds the secrets of a project. They are generated at the first start with
// a data folder.
type Secrets struct {
	JWTSecret        string      `json:"jwt_secret"`
	PostgresPassword string      `json:"postgres_password"`
	Keys             claims.Keys `json:"keys"`
}

// LoadSecrets reads the data folder's secrets, or generates and stores them. Values in
// the environment take precedence.
func LoadSecrets(cfg config.Config, now time.Time) (Secrets, error) {
	path := filepath.Join(cfg.DataDir, secretsFile)
	secrets, err := readSecrets(path)
	if errors.Is(err, fs.ErrNotExist) {
		if secrets, err = newSecrets(now); err == nil {
			err = writeSecrets(path, secrets)
		}
	}
	if err != nil {
		return Secrets{}, err
	}
	if given := cfg.JWTSecret.Reveal(); given != "" && given != secrets.JWTSecret {
		secrets.JWTSecret = given
		made, err := claims.NewKeys(claims.NewVerifier([]byte(given), time.Now), now)
		if err != nil {
			return Secrets{}, err
		}
		secrets.Keys.Anon, secrets.Keys.Service = made.Anon, made.Service
	}
	if cfg.AnonKey != "" {
		secrets.Keys.Anon = cfg.AnonKey
	}
	if key := cfg.ServiceRoleKey.Reveal(); key != "" {
		secrets.Keys.Service = key
	}
	return secrets, nil
}

func newSecrets(now time.Time) (Secrets, error) {
	secrets := Secrets{JWTSecret: claims.NewSecret(), PostgresPassword: claims.NewSecret()}
	keys, err := claims.NewKeys(claims.NewVerifier([]byte(secrets.JWTSecret), time.Now), now)
	secrets.Keys = keys
	return secrets, err
}

func readSecrets(path string) (Secrets, error) {
	var secrets Secrets
	text, err := os.ReadFile(path)
	if err != nil {
		return secrets, err
	}
	if err := json.Unmarshal(text, &secrets); err != nil {
		return secrets, fmt.Errorf("%s is damaged: restore it from a backup, or remove it to make new keys: %w", path, err)
	}
	return secrets, nil
}

// writeSecrets replaces the file atomically.
func writeSecrets(path string, secrets Secrets) error {
	text, err := json.MarshalIndent(secrets, "", "  ")
	if err != nil {
		return err
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep the project's secrets: %w", err)
	}
	return os.Rename(fresh, path)
}

// RotateKeys generates new opaque keys and new anon and service_role tokens. The
// signing secret does not change, so older tokens remain valid until they expire.
func RotateKeys(cfg config.Config, now time.Time) (Secrets, error) {
	secrets, err := LoadSecrets(cfg, now)
	if err != nil {
		return Secrets{}, err
	}
	secrets.Keys, err = claims.NewKeys(claims.NewVerifier([]byte(secrets.JWTSecret), time.Now), now)
	if err != nil {
		return Secrets{}, err
	}
	return secrets, writeSecrets(filepath.Join(cfg.DataDir, secretsFile), secrets)
}

// authenticatorPassword is derived from the signing secret, so that all servers of a
// project know it without sharing a file.
func (s Secrets) authenticatorPassword() string {
	return hex.EncodeToString(s.derive("authenticator")[:20])
}

// derive derives a key of 32 bytes for a purpose from the signing secret.
func (s Secrets) derive(purpose string) []byte {
	mac := hmac.New(sha256.New, []byte(s.JWTSecret))
	mac.Write([]byte("plaza/" + purpose))
	return mac.Sum(nil)
}
