// Package auth is the auth server. It serves accounts, sessions and mails over
// GoTrue's HTTP API.
package auth

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"plaza/server/auth/account"
	"plaza/server/auth/api"
	"plaza/server/auth/audit"
	"plaza/server/auth/cleanup"
	"plaza/server/auth/ended"
	"plaza/server/auth/external"
	"plaza/server/auth/factor"
	"plaza/server/auth/hook"
	"plaza/server/auth/keys"
	"plaza/server/auth/limit"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/oauthserver"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/provider"
	"plaza/server/auth/redirect"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/auth/store"
	"plaza/server/claims"
	"plaza/server/jobs"
	"plaza/server/pg"
)

// Deps are the dependencies of the auth server.
type Deps struct {
	DB                  *pg.DB
	Auth                *claims.Authenticator
	Mail                mailer.Sender
	SMS                 sms.Sender        // nil: no messages to phones
	Secret              []byte            // the signing secret; the encryption key is derived from it
	SiteURL             string            // the default redirect target
	ExternalURL         string            // the public base URL of this API, used in mailed links: https://example.com/auth/v1
	LocalProvider       *provider.Local   // replaces Google; nil: none
	Development         bool              // allows custom providers on private networks and over http
	Folder              fs.FS             // the project folder, with mail templates; nil: none
	ProviderTransport   http.RoundTripper // transport of requests to providers; nil: the network
	TrustedProxies      []netip.Prefix
	LimitLocalAddresses bool // apply rate limits to loopback and private addresses, too; for production
	Version             string
	Log                 *slog.Logger
	Now                 func() time.Time
}

// Server serves the auth API.
type Server struct {
	limits   *limit.Limiter
	messages *message.Sender
	sessions *session.Sessions
	accounts *account.Accounts
	keys     *keys.Keys
	cleaner  *cleanup.Cleaner
	api      *api.API
}

// New returns a Server. Errors: an invalid setting or address.
func New(config settings.Config, deps Deps) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	deps.ExternalURL = strings.TrimSuffix(deps.ExternalURL, "/")
	if config.JWT.Issuer == "" {
		config.JWT.Issuer = deps.ExternalURL
	}
	rules, err := redirect.New(deps.SiteURL, config.URIAllowList)
	if err != nil {
		return nil, err
	}
	db, now, log := store.New(deps.DB), deps.Now, deps.Log
	if !config.OAuthServer.ReadOnlyClients {
		deps.Auth.Verifier.AllowClientWrites()
	}
	refused := claims.NewRefusedTokens()
	deps.Auth.Verifier.Refuse(refused)
	follower := ended.New(deps.DB, refused, log, now)
	deps.DB.SetRecheck(follower.Recheck)
	box, err := config.Security.Encryption.Box(deps.Secret)
	if err != nil {
		return nil, err
	}
	hooks, err := hook.New(config.Hook, db, now)
	if err != nil {
		return nil, err
	}
	trail, limits := audit.New(db, config.AuditLog.DisablePostgres, now), limit.New(config, db, now)
	sessions := session.New(session.Options{
		Config: config, DB: db, Now: now, Hooks: hooks, Trail: trail, Limits: limits, Verifier: deps.Auth.Verifier,
		Ended: follower, Log: log,
	})
	messages, err := message.New(message.Options{
		Config: config, Store: db, Now: now, Hooks: hooks, Trail: trail, Limits: limits, Box: box, Relay: deps.Mail, SMS: deps.SMS,
		Folder: deps.Folder, SiteURL: deps.SiteURL, ExternalURL: deps.ExternalURL, Log: log,
	})
	if err != nil {
		return nil, err
	}
	accounts, err := account.New(account.Options{
		Config: config, DB: db, Now: now, Box: box, Hooks: hooks, Trail: trail, Limits: limits, Sessions: sessions, Messages: messages,
		Secret: deps.Secret, Log: log,
	})
	if err != nil {
		return nil, err
	}
	providers := provider.New(config.External, provider.Options{
		Callback: deps.ExternalURL + "/callback", Local: deps.LocalProvider, AllowLocal: deps.Development, Network: deps.ProviderTransport, Now: now,
	})
	identities, custom := external.New(external.Options{
		Config: config, DB: db, Now: now, Box: box, Trail: trail, Limits: limits, Sessions: sessions, Messages: messages,
		Accounts: accounts, Providers: providers,
	})
	factors, passkeys, err := factor.New(factor.Options{
		Config: config, DB: db, Now: now, Box: box, Hooks: hooks, Trail: trail, Limits: limits, Sessions: sessions, Messages: messages,
		SiteURL: deps.SiteURL, Log: log,
	})
	if err != nil {
		return nil, err
	}
	clients := storage.New(storage.Options{DB: db, Now: now, Sessions: sessions, Trail: trail, Verify: deps.Auth.Verify, Log: log})
	return &Server{
		limits: limits, messages: messages, sessions: sessions, accounts: accounts,
		keys:    keys.New(keys.Options{Config: config, DB: db, Now: now, Box: box, Verifier: deps.Auth.Verifier, Log: log}),
		cleaner: cleanup.New(db, config.Mailer.OTPExpiry, config.AuditLog.Retention, now),
		api: api.New(api.Options{
			Config: config, Store: db, Auth: deps.Auth, Accounts: accounts, Sessions: sessions, Factors: factors, Passkeys: passkeys,
			Identities: identities, Custom: custom, Providers: providers, OAuthStorage: clients,
			OAuth: oauthserver.New(oauthserver.Options{
				Config: config, SiteURL: deps.SiteURL, ExternalURL: deps.ExternalURL, Storage: clients, Signer: deps.Auth.Verifier, Now: now,
			}),
			Trail: trail, Limits: limits, Redirects: rules,
			SiteURL: deps.SiteURL, TrustedProxies: deps.TrustedProxies, LimitLocalAddresses: deps.LimitLocalAddresses, Version: deps.Version, Log: log,
		}),
	}, nil
}

// IssueSignInToken returns a one-time token that signs in the account of an address, if it
// is verified with the type "magiclink". It sends nothing. The caller must have checked
// that whoever gets the token may sign in as that account.
//
// Errors: 400 validation_failed for an invalid address; 404 user_not_found.
func (s *Server) IssueSignInToken(ctx context.Context, email string) (string, error) {
	return s.accounts.Admin.IssueSignInToken(ctx, email)
}

// MetadataPath is the well-known path of RFC 8414. The path of the issuer is appended to it.
const MetadataPath = api.MetadataPath

// Routes serves the API under a prefix such as "/auth/v1".
func (s *Server) Routes(prefix string) http.Handler { return s.api.Routes(prefix) }

// LoadEndedSessions loads the ended sessions and the banned users, and records the lifetime
// of this server's access tokens.
func (s *Server) LoadEndedSessions(ctx context.Context) error {
	return s.sessions.LoadEndedSessions(ctx)
}

// FollowEndedSessions keeps the ended sessions and banned users up to date until ctx ends.
func (s *Server) FollowEndedSessions(ctx context.Context) { s.sessions.FollowEndedSessions(ctx) }

// LoadKeys loads the project's signing keys into the verifier: those of the
// settings, or else those of the database.
func (s *Server) LoadKeys(ctx context.Context) error { return s.keys.Load(ctx) }

// ReloadKeys reloads the signing keys periodically until ctx ends, so that all
// servers follow a rotation.
func (s *Server) ReloadKeys(ctx context.Context) { s.keys.ReloadPeriodically(ctx) }

// Jobs returns the server's background jobs: sending queued mails, and removing expired rows.
func (s *Server) Jobs() []jobs.Job {
	return []jobs.Job{s.messages.Job(), {Name: "auth_clean", Every: cleanup.Interval, Run: s.cleaner.Run}}
}

// LoadTemplates loads the project's mail templates. Until they are loaded, or if
// there are none, mails use the built-in templates.
func (s *Server) LoadTemplates(ctx context.Context) { s.messages.LoadTemplates(ctx) }

// ReloadTemplates reloads stale mail templates until ctx ends.
func (s *Server) ReloadTemplates(ctx context.Context) { s.messages.ReloadTemplates(ctx) }
