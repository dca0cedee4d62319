package app

import (
	"os"
	"strings"

	"plaza/server/config"
	"plaza/server/secret"
)

// folderProvider is a section [auth.external.NAME] of a project's config.toml.
type folderProvider struct {
	Enabled        bool   `toml:"enabled"`
	ClientID       string `toml:"client_id"`
	Secret         string `toml:"secret"`
	RedirectURI    string `toml:"redirect_uri"`
	URL            string `toml:"url"`
	SkipNonceCheck bool   `toml:"skip_nonce_check"`
	EmailOptional  bool   `toml:"email_optional"`
}

// apply takes over a section for a provider that is known here.
func (p folderProvider) apply(name string, cfg *config.Config) {
	settings := cfg.Auth.External.Named(name)
	if settings == nil || !p.Enabled {
		return
	}
	prefix := "GOTRUE_EXTERNAL_" + strings.ToUpper(name) + "_"
	setUnlessEnv(prefix+"ENABLED", &settings.Enabled, true)
	if id := fromEnvironment(p.ClientID); id != "" && len(settings.ClientIDs) == 0 {
		settings.ClientIDs = strings.Split(id, ",")
	}
	setUnlessEnv(prefix+"SECRET", &settings.Secret, secret.Text(fromEnvironment(p.Secret)))
	setUnlessEnv(prefix+"REDIRECT_URI", &settings.RedirectURI, fromEnvironment(p.RedirectURI))
	setUnlessEnv(prefix+"URL", &settings.URL, fromEnvironment(p.URL))
	setUnlessEnv(prefix+"SKIP_NONCE_CHECK", &settings.SkipNonceCheck, p.SkipNonceCheck)
	setUnlessEnv(prefix+"EMAIL_OPTIONAL", &settings.EmailOptional, p.EmailOptional)
}

// fromEnvironment reads "env(NAME)", as the Supabase CLI does, and gives any
// other value as it is.
func fromEnvironment(value string) string {
	if name, ok := strings.CutPrefix(value, "env("); ok && strings.HasSuffix(name, ")") {
		return os.Getenv(strings.TrimSuffix(name, ")"))
	}
	return value
}
