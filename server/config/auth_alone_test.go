package config

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var aloneEnviron = []string{
	"DATABASE_URL=postgres://db", "API_EXTERNAL_URL=https://api.example.com/", "GOTRUE_SITE_URL=https://example.com", "GOTRUE_JWT_SECRET=secret",
}

func TestAuthAloneReadsUpstreamsVariables(t *testing.T) {
	t.Parallel()
	cfg, err := LoadAuthAlone(append([]string{
		"PORT=9998", "GOTRUE_API_PORT=9999", "GOTRUE_DB_DRIVER=postgres", "GOTRUE_JWT_EXP=60", "GOTRUE_SMTP_HOST=", "GOTRUE_MAILER_URLPATHS_CONFIRMATION=/auth/v1/verify",
		"GOTRUE_SAML_ENABLED=true", "GOTRUE_EXTERNAL_GITHUB_ENABLED=true", "GOTRUE_A=1", "GOTRUE_SMTP_PORT=",
	}, aloneEnviron...))
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Port != 9999 || cfg.Auth.JWT.Expiry != 60 || cfg.DatabaseURL.Reveal() != "postgres://db" || cfg.Auth.JWT.Issuer != "https://api.example.com" {
		t.Errorf("port %d, expiry %d, issuer %s", cfg.Port, cfg.Auth.JWT.Expiry, cfg.Auth.JWT.Issuer)
	}
	if got := cfg.ExternalURL(); got != "https://api.example.com/auth/v1" {
		t.Errorf("external %s", got)
	}
	if diff := cmp.Diff([]string{"GOTRUE_A", "GOTRUE_SAML_ENABLED"}, cfg.Ignored); diff != "" {
		t.Errorf("ignored (-want +got):\n%s", diff)
	}
}

func TestAuthAloneKeepsThePathOfItsAddress(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"": "https://example.com/auth/v1", "/verify": "https://example.com/auth/v1", "/other/verify": "https://example.com/other", "https://else.test/a/verify": "https://else.test/a",
	} {
		if got := (AuthAlone{PublicURL: "https://example.com/auth/v1", VerifyPath: path}).ExternalURL(); got != want {
			t.Errorf("%q gives %s, want %s", path, got, want)
		}
	}
}

func TestAuthAloneReportsAllErrors(t *testing.T) {
	t.Parallel()
	_, err := LoadAuthAlone([]string{"GOTRUE_LOG_LEVEL=loud", "GOTRUE_JWT_EXP=-1"})
	for _, name := range []string{"GOTRUE_DB_DATABASE_URL", "GOTRUE_SITE_URL", "API_EXTERNAL_URL", "GOTRUE_JWT_SECRET", "GOTRUE_LOG_LEVEL", "GOTRUE_JWT_EXP"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("the error does not name %s:\n%v", name, err)
		}
	}
}

func TestAuthAloneReadsLevelsInAnyCase(t *testing.T) {
	t.Parallel()
	cfg, err := LoadAuthAlone([]string{
		"GOTRUE_LOG_LEVEL=DEBUG", "DATABASE_URL=postgres://x", "GOTRUE_SITE_URL=https://example.com", "API_EXTERNAL_URL=https://example.com",
		"GOTRUE_JWT_SECRET=" + LocalJWTSecret,
	})
	if err != nil || cfg.Level() != slog.LevelDebug {
		t.Errorf("level %v, %v", cfg.Level(), err)
	}
}
