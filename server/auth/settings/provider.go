package settings

import (
	"fmt"
	"strings"
	"time"

	"plaza/server/auth/oauth"
)

// CustomOAuth says whether the project's admin may add providers.
type CustomOAuth struct {
	Enabled      bool `env:"ENABLED" envDefault:"true"`
	MaxProviders int  `env:"MAX_PROVIDERS" envDefault:"0"` // 0: as many as one likes
}

// Experimental are settings that upstream calls so.
type Experimental struct {
	LinkingDomains LinkingDomains `env:"PROVIDER_LINKING_DOMAINS"` // provider=domain,…
}

// LinkingDomains says which providers have accounts of their own: those of one
// domain share accounts with each other, but not with all the rest.
type LinkingDomains map[string]string

// UnmarshalText reads "custom:a=staff,custom:b=staff".
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

// Alike says which identities a provider's new one may join by their address:
// those of the named providers, or where others is set, of all but them. open is
// the domain of everybody who has none of its own.
func (d LinkingDomains) Alike(provider string) (names []string, others, open bool) {
	domain, own := d[provider]
	names = []string{}
	for name, other := range d {
		if !own || other == domain {
			names = append(names, name)
		}
	}
	return names, !own, !own
}

// OAuthServer says whether people can sign in to other apps with their account
// here.
type OAuthServer struct {
	Enabled           bool          `env:"ENABLED" envDefault:"false"`
	AllowRegistration bool          `env:"ALLOW_DYNAMIC_REGISTRATION" envDefault:"false"` // apps register themselves
	AuthorizationPath string        `env:"AUTHORIZATION_PATH"`                            // of the site's page that asks for consent
	AuthorizationTTL  time.Duration `env:"AUTHORIZATION_TTL" envDefault:"10m"`            // until consent must be given
	ReadOnlyClients   bool          `env:"READ_ONLY_CLIENTS" envDefault:"true"`           // ours: without the scope "write" an app only reads
	DefaultScope      string        `env:"DEFAULT_SCOPE" envDefault:"email"`
}

func (c OAuthServer) check(fail func(format string, args ...any)) {
	if !c.Enabled {
		return
	}
	if c.AuthorizationTTL <= 0 {
		fail("GOTRUE_OAUTH_SERVER_AUTHORIZATION_TTL is %v: use a time above 0", c.AuthorizationTTL)
	}
	if scope := oauth.ParseScope(c.DefaultScope); len(scope) == 0 || !oauth.Scope(oauth.Scopes).Covers(scope) {
		fail("GOTRUE_OAUTH_SERVER_DEFAULT_SCOPE is %q: use some of %s", c.DefaultScope, strings.Join(oauth.Scopes, ", "))
	}
}
