package api

import (
	"fmt"
	"net/http"

	"plaza/server/auth/autherr"
	"plaza/server/auth/keys"
	"plaza/server/httpx"
)

var (
	errOAuthDisabled = autherr.NotFound(autherr.CodeFeatureDisabled, "OAuth server is disabled")
	errOrigin        = autherr.BadRequest(autherr.CodeValidation, "unauthorized request origin")
)

// requireOAuthServer serves a path only if the OAuth server is enabled.
func (s *oauthHandlers) requireOAuthServer(h httpx.Handler) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !s.Config.OAuthServer.Enabled {
			return errOAuthDisabled
		}
		return h(w, r)
	}
}

// authorizeClient answers GET /oauth/authorize, to which a client redirects a user.
func (s *oauthHandlers) authorizeClient(w http.ResponseWriter, r *http.Request) error {
	location, err := s.OAuth.Authorize(r.Context(), r.URL.Query())
	if err != nil {
		return err
	}
	redirectFound(w, location)
	return nil
}

// checkOrigin refuses requests from pages of other origins, because consent is given on the
// site's own page. Browsers send Origin with a script's request to another origin that carries a
// token, so a request without Origin comes from the site itself or not from a browser.
func (s *oauthHandlers) checkOrigin(r *http.Request) error {
	origin := r.Header.Get("Origin")
	if origin == "" || s.Redirects.Allows(origin) || s.Redirects.Allows(origin+"/") {
		return nil
	}
	return errOrigin
}

// openConsent answers GET /oauth/authorizations/{id}, for the consent page.
func (s *oauthHandlers) openConsent(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r); err != nil {
		return err
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	result, err := s.OAuth.OpenConsent(r.Context(), r.PathValue("id"), current)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// decideConsent answers POST /oauth/authorizations/{id}/consent.
func (s *oauthHandlers) decideConsent(w http.ResponseWriter, r *http.Request) error {
	if err := s.checkOrigin(r); err != nil {
		return err
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	var params struct{ Action string }
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	result, err := s.OAuth.Decide(r.Context(), r.PathValue("id"), params.Action, current)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// listGrants answers GET /user/oauth/grants.
func (s *oauthHandlers) listGrants(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	grants, err := s.OAuthStorage.Grants(r.Context(), current.User.ID)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, grants)
}

// revokeGrant answers DELETE /user/oauth/grants?client_id=. It ends the client's sessions;
// the client must ask for consent again.
func (s *oauthHandlers) revokeGrant(w http.ResponseWriter, r *http.Request) error {
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	if err := s.OAuthStorage.RevokeGrant(r.Context(), current.User, r.URL.Query().Get("client_id"), s.requestInfo(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// MetadataPath is the well-known path of RFC 8414. The path of the issuer is appended to it.
const MetadataPath = "/.well-known/oauth-authorization-server"

// discovery answers /.well-known/openid-configuration and
// /.well-known/oauth-authorization-server with the same document.
func (s *oauthHandlers) discovery(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keys.MaxAge.Seconds())))
	return httpx.WriteJSON(w, http.StatusOK, s.OAuth.Metadata())
}
