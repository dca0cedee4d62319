package api

import (
	"net/http"

	"plaza/server/httpx"
)

// Exposed are the response headers that pages of other origins may read.
var Exposed = []string{"X-Total-Count", "Link", versionHeader, "X-Request-Id"}

// Routes serves the API under a prefix such as "/auth/v1".
func (a *API) Routes(prefix string) http.Handler {
	routes := http.NewServeMux()
	on := func(path string, methods methods) { routes.Handle(prefix+path, methods) }
	a.accountRoutes(on)
	a.factorRoutes(on)
	a.externalRoutes(on)
	a.oauthRoutes(on)
	a.adminRoutes(on)
	a.infoRoutes(on)
	if s := (oauthHandlers{a.base}); prefix != "" {
		routes.Handle(MetadataPath+prefix, methods{http.MethodGet: s.handle(s.requireOAuthServer(s.discovery))})
	}
	return httpx.CORS(Exposed, routes)
}

// register adds the handlers of a path.
type register func(path string, methods methods)

func (a *API) accountRoutes(on register) {
	s := accountHandlers{a.base}
	codes := s.Limits.OTP
	on("/signup", methods{http.MethodPost: s.checkAPIKey(s.requireCaptcha(s.signUp))})
	on("/token", methods{http.MethodPost: s.checkAPIKey(s.token)})
	on("/otp", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(codes.ForPath("otp"), s.requireCaptcha(s.otp)))})
	on("/magiclink", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(codes.ForPath("magiclink"), s.requireCaptcha(s.magicLink)))})
	on("/recover", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(codes.ForPath("recover"), s.requireCaptcha(s.recover)))})
	on("/resend", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(codes.ForPath("resend"), s.requireCaptcha(s.resend)))})
	on("/user", methods{http.MethodGet: s.checkAPIKey(s.getUser), http.MethodPut: s.checkAPIKey(s.rateLimit(codes.ForPath("user"), s.updateUser)), http.MethodDelete: s.checkAPIKey(s.deleteUser)})
	on("/user/export", methods{http.MethodGet: s.checkAPIKey(s.exportUser)})
	on("/reauthenticate", methods{http.MethodGet: s.checkAPIKey(s.rateLimit(codes.ForPath("reauthenticate"), s.reauthenticate))})
	on("/logout", methods{http.MethodPost: s.checkAPIKey(s.logout)})
	// No API key is required, as behind Supabase's gateway: browsers follow links in mails.
	on("/verify", methods{http.MethodGet: s.handle(s.verifyPage), http.MethodPost: s.handle(s.countOutcomes("one_time", s.rateLimit(s.Limits.Verify, s.verify)))})
}

func (a *API) factorRoutes(on register) {
	s := factorHandlers{a.base}
	mfa, passkey := s.Limits.MFA, s.Limits.Passkey
	on("/factors", methods{http.MethodPost: s.checkAPIKey(s.enrollFactor)})
	on("/factors/{id}", methods{http.MethodDelete: s.checkAPIKey(s.unenrollFactor)})
	on("/factors/{id}/challenge", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(mfa.ForPath("challenge"), s.challengeFactor))})
	on("/factors/{id}/verify", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(mfa.ForPath("verify"), s.verifyFactor))})
	on("/factors/recovery-codes", methods{
		http.MethodGet: s.checkAPIKey(s.recoveryStatus), http.MethodPost: s.checkAPIKey(s.createRecoveryCodes), http.MethodDelete: s.checkAPIKey(s.deleteRecoveryCodes),
	})
	on("/factors/recovery-codes/regenerate", methods{http.MethodPost: s.checkAPIKey(s.regenerateRecoveryCodes)})
	on("/factors/recovery-codes/verify", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(mfa.ForPath("recovery"), s.verifyRecoveryCode))})
	on("/passkeys", methods{http.MethodGet: s.checkAPIKey(s.withPasskeys(s.listPasskeys))})
	on("/passkeys/{id}", methods{http.MethodPatch: s.checkAPIKey(s.withPasskeys(s.renamePasskey)), http.MethodDelete: s.checkAPIKey(s.withPasskeys(s.deletePasskey))})
	on("/passkeys/registration/options", methods{http.MethodPost: s.checkAPIKey(s.withPasskeys(s.passkeyOptions))})
	on("/passkeys/registration/verify", methods{http.MethodPost: s.checkAPIKey(s.withPasskeys(s.registerPasskey))})
	on("/passkeys/authentication/options", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(passkey, s.requireCaptcha(s.withPasskeys(s.passkeySignInOptions))))})
	on("/passkeys/authentication/verify", methods{http.MethodPost: s.checkAPIKey(s.rateLimit(passkey.ForPath("verify"), s.countOutcomes("passkey", s.withPasskeys(s.passkeySignIn))))})
}

func (a *API) externalRoutes(on register) {
	s := externalHandlers{a.base}
	on("/user/identities/authorize", methods{http.MethodGet: s.checkAPIKey(s.linkIdentity)})
	on("/user/identities/{id}", methods{http.MethodDelete: s.checkAPIKey(s.unlinkIdentity)})
	// No API key is required: browsers are redirected here by an app or a provider.
	on("/authorize", methods{http.MethodGet: s.handle(s.authorize)})
	on("/callback", methods{http.MethodGet: s.handle(s.callback), http.MethodPost: s.handle(s.callback)})
}

func (a *API) oauthRoutes(on register) {
	s := oauthHandlers{a.base}
	on("/oauth/authorizations/{id}", methods{http.MethodGet: s.checkAPIKey(s.requireOAuthServer(s.openConsent))})
	on("/oauth/authorizations/{id}/consent", methods{http.MethodPost: s.checkAPIKey(s.requireOAuthServer(s.decideConsent))})
	on("/user/oauth/grants", methods{http.MethodGet: s.checkAPIKey(s.requireOAuthServer(s.listGrants)), http.MethodDelete: s.checkAPIKey(s.requireOAuthServer(s.revokeGrant))})
	on("/admin/oauth/clients", methods{http.MethodGet: s.requireAdmin(s.requireOAuthServer(s.listClients)), http.MethodPost: s.requireAdmin(s.requireOAuthServer(s.addClientByAdmin))})
	on("/admin/oauth/clients/{client}", methods{
		http.MethodGet: s.requireAdmin(s.requireOAuthServer(s.getClient)), http.MethodPut: s.requireAdmin(s.requireOAuthServer(s.changeClient)), http.MethodDelete: s.requireAdmin(s.requireOAuthServer(s.deleteClient)),
	})
	on("/admin/oauth/clients/{client}/regenerate_secret", methods{http.MethodPost: s.requireAdmin(s.requireOAuthServer(s.regenerateSecret))})
	// No API key is required: browsers are redirected here by an app, and servers of apps call directly.
	on("/oauth/authorize", methods{http.MethodGet: s.handle(s.requireOAuthServer(s.rateLimit(s.Limits.Token.ForPath("authorize"), s.authorizeClient)))})
	on("/oauth/token", methods{http.MethodPost: s.handle(s.requireOAuthServer(s.withClient(s.token)))})
	on("/oauth/revoke", methods{http.MethodPost: s.handle(s.requireOAuthServer(s.withClient(s.revoke)))})
	on("/oauth/introspect", methods{http.MethodPost: s.handle(s.requireOAuthServer(s.withClient(s.introspect)))})
	on("/oauth/userinfo", methods{http.MethodGet: s.handle(s.requireOAuthServer(s.userInfo)), http.MethodPost: s.handle(s.requireOAuthServer(s.userInfo))})
	on("/oauth/clients/register", methods{http.MethodPost: s.handle(s.requireOAuthServer(s.rateLimit(s.Limits.Register, s.registerClient)))})
	on("/.well-known/openid-configuration", methods{http.MethodGet: s.handle(s.discovery)})
	on("/.well-known/oauth-authorization-server", methods{http.MethodGet: s.handle(s.requireOAuthServer(s.discovery))})
}

func (a *API) adminRoutes(on register) {
	s := adminHandlers{a.base}
	on("/invite", methods{http.MethodPost: s.requireAdmin(s.invite)})
	on("/admin/generate_link", methods{http.MethodPost: s.requireAdmin(s.generateLink)})
	on("/admin/audit", methods{http.MethodGet: s.requireAdmin(s.adminAudit)})
	on("/admin/users", methods{http.MethodGet: s.requireAdmin(s.adminListUsers), http.MethodPost: s.requireAdmin(s.adminCreateUser)})
	on("/admin/users/{user}", methods{
		http.MethodGet: s.requireAdmin(s.adminGetUser), http.MethodPut: s.requireAdmin(s.adminUpdateUser), http.MethodDelete: s.requireAdmin(s.adminDeleteUser),
	})
	on("/admin/users/{user}/sessions", methods{http.MethodGet: s.requireAdmin(s.adminListSessions), http.MethodDelete: s.requireAdmin(s.adminEndSession)})
	on("/admin/users/{user}/sessions/{session}", methods{http.MethodDelete: s.requireAdmin(s.adminEndSession)})
	on("/admin/users/{user}/factors", methods{http.MethodGet: s.requireAdmin(s.adminFactors)})
	on("/admin/users/{user}/factors/{id}", methods{http.MethodPut: s.requireAdmin(s.adminUpdateFactor), http.MethodDelete: s.requireAdmin(s.adminDeleteFactor)})
	on("/admin/users/{user}/passkeys", methods{http.MethodGet: s.requireAdmin(s.adminPasskeys)})
	on("/admin/users/{user}/passkeys/{id}", methods{http.MethodDelete: s.requireAdmin(s.adminDeletePasskey)})
	on("/admin/custom-providers", methods{http.MethodGet: s.requireAdmin(s.listCustomProviders), http.MethodPost: s.requireAdmin(s.addCustomProvider)})
	on("/admin/custom-providers/{identifier}", methods{
		http.MethodGet: s.requireAdmin(s.getCustomProvider), http.MethodPut: s.requireAdmin(s.changeCustomProvider), http.MethodDelete: s.requireAdmin(s.deleteCustomProvider),
	})
}

func (a *API) infoRoutes(on register) {
	s := infoHandlers{a.base}
	on("/settings", methods{http.MethodGet: s.checkAPIKey(s.settings)})
	for _, path := range []string{"/sso", "/sso/saml/metadata", "/sso/saml/acs"} {
		on(path, methods{http.MethodGet: s.handle(samlDisabled), http.MethodPost: s.handle(samlDisabled)})
	}
	// No API key is required: servers of apps and monitoring call these.
	on("/health", methods{http.MethodGet: s.handle(s.health)})
	on("/.well-known/jwks.json", methods{http.MethodGet: s.handle(s.keySet)})
}

// methods maps HTTP methods to the handlers of one path.
type methods map[string]http.Handler

// ServeHTTP responds to other methods with 405, an empty body and the Allow header.
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
