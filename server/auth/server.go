package auth

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/auth/password"
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
	SiteURL        string // where people are sent back to
	ExternalURL    string // where this API answers, as in mailed links: https://example.com/auth/v1
	TrustedProxies []netip.Prefix
	Version        string
	Log            *slog.Logger
	Now            func() time.Time
}

// Server serves the auth API.
type Server struct {
	config    Config
	deps      Deps
	now       func() time.Time
	hasher    *password.Hasher
	policy    password.Policy
	redirects redirects
	mails     *mailer.Mailer
	hook      string // quoted name of the password hook's function, or empty
	recent    *recently
	pace      time.Duration
}

// New makes a server. Errors: a setting or address that cannot work.
func New(config Config, deps Deps) (*Server, error) {
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
	mails, err := mailer.New(deps.Mail, deps.SiteURL)
	if err != nil {
		return nil, fmt.Errorf("read mail templates: %w", err)
	}
	s := &Server{
		config: config, deps: deps, now: deps.Now, redirects: rules, mails: mails, pace: answerPace,
		hasher: password.NewHasher(password.Cost, runtime.GOMAXPROCS(0)),
		policy: password.Policy{MinLength: config.Password.MinLength, Required: config.Password.RequiredCharacters},
		recent: newRecently(recentAddresses),
	}
	if config.Hook.PasswordVerification.Enabled {
		if s.hook, err = config.Hook.PasswordVerification.function(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Routes serves the API under a prefix such as "/auth/v1".
func (s *Server) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	on := func(path string, methods methods) { routes.Handle(prefix+path, methods) }

	on("/signup", methods{http.MethodPost: s.keyed(s.signUp)})
	on("/token", methods{http.MethodPost: s.keyed(s.token)})
	on("/otp", methods{http.MethodPost: s.keyed(s.otp)})
	on("/magiclink", methods{http.MethodPost: s.keyed(s.magicLink)})
	on("/recover", methods{http.MethodPost: s.keyed(s.recover)})
	on("/resend", methods{http.MethodPost: s.keyed(s.resend)})
	on("/user", methods{http.MethodGet: s.keyed(s.getUser), http.MethodPut: s.keyed(s.updateUser)})
	on("/logout", methods{http.MethodPost: s.keyed(s.logout)})
	on("/settings", methods{http.MethodGet: s.keyed(s.settings)})

	// Open without an API key, as behind Supabase's gateway: browsers come here
	// from a mail, and monitors.
	on("/verify", methods{http.MethodGet: handle(s.verifyPage), http.MethodPost: handle(s.verify)})
	on("/health", methods{http.MethodGet: handle(s.health)})
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
	for _, known := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		if _, ok := m[known]; ok {
			w.Header().Add("Allow", known)
		}
	}
	w.WriteHeader(http.StatusMethodNotAllowed)
}

// keyed serves only who brings one of the project's API keys, as Supabase's
// gateway does.
func (s *Server) keyed(h httpx.Handler) http.Handler {
	return handle(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.deps.Auth.Key(r)
		if err != nil {
			return keyError(err)
		}
		return h(w, httpx.SetCaller(r, who))
	})
}
