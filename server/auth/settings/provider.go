package settings

import (
	"fmt"
	"strings"
	"time"

	"plaza/server/auth/oauth"
)

// CustomOAuth has the settings of custom providers.
type CustomOAuth struct {
	Enabled      bool `env:"ENABLED" envDefault:"true"`
	MaxProviders int  `env:"MAX_PROVIDERS" envDefault:"0"` // 0: no limit
}

// Experimental has upstream's experimental settings.
type Experimental struct {
	LinkingDomains LinkingDomains `env:"PROVIDER_LINKING_DOMAINS"` // provider=domain,…
}

// LinkingDomains maps providers to linking domains. Providers of one domain share accounts with
// each other, but not with providers outside of it.
type LinkingDomains map[string]string

// UnmarshalText parses "custom:a=staff,custom:b=staff".
func (d *LinkingDomains) UnmarshalText(text []byte) error {
	found := LinkingDomains{}
	for pair := range strings.SplitSeq(string(text), ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		provider, domain, ok := strings.Cut(pair, "=")
		provider, domain = strings.TrimSpace(provider), strings.TrimSpace(domain)
		if !ok || provider == "" || domain == "" {
			return fmt.Errorf("%q: use provider=domain", pair)
		}
		found[provider] = domain
	}
	*d = found
	return nil
}

// LinkableProviders returns with which providers a new identity of provider may share an account: with names,
// or, if others is true, with all except names. isDefault reports whether the provider belongs to
// the default domain.
func (d LinkingDomains) LinkableProviders(provider string) (names []string, others, isDefault bool) {
	domain, own := d[provider]
	names = []string{}
	for name, other := range d {
		if !own || other == domain {
			names = append(names, name)
		}
	}
	return names, !own, !own
}

// OAuthServer has the settings of the OAuth server, with which users sign in to other apps.
type OAuthServer struct {
	Enabled           bool          `env:"ENABLED" envDefault:"false"`
	AllowRegistration bool          `env:"ALLOW_DYNAMIC_REGISTRATION" envDefault:"false"` // apps register themselves
	AuthorizationPath string        `env:"AUTHORIZATION_PATH"`                            // of the site's consent page
	AuthorizationTTL  time.Duration `env:"AUTHORIZATION_TTL" envDefault:"10m"`            // time for the user to consent
	ReadOnlyClients   bool          `env:"READ_ONLY_CLIENTS" envDefault:"true"`           // without the scope "write" an app can only read; not in upstream
	DefaultScope      string        `env:"DEFAULT_SCOPE" envDefault:"email"`
}

func (c OAuthServer) check(fail func(format string, args ...any)) {
	if !c.Enabled {
		return
	}
	if c.AuthorizationTTL <= 0 {
		fail("GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL is %v: use a time above 0", c.AuthorizationTTL)
	}
	if scope := oauth.ParseScope(c.DefaultScope); len(scope) == 0 || !oauth.Scope(oauth.Scopes).ContainsAll(scope) {
		fail("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE is %q: use some of %s", c.DefaultScope, strings.Join(oauth.Scopes, ", "))
	}
}
