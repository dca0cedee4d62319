// Package external signs users in with their identities at external providers, links
// identities to accounts, and manages custom providers.
package external

import (
	"time"

	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/limit"
	"plaza/server/auth/message"
	"plaza/server/auth/provider"
	"plaza/server/auth/seal"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
)

// Identities signs users in with identities at external providers, and links identities to
// accounts.
type Identities struct {
	config    settings.Config
	db        *store.Store
	now       func() time.Time
	box       *seal.Box
	trail     *audit.Trail
	limits    *limit.Limiter
	sessions  *session.Sessions
	messages  *message.Sender
	accounts  *account.Accounts
	providers *provider.Set
	custom    *CustomProviders
}

// Options are the dependencies of Identities.
type Options struct {
	Config    settings.Config
	DB        *store.Store
	Now       func() time.Time
	Box       *seal.Box
	Trail     *audit.Trail
	Limits    *limit.Limiter
	Sessions  *session.Sessions
	Messages  *message.Sender
	Accounts  *account.Accounts
	Providers *provider.Set
}

// New returns the Identities and the CustomProviders of a server.
func New(o Options) (*Identities, *CustomProviders) {
	custom := &CustomProviders{config: o.Config, db: o.DB, now: o.Now, box: o.Box, providers: o.Providers}
	return &Identities{
		config: o.Config, db: o.DB, now: o.Now, box: o.Box, trail: o.Trail, limits: o.Limits, sessions: o.Sessions, messages: o.Messages,
		accounts: o.Accounts, providers: o.Providers, custom: custom,
	}, custom
}

// OAuthError is an OAuth error. It has no error code of the auth API.
type OAuthError struct{ Name, Description string }

func (e *OAuthError) Error() string { return e.Name + ": " + e.Description }
