package provider

import (
	"time"

	"plaza/server/secret"
)

// Settings are the operator's settings of one provider.
type Settings struct {
	Enabled        bool        `env:"ENABLED" envDefault:"false"`
	ClientIDs      []string    `env:"CLIENT_ID"` // the first is used for sign-ins; ID tokens for any are accepted
	Secret         secret.Text `env:"SECRET"`
	RedirectURI    string      `env:"REDIRECT_URI"`
	URL            string      `env:"URL"`     // of a self-hosted installation or a tenant
	APIURL         string      `env:"API_URL"` // accepted for compatibility with upstream; not used
	SkipNonceCheck bool        `env:"SKIP_NONCE_CHECK" envDefault:"false"`
	EmailOptional  bool        `env:"EMAIL_OPTIONAL" envDefault:"false"`
}

// Config has upstream's settings of external providers. Their names lack the prefix
// GOTRUE_EXTERNAL_.
type Config struct {
	Apple        Settings `envPrefix:"APPLE_"`
	Azure        Settings `envPrefix:"AZURE_"`
	Bitbucket    Settings `envPrefix:"BITBUCKET_"`
	Discord      Settings `envPrefix:"DISCORD_"`
	Facebook     Settings `envPrefix:"FACEBOOK_"`
	Figma        Settings `envPrefix:"FIGMA_"`
	GitHub       Settings `envPrefix:"GITHUB_"`
	GitLab       Settings `envPrefix:"GITLAB_"`
	Google       Settings `envPrefix:"GOOGLE_"`
	Kakao        Settings `envPrefix:"KAKAO_"`
	Keycloak     Settings `envPrefix:"KEYCLOAK_"`
	LinkedInOIDC Settings `envPrefix:"LINKEDIN_OIDC_"`
	Notion       Settings `envPrefix:"NOTION_"`
	SlackOIDC    Settings `envPrefix:"SLACK_OIDC_"`
	Spotify      Settings `envPrefix:"SPOTIFY_"`
	Twitch       Settings `envPrefix:"TWITCH_"`
	WorkOS       Settings `envPrefix:"WORKOS_"`
	X            Settings `envPrefix:"X_"`
	Zoom         Settings `envPrefix:"ZOOM_"`

	IOSBundleID    string        `env:"IOS_BUNDLE_ID"`                           // an additional audience of Apple's ID tokens
	AllowedIssuers []string      `env:"ALLOWED_ID_TOKEN_ISSUERS"`                // of ID tokens sent with issuer and client_id
	CacheTTL       time.Duration `env:"OIDC_PROVIDER_CACHE_TTL" envDefault:"1h"` // how long a provider's endpoints are cached
}

// Named returns the settings of a provider by its name in requests, or nil if it is not
// built in.
func (c *Config) Named(name string) *Settings {
	return c.all()[name]
}

func (c *Config) all() map[string]*Settings {
	return map[string]*Settings{
		"apple": &c.Apple, "azure": &c.Azure, "bitbucket": &c.Bitbucket, "discord": &c.Discord, "facebook": &c.Facebook, "figma": &c.Figma,
		"github": &c.GitHub, "gitlab": &c.GitLab, google: &c.Google, "kakao": &c.Kakao, "keycloak": &c.Keycloak,
		"linkedin_oidc": &c.LinkedInOIDC, "notion": &c.Notion, "slack_oidc": &c.SlackOIDC, "spotify": &c.Spotify, "twitch": &c.Twitch,
		"workos": &c.WorkOS, "x": &c.X, "zoom": &c.Zoom,
	}
}

// byName returns a copy of the settings by the provider's name in requests.
func (c Config) byName() map[string]Settings {
	copied := map[string]Settings{}
	for name, settings := range c.all() {
		copied[name] = *settings
	}
	return copied
}
