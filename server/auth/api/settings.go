package api

import (
	"fmt"
	"net/http"

	"plaza/server/auth/autherr"
	"plaza/server/auth/keys"
	"plaza/server/httpx"
)

// providers are upstream's names of external sign-in methods. GET /settings returns a boolean
// for each.
var providers = []string{
	"anonymous_users", "apple", "azure", "bitbucket", "discord", "facebook", "snapchat", "figma", "fly", "github", "gitlab",
	"google", "keycloak", "kakao", "linkedin", "linkedin_oidc", "notion", "spotify", "slack", "slack_oidc", "workos", "twitch",
	"twitter", "phone", "zoom",
}

// settings answers GET /settings with the enabled sign-in methods.
func (s *infoHandlers) settings(w http.ResponseWriter, _ *http.Request) error {
	external := map[string]bool{}
	for _, name := range providers {
		external[name] = s.Providers.Enabled(name)
	}
	external["email"], external["phone"], external["anonymous_users"] = s.Config.Ways.Email, s.Config.Ways.Phone, s.Config.Ways.Anonymous
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{
		"external": external, "disable_signup": s.Config.DisableSignup, "mailer_autoconfirm": s.Config.Mailer.Autoconfirm,
		"phone_autoconfirm": s.Config.SMS.Autoconfirm, "sms_provider": s.Config.SMS.Provider, "saml_enabled": false, "saml_private_key_next_configured": false,
		"passkeys_enabled": s.Passkeys.Enabled(),
	})
}

// samlDisabled responds as upstream does if SAML is disabled. It is always disabled here.
func samlDisabled(http.ResponseWriter, *http.Request) error {
	return autherr.NotFound("saml_provider_disabled", "SAML 2.0 is disabled")
}

// web3Disabled answers POST /token?grant_type=web3 as upstream does if Web3 is disabled. It is
// always disabled here.
func web3Disabled(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Chain string `json:"chain"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	names := map[string]string{"solana": "Solana", "ethereum": "Ethereum"}
	name, ok := names[params.Chain]
	if !ok {
		return autherr.BadRequest("web3_unsupported_chain", "Unsupported chain")
	}
	return autherr.Unprocessable("web3_provider_disabled", "%s Web3 provider is disabled", name)
}

// health answers GET /health.
func (s *infoHandlers) health(w http.ResponseWriter, _ *http.Request) error {
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{
		"name": "GoTrue", "version": s.Version, "description": "Plaza's auth server, which speaks GoTrue's API",
	})
}

// keySet answers GET /.well-known/jwks.json. The key set does not contain the shared secret.
func (s *infoHandlers) keySet(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keys.MaxAge.Seconds())))
	return httpx.WriteJSON(w, http.StatusOK, s.Auth.Verifier.Ring().JWKS())
}
