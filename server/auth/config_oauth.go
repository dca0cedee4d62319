package auth

import (
	"strings"
	"time"

	"plaza/server/auth/oauth"
)

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
