// Package api has the HTTP handlers of the auth server, compatible with GoTrue. Each handler
// reads a request, makes one call and writes the response.
package api

import (
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"

	"plaza/server/apierr"
	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/external"
	"plaza/server/auth/factor"
	"plaza/server/auth/limit"
	"plaza/server/auth/oauthserver"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/auth/provider"
	"plaza/server/auth/redirect"
	"plaza/server/auth/session"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/tally"
)

// Options are the dependencies of the API.
type Options struct {
	Config              settings.Config
	Store               *store.Store
	Auth                *claims.Authenticator
	Accounts            *account.Accounts
	Sessions            *session.Sessions
	Factors             *factor.Factors
	Passkeys            *factor.Passkeys
	Identities          *external.Identities
	Custom              *external.CustomProviders
	Providers           *provider.Set
	OAuth               *oauthserver.Server
	OAuthStorage        *storage.Storage
	Trail               *audit.Trail
	Limits              *limit.Limiter
	Redirects           redirect.Rules
	SiteURL             string // the default redirect target
	TrustedProxies      []netip.Prefix
	LimitLocalAddresses bool // apply rate limits to loopback and private addresses, too
	Version             string
	Log                 *slog.Logger
}

// API serves the auth API.
type API struct{ base *base }

// New returns the API.
func New(o Options) *API { return &API{&base{Options: o}} }

// base holds what all handlers share.
type base struct {
	Options
	signIns tally.Of[SignIn]
}

// Handlers, by subject.
type (
	accountHandlers  struct{ *base }
	factorHandlers   struct{ *base }
	externalHandlers struct{ *base }
	adminHandlers    struct{ *base }
	oauthHandlers    struct{ *base }
	infoHandlers     struct{ *base }
)

// SignIn is a kind of sign-in: its method and its outcome.
type SignIn struct{ Method, Outcome string }

// SignIns returns the number of sign-ins of each kind.
func (a *API) SignIns() map[SignIn]uint64 { return a.base.signIns.All() }

// countOutcomes counts the outcomes of a sign-in method.
func (s *base) countOutcomes(method string, h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		err := h(w, r)
		s.signIns.Add(SignIn{method, outcome(err)}, 1)
		return err
	}
}

// outcome classifies the result of a request.
func outcome(err error) string {
	visible := apierr.As(err)
	switch {
	case err == nil:
		return "ok"
	case visible == nil || visible.Status >= http.StatusInternalServerError:
		return "failed"
	case visible.Status == http.StatusTooManyRequests:
		return "limited"
	}
	return "refused"
}

// checkAPIKey checks the project's API key. A request without a key is accepted as the public role,
// because GoTrue requires none and the public key is not secret. A wrong key is refused, as
// by Supabase's gateway.
func (s *base) checkAPIKey(h httpx.Handler) http.Handler {
	return s.handle(func(w http.ResponseWriter, r *http.Request) error {
		who, err := s.Auth.Key(r)
		switch {
		case errors.Is(err, claims.ErrNoKey):
			who = claims.ForRole(claims.Anon)
		case err != nil:
			return apierr.New(http.StatusUnauthorized, "invalid_api_key", "Invalid API key").WithCause(err)
		}
		return h(w, httpx.SetCaller(r, who))
	})
}

// requireAdmin serves only callers with one of the admin roles.
//
// Errors: 401 invalid_api_key, no_authorization; 403 not_admin; those of tokenError and, if the
// token has a session, those of caller.
func (s *base) requireAdmin(h httpx.Handler) http.Handler {
	return s.checkAPIKey(func(w http.ResponseWriter, r *http.Request) error {
		who, ok, err := s.Auth.Bearer(r)
		switch {
		case err != nil:
			return tokenError(err)
		case !ok:
			return errNoToken
		case !slices.Contains(s.Config.JWT.AdminRoles, who.Role):
			return autherr.Forbidden(autherr.CodeNotAdmin, "User not allowed")
		case who.SessionID != "":
			if _, err := s.caller(r); err != nil {
				return err
			}
		}
		return h(w, r)
	})
}

// isAdmin reports whether a request carries the token of an admin role.
func (s *base) isAdmin(r *http.Request) bool {
	who, ok, err := s.Auth.Bearer(r)
	return err == nil && ok && slices.Contains(s.Config.JWT.AdminRoles, who.Role)
}
