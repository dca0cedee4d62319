package app

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/secret"
)

// A new data folder has the secrets of every local stack in development on loopback alone.
func TestSecretsOfANewDataFolder(t *testing.T) {
	t.Parallel()
	local := config.Config{Env: config.Development, Host: "127.0.0.1", Secrets: config.LocalSecrets}
	random, public, production := local, local, local
	random.Secrets = config.RandomSecrets
	public.Host = "0.0.0.0"
	production.Env = config.Production
	for name, tt := range map[string]struct {
		cfg     config.Config
		isKnown bool
	}{"development": {local, true}, "random": {random, false}, "public": {public, false}, "production": {production, false}} {
		tt.cfg.DataDir = filepath.Join(t.TempDir(), "new", "data")
		first, err := LoadSecrets(tt.cfg, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		if first.areKnown() != tt.isKnown {
			t.Errorf("%s: %+v", name, first)
		}
		if again, err := LoadSecrets(tt.cfg, time.Now()); err != nil || again != first {
			t.Errorf("%s: at the second start %+v, %v", name, again, err)
		}
	}
}

// A data folder of development is refused where other machines may reach the server, whatever
// secret is known.
func TestKnownSecretsAreRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *Secrets){
		"all":      func(*Secrets) {},
		"password": func(s *Secrets) { s.JWTSecret, s.Keys.Secret = "another", "another" },
		"secret":   func(s *Secrets) { s.PostgresPassword, s.Keys.Secret = "another", "another" },
		"key":      func(s *Secrets) { s.PostgresPassword, s.JWTSecret = "another", "another" },
	} {
		cfg := config.Config{Env: config.Production, Host: "127.0.0.1", Secrets: config.LocalSecrets, DataDir: t.TempDir()}
		changed := localSecrets
		change(&changed)
		if err := writeSecrets(cfg.DataDir+"/"+secretsFile, changed); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadSecrets(cfg, time.Now()); err == nil || !strings.Contains(err.Error(), "PLAZA_DATA_DIR") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A data folder of development gets random secrets once, and what is sealed stays readable.
func TestRandomizeSecrets(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Env: config.Development, Host: "127.0.0.1", Secrets: config.LocalSecrets, DataDir: t.TempDir()}
	before, err := LoadSecrets(cfg, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	made, err := RandomizeSecrets(cfg, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	cfg.Env = config.Production
	after, err := LoadSecrets(cfg, time.Now())
	if err != nil || after != made || after.areKnown() || after.sealSecret() != before.sealSecret() || config.IsKnownSecret(after.sealSecret()) {
		t.Errorf("before %+v, after %+v, %v", before, after, err)
	}
	if _, err := RandomizeSecrets(cfg, time.Now()); err == nil {
		t.Error("random secrets were replaced")
	}
}

// New keys replace those in the data folder; a JWT_SECRET of the environment signs the tokens but is not stored.
func TestRotateKeys(t *testing.T) {
	t.Parallel()
	cfg := config.Config{Env: config.Production, Host: "127.0.0.1", DataDir: t.TempDir()}
	before, err := LoadSecrets(cfg, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	given := cfg
	given.JWTSecret = secret.Text(claims.NewSecret())
	made, err := RotateKeys(given, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := claims.NewVerifier([]byte(given.JWTSecret.Reveal()), time.Now).Verify(made.Keys.Service); err != nil {
		t.Errorf("the printed token: %v", err)
	}
	after, err := LoadSecrets(cfg, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if after.JWTSecret != before.JWTSecret || after.PostgresPassword != before.PostgresPassword {
		t.Error("the stored secrets changed")
	}
	if after.Keys.Secret == before.Keys.Secret || after.Keys.Secret != made.Keys.Secret {
		t.Error("the running servers and the command disagree about the secret key")
	}
	if _, err := claims.NewVerifier([]byte(before.JWTSecret), time.Now).Verify(after.Keys.Service); err != nil {
		t.Errorf("the stored token: %v", err)
	}
}

// The tokens are signed with the secret.
func TestLocalKeysAreSigned(t *testing.T) {
	t.Parallel()
	verifier := claims.NewVerifier([]byte(localSecrets.JWTSecret), time.Now)
	for role, token := range map[string]string{"anon": localSecrets.Keys.Anon, "service_role": localSecrets.Keys.Service} {
		if who, err := verifier.Verify(token); err != nil || who.Role != role {
			t.Errorf("%s: %+v, %v", role, who, err)
		}
	}
}
