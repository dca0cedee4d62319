package app

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
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
	"plaza/server/pg/embedded"
)

// secretsFile is in the data folder and readable only by its owner.
const secretsFile = "secrets.json"

// Secrets holds the secrets of a project. They are created at the first start with
// a data folder.
type Secrets struct {
	JWTSecret        string      `json:"jwt_secret"`
	PostgresPassword string      `json:"postgres_password"`
	AdminPassword    string      `json:"admin_password,omitempty"` // of the superuser, in data folders that have supabase_admin
	Keys             claims.Keys `json:"keys"`
	SealSecret       string      `json:"seal_secret,omitempty"` // see sealSecret; empty: JWTSecret
	VaultKey         string      `json:"vault_key,omitempty"`   // of vault.secrets, in hexadecimal
}

// localSecrets are those of every local stack of the Supabase CLI. Projects have them in their
// .env files and tests.
// Source: the CLI's pkg/config/apikeys.go; the tokens have iss supabase-demo and expire in 2032.
var localSecrets = Secrets{
	JWTSecret:        config.LocalJWTSecret,
	PostgresPassword: "postgres",
	AdminPassword:    "postgres",
	Keys: claims.Keys{
		Anon:        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6ImFub24iLCJleHAiOjE5ODM4MTI5OTZ9.CRXP1A7WOeoJeXxjNni43kdQwgnWNReilDMblYTn_I0",
		Service:     "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJzdXBhYmFzZS1kZW1vIiwicm9sZSI6InNlcnZpY2Vfcm9sZSIsImV4cCI6MTk4MzgxMjk5Nn0.EGIM96RAZx35lJzdJsyH-qQwv8Hdp7fsn3W0YpN81IU",
		Publishable: "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH",
		Secret:      "sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz",
	},
}

// areKnown reports whether any of the secrets is one of every local stack.
func (s Secrets) areKnown() bool {
	return config.IsKnownSecret(s.JWTSecret) || s.PostgresPassword == localSecrets.PostgresPassword || s.Keys.Secret == localSecrets.Keys.Secret
}

// usesLocalSecrets reports whether a new project gets the secrets of every local stack: in
// development, where only this machine reaches the server.
func usesLocalSecrets(cfg config.Config) bool {
	return cfg.Secrets == config.LocalSecrets && cfg.Env == config.Development && isLoopback(cfg.Host)
}

// LoadSecrets reads the data folder's secrets, or creates and stores them. Values in
// the environment take precedence.
//
// Errors: the data folder has the secrets of every local stack, and cfg does not allow them.
func LoadSecrets(cfg config.Config, now time.Time) (Secrets, error) {
	path := filepath.Join(cfg.DataDir, secretsFile)
	secrets, err := readSecrets(path)
	if errors.Is(err, fs.ErrNotExist) {
		if secrets, err = newSecrets(cfg, now); err == nil {
			err = makeDataDir(cfg)
		}
		if err == nil {
			err = writeSecrets(path, secrets)
		}
	}
	if err != nil {
		return Secrets{}, err
	}
	if secrets.areKnown() && !usesLocalSecrets(cfg) {
		return Secrets{}, fmt.Errorf("%s has the well-known secrets of development: run `plaza keys randomize`, after which everybody signs in again, or choose a new data folder with PLAZA_DATA_DIR", path)
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

func newSecrets(cfg config.Config, now time.Time) (Secrets, error) {
	if usesLocalSecrets(cfg) {
		secrets := localSecrets
		secrets.SealSecret = claims.NewSecret()
		return secrets, nil
	}
	return randomSecrets(now)
}

func randomSecrets(now time.Time) (Secrets, error) {
	secrets := Secrets{JWTSecret: claims.NewSecret(), PostgresPassword: claims.NewSecret(), AdminPassword: claims.NewSecret()}
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
		return secrets, fmt.Errorf("%s is damaged: restore it from a backup, or remove it to create new keys: %w", path, err)
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
		return fmt.Errorf("write the project's secrets: %w", err)
	}
	return os.Rename(fresh, path)
}

// addSecret changes the secrets in the data folder. Values from the environment are not written there.
func addSecret(cfg config.Config, add func(*Secrets)) error {
	path := filepath.Join(cfg.DataDir, secretsFile)
	secrets, err := readSecrets(path)
	if err != nil {
		return err
	}
	add(&secrets)
	return writeSecrets(path, secrets)
}

// RotateKeys generates new opaque keys and new anon and service_role tokens. The
// signing secret does not change, so older tokens remain valid until they expire.
// As with LoadSecrets, values in the environment take precedence in the result; they are not stored.
func RotateKeys(cfg config.Config, now time.Time) (Secrets, error) {
	if _, err := LoadSecrets(cfg, now); err != nil {
		return Secrets{}, err
	}
	path := filepath.Join(cfg.DataDir, secretsFile)
	stored, err := readSecrets(path)
	if err != nil {
		return Secrets{}, err
	}
	stored.Keys, err = claims.NewKeys(claims.NewVerifier([]byte(stored.JWTSecret), time.Now), now)
	if err != nil {
		return Secrets{}, err
	}
	if err := writeSecrets(path, stored); err != nil {
		return Secrets{}, err
	}
	return LoadSecrets(cfg, now)
}

// RandomizeSecrets replaces the secrets of every local stack by random ones. What is sealed in the
// database stays readable. The embedded PostgreSQL gets its new password at the next start.
func RandomizeSecrets(cfg config.Config, now time.Time) (Secrets, error) {
	path := filepath.Join(cfg.DataDir, secretsFile)
	old, err := readSecrets(path)
	if err != nil {
		return Secrets{}, err
	}
	if !old.areKnown() {
		return Secrets{}, fmt.Errorf("%s has random secrets already", path)
	}
	secrets, err := randomSecrets(now)
	if err != nil {
		return Secrets{}, err
	}
	secrets.SealSecret, secrets.VaultKey = old.sealSecret(), old.VaultKey
	return secrets, writeSecrets(path, secrets)
}

// sealSecret returns the secret from which the key is derived that encrypts values in the database, such as
// those of second factors, if no key is configured.
func (s Secrets) sealSecret() string { return cmp.Or(s.SealSecret, s.JWTSecret) }

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

// vaultKeyFile is beside PostgreSQL's data folder, so that neither a dump nor a base backup contains it. The
// vault's SQL functions read it.
const vaultKeyFile = "vault.key"

// provideVaultKey writes the key of the vault to a file that the embedded PostgreSQL reads. The first start
// creates the key.
func provideVaultKey(cfg config.Config, secrets *Secrets, server *embedded.Server) error {
	key := cfg.VaultKey.Reveal()
	if key == "" {
		if secrets.VaultKey == "" {
			key := make([]byte, 32)
			rand.Read(key) // never fails
			secrets.VaultKey = hex.EncodeToString(key)
			if err := addSecret(cfg, func(s *Secrets) { s.VaultKey = secrets.VaultKey }); err != nil {
				return err
			}
		}
		key = secrets.VaultKey
	}
	return server.ProvideFile(vaultKeyFile, []byte(key))
}
