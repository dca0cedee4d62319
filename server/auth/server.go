package auth

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/cleanup"
	"plaza/server/auth/ended"
	"plaza/server/auth/external"
	"plaza/server/auth/factor"
	"plaza/server/auth/hook"
	"plaza/server/auth/keys"
	"plaza/server/auth/limit"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/provider"
	"plaza/server/auth/seal"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/auth/store"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
)

// Exposed are the response headers a page of another origin may read.
var Exposed = []string{"X-Total-Count", "Link", versionHeader, "X-Request-Id"}

// Deps are the parts the auth server stands on.
type Deps struct {
	DB             *pg.DB
	Auth           *claims.Authenticator
	Mail           mailer.Sender
	SMS            sms.Sender        // nil: no phone can be reached
	Secret         []byte            // the signing secret, of which the key of sealed texts follows
	SiteURL        string            // where people are sent back to
	ExternalURL    string            // where this API answers, as in mailed links: https://example.com/auth/v1
	LocalProvider  *provider.Local   // stands in for Google; nil without
	Development    bool              // providers that an admin adds may be on this machine
	Folder         fs.FS             // the project's, with templates of mails; nil without
	Outside        http.RoundTripper // carries requests to providers; nil: the network
	TrustedProxies []netip.Prefix
	LimitEverybody bool // also whoever comes from this machine or a private network; for production
	Version        string
	Log            *slog.Logger
	Now            func() time.Time
}

// Server serves the auth API.
type Server struct {
	config     settings.Config
	deps       Deps
	store      *store.Store
	now        func() time.Time
	redirects  redirects
	messages   *message.Sender
	trail      *audit.Trail
	hooks      *hook.Caller
	limits     *limit.Limiter
	box        *seal.Box
	providers  *provider.Set
	identities *external.Identities
	custom     *external.CustomProviders
	sessions   *session.Sessions
	accounts   *account.Accounts
	factors    *factor.Factors
	passkeys   *factor.Passkeys
	keys       *keys.Keys
	cleaner    *cleanup.Cleaner
	counts     counts
}

// New makes a server. Errors: a setting or address that cannot work.
func New(config settings.Config, deps Deps) (*Server, error) {
	if err := config.Check(); err != nil {
		return nil, err
	}
	deps.ExternalURL = strings.TrimSuffix(deps.ExternalURL, "/")
	if config.JWT.Issuer == "" {
		config.JWT.Issuer = deps.ExternalURL
	}
	rules, err := newRedirects(deps.SiteURL, config.URIAllowList)
	if err != nil {
		return nil, err
	}
	s := &Server{
		config: config, deps: deps, store: store.New(deps.DB), now: deps.Now, redirects: rules,
	}
	if !config.OAuthServer.ReadOnlyClients {
		deps.Auth.Verifier.FreeClients()
	}
	refused := claims.NewRefused()
	deps.Auth.Verifier.Refuse(refused)
	s.providers = provider.New(config.External, provider.Options{
		Callback: deps.ExternalURL + "/callback", Local: deps.LocalProvider, AllowLocal: deps.Development, Network: deps.Outside, Now: deps.Now,
	})
	s.limits = limit.New(config, s.store, deps.Now)
	s.trail = audit.New(s.store, config.AuditLog.DisablePostgres, deps.Now)
	if s.hooks, err = hook.New(config.Hook, s.store, deps.Now); err != nil {
		return nil, err
	}
	s.sessions = session.New(session.Options{
		Config: config, DB: s.store, Now: s.now, Hooks: s.hooks, Trail: s.trail, Limits: s.limits, Verifier: deps.Auth.Verifier,
		Ended: ended.New(deps.DB, refused, deps.Log, deps.Now), Log: deps.Log,
	})
	if s.box, err = config.Security.Encryption.Box(deps.Secret); err != nil {
		return nil, err
	}
	s.keys = keys.New(keys.Options{Config: config, DB: s.store, Now: s.now, Box: s.box, Verifier: deps.Auth.Verifier, Log: deps.Log})
	s.cleaner = cleanup.New(s.store, config.Mailer.OTPExpiry, s.now, deps.Log)
	if s.messages, err = message.New(message.Options{
		Config: config, Store: s.store, Now: s.now, Hooks: s.hooks, Trail: s.trail, Limits: s.limits, Box: s.box, Relay: deps.Mail, SMS: deps.SMS,
		Folder: deps.Folder, SiteURL: deps.SiteURL, ExternalURL: deps.ExternalURL, Log: deps.Log,
	}); err != nil {
		return nil, err
	}
	if s.accounts, err = account.New(account.Options{
		Config: config, DB: s.store, Now: s.now, Box: s.box, Hooks: s.hooks, Trail: s.trail, Limits: s.limits, Sessions: s.sessions, Messages: s.messages,
		Secret: deps.Secret, Log: deps.Log,
	}); err != nil {
		return nil, err
	}
	s.identities, s.custom = external.New(external.Options{
		Config: config, DB: s.store, Now: s.now, Box: s.box, Trail: s.trail, Limits: s.limits, Sessions: s.sessions, Messages: s.messages,
		Accounts: s.accounts, Providers: s.providers,
	})
	s.factors, s.passkeys, err = factor.New(factor.Options{
		Config: config, DB: s.store, Now: s.now, Box: s.box, Hooks: s.hooks, Trail: s.trail, Limits: s.limits, Sessions: s.sessions, Messages: s.messages,
		SiteURL: deps.SiteURL, Log: deps.Log,
	})
	return s, err
}

// LoadEnded reads the sessions that have ended and the users who are banned, and
// notes how long the tokens of this server live.
func (s *Server) LoadEnded(ctx context.Context) error { return s.sessions.LoadEnded(ctx) }

// FollowEnded keeps them up to date until ctx ends.
func (s *Server) FollowEnded(ctx context.Context) { s.sessions.FollowEnded(ctx) }

// LoadKeys lets the verifier trust the project's signing keys: those of the
// settings, or else of the database.
func (s *Server) LoadKeys(ctx context.Context) error { return s.keys.Load(ctx) }

// KeepKeys reads the signing keys again and again until ctx ends, so that all
// servers follow a rotation.
func (s *Server) KeepKeys(ctx context.Context) { s.keys.Keep(ctx) }

// Clean removes what nothing needs any more, again and again until ctx ends.
func (s *Server) Clean(ctx context.Context) { s.cleaner.Keep(ctx) }

// SendMails sends queued mails until ctx ends.
func (s *Server) SendMails(ctx context.Context) { s.messages.SendMails(ctx) }

// LoadTemplates reads the project's templates of mails. Without them, and until
// they are there, mails are ours.
func (s *Server) LoadTemplates(ctx context.Context) { s.messages.LoadTemplates(ctx) }

// KeepTemplates reads them again as they become old, until ctx ends.
func (s *Server) KeepTemplates(ctx context.Context) { s.messages.KeepTemplates(ctx) }

// Routes serves the API under a prefix such as "/auth/v1".
func (s *Server) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	on := func(path string, methods methods) { routes.Handle(prefix+path, methods) }

	codes := s.limits.OTP
	on("/signup", methods{http.MethodPost: s.keyed(s.requireCaptcha(s.signUp))})
	on("/token", methods{http.MethodPost: s.keyed(s.token)})
	on("/otp", methods{http.MethodPost: s.keyed(s.limit(codes.Of("otp"), s.requireCaptcha(s.otp)))})
	on("/magiclink", methods{http.MethodPost: s.keyed(s.limit(codes.Of("magiclink"), s.requireCaptcha(s.magicLink)))})
	on("/recover", methods{http.MethodPost: s.keyed(s.limit(codes.Of("recover"), s.requireCaptcha(s.recover)))})
	on("/resend", methods{http.MethodPost: s.keyed(s.limit(codes.Of("resend"), s.requireCaptcha(s.resend)))})
	on("/user", methods{http.MethodGet: s.keyed(s.getUser), http.MethodPut: s.keyed(s.limit(codes.Of("user"), s.updateUser)), http.MethodDelete: s.keyed(s.deleteSelf)})
	on("/user/export", methods{http.MethodGet: s.keyed(s.exportUser)})
	on("/reauthenticate", methods{http.MethodGet: s.keyed(s.limit(codes.Of("reauthenticate"), s.reauthenticate))})
	on("/factors", methods{http.MethodPost: s.keyed(s.enrollFactor)})
	on("/factors/{id}", methods{http.MethodDelete: s.keyed(s.unenrollFactor)})
	on("/factors/{id}/challenge", methods{http.MethodPost: s.keyed(s.limit(s.limits.MFA.Of("challenge"), s.challengeFactor))})
	on("/factors/{id}/verify", methods{http.MethodPost: s.keyed(s.limit(s.limits.MFA.Of("verify"), s.verifyFactor))})
	on("/factors/recovery-codes", methods{
		http.MethodGet: s.keyed(s.recoveryStatus), http.MethodPost: s.keyed(s.makeRecoveryCodes), http.MethodDelete: s.keyed(s.dropRecovery),
	})
	on("/factors/recovery-codes/regenerate", methods{http.MethodPost: s.keyed(s.remakeRecoveryCodes)})
	on("/factors/recovery-codes/verify", methods{http.MethodPost: s.keyed(s.limit(s.limits.MFA.Of("recovery"), s.verifyRecoveryCode))})
	on("/passkeys", methods{http.MethodGet: s.keyed(s.withPasskeys(s.listPasskeys))})
	on("/passkeys/{id}", methods{http.MethodPatch: s.keyed(s.withPasskeys(s.renamePasskey)), http.MethodDelete: s.keyed(s.withPasskeys(s.deletePasskey))})
	on("/passkeys/registration/options", methods{http.MethodPost: s.keyed(s.withPasskeys(s.passkeyOptions))})
	on("/passkeys/registration/verify", methods{http.MethodPost: s.keyed(s.withPasskeys(s.registerPasskey))})
	on("/passkeys/authentication/options", methods{http.MethodPost: s.keyed(s.limit(s.limits.Passkey, s.requireCaptcha(s.withPasskeys(s.passkeySignInOptions))))})
	on("/passkeys/authentication/verify", methods{http.MethodPost: s.keyed(s.limit(s.limits.Passkey.Of("verify"), s.counted("passkey", s.withPasskeys(s.passkeySignIn))))})
	on("/admin/users/{user}/factors", methods{http.MethodGet: s.admin(s.adminFactors)})
	on("/admin/users/{user}/factors/{id}", methods{http.MethodPut: s.admin(s.adminUpdateFactor), http.MethodDelete: s.admin(s.adminDeleteFactor)})
	on("/admin/users/{user}/passkeys", methods{http.MethodGet: s.admin(s.adminPasskeys)})
	on("/admin/users/{user}/passkeys/{id}", methods{http.MethodDelete: s.admin(s.adminDeletePasskey)})
	on("/logout", methods{http.MethodPost: s.keyed(s.logout)})
	on("/settings", methods{http.MethodGet: s.keyed(s.settings)})
	on("/user/identities/authorize", methods{http.MethodGet: s.keyed(s.linkIdentity)})
	on("/user/identities/{id}", methods{http.MethodDelete: s.keyed(s.unlinkIdentity)})
	on("/admin/custom-providers", methods{http.MethodGet: s.admin(s.listCustomProviders), http.MethodPost: s.admin(s.addCustomProvider)})
	on("/admin/custom-providers/{identifier}", methods{http.MethodGet: s.admin(s.getCustomProvider), http.MethodPut: s.admin(s.changeCustomProvider), http.MethodDelete: s.admin(s.deleteCustomProvider)})

	on("/oauth/authorizations/{id}", methods{http.MethodGet: s.keyed(s.provides(s.showAuthorization))})
	on("/oauth/authorizations/{id}/consent", methods{http.MethodPost: s.keyed(s.provides(s.consent))})
	on("/user/oauth/grants", methods{http.MethodGet: s.keyed(s.provides(s.listGrants)), http.MethodDelete: s.keyed(s.provides(s.revokeGrant))})
	on("/admin/oauth/clients", methods{http.MethodGet: s.admin(s.provides(s.adminListClients)), http.MethodPost: s.admin(s.provides(s.adminAddClient))})
	on("/admin/oauth/clients/{client}", methods{
		http.MethodGet: s.admin(s.provides(s.adminGetClient)), http.MethodPut: s.admin(s.provides(s.adminChangeClient)), http.MethodDelete: s.admin(s.provides(s.adminDeleteClient)),
	})
	on("/admin/oauth/clients/{client}/regenerate_secret", methods{http.MethodPost: s.admin(s.provides(s.adminRenewSecret))})

	on("/invite", methods{http.MethodPost: s.admin(s.invite)})
	on("/admin/generate_link", methods{http.MethodPost: s.admin(s.generateLink)})
	on("/admin/audit", methods{http.MethodGet: s.admin(s.adminAudit)})
	on("/admin/users", methods{http.MethodGet: s.admin(s.adminListUsers), http.MethodPost: s.admin(s.adminCreateUser)})
	on("/admin/users/{user}", methods{
		http.MethodGet: s.admin(s.adminGetUser), http.MethodPut: s.admin(s.adminUpdateUser), http.MethodDelete: s.admin(s.adminDeleteUser),
	})
	on("/admin/users/{user}/sessions", methods{http.MethodGet: s.admin(s.adminListSessions), http.MethodDelete: s.admin(s.adminEndSession)})
	on("/admin/users/{user}/sessions/{session}", methods{http.MethodDelete: s.admin(s.adminEndSession)})

	for _, path := range []string{"/sso", "/sso/saml/metadata", "/sso/saml/acs"} {
		on(path, methods{http.MethodGet: handle(noSAML), http.MethodPost: handle(noSAML)})
	}

	// Open without an API key, as behind Supabase's gateway: browsers come here
	// from a mail or another app, its server, and monitors.
	on("/authorize", methods{http.MethodGet: handle(s.authorize)})
	on("/callback", methods{http.MethodGet: handle(s.callback), http.MethodPost: handle(s.callback)})
	on("/verify", methods{http.MethodGet: handle(s.verifyPage), http.MethodPost: handle(s.counted("one_time", s.limit(s.limits.Verify, s.verify)))})
	on("/health", methods{http.MethodGet: handle(s.health)})
	on("/oauth/authorize", methods{http.MethodGet: handle(s.provides(s.limit(s.limits.Token.Of("authorize"), s.oauthAuthorize)))})
	on("/oauth/token", methods{http.MethodPost: handle(s.provides(s.oauthToken))})
	on("/oauth/userinfo", methods{http.MethodGet: handle(s.provides(s.userInfo)), http.MethodPost: handle(s.provides(s.userInfo))})
	on("/oauth/clients/register", methods{http.MethodPost: handle(s.provides(s.limit(s.limits.Register, s.registerClient)))})
	on("/.well-known/openid-configuration", methods{http.MethodGet: handle(s.discovery)})
	on("/.well-known/oauth-authorization-server", methods{http.MethodGet: handle(s.provides(s.discovery))})
	if prefix != "" {
		routes.Handle(MetadataPath+prefix, methods{http.MethodGet: handle(s.provides(s.discovery))})
	}
	on("/.well-known/jwks.json", methods{http.MethodGet: handle(s.keySet)})
	return httpx.CORS(Exposed, routes)
}

// methods is what one path answers, by method.
type methods map[string]http.Handler

// ServeHTTP answers another method with 405, an empty body and Allow.
func (m methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if handler, ok := m[method]; ok {
		handler.ServeHTTP(w, r)
		return
	}
	for _, known := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if _, ok := m[known]; ok {
			w.Header().Add("Allow", known)
		}
	}
	w.WriteHeader(http.StatusMethodNotAllowed)
}

// keyed serves who brings one of the project's API keys, or none: GoTrue asks for
// no key, and the public one is no secret. A wrong key is refused, as Supabase's
// gateway does.
func (s *Server) keyed(h httpx.Handler) http.Handler {
	return handle(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.deps.Auth.Key(r)
		switch {
		case errors.Is(err, claims.ErrNoKey):
			who = claims.ForRole(claims.Anon)
		case err != nil:
			return apierr.New(http.StatusUnauthorized, "invalid_api_key", "Invalid API key").WithCause(err)
		}
		return h(w, httpx.SetCaller(r, who))
	})
}

// admin serves only who has one of the admin roles.
//
// Errors: 401 no_authorization; 403 bad_jwt, not_admin; those of a token whose
// session has ended.
func (s *Server) admin(h httpx.Handler) http.Handler {
	return s.keyed(func(w http.ResponseWriter, r *http.Request) error {
		who, ok, err := s.deps.Auth.Bearer(r)
		switch {
		case err != nil:
			return tokenError(err)
		case !ok:
			return errNoToken
		case !slices.Contains(s.config.JWT.AdminRoles, who.Role):
			return autherr.Forbidden(autherr.CodeNotAdmin, "User not allowed")
		case who.SessionID != "":
			if _, err := s.caller(r); err != nil {
				return err
			}
		}
		return h(w, r)
	})
}

// isAdmin tells whether a request bears the token of an admin role.
func (s *Server) isAdmin(r *http.Request) bool {
	who, ok, err := s.deps.Auth.Bearer(r)
	return err == nil && ok && slices.Contains(s.config.JWT.AdminRoles, who.Role)
}
