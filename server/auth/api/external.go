package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/external"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// authorize answers GET /authorize with a redirect to a provider.
func (s *externalHandlers) authorize(w http.ResponseWriter, r *http.Request) error {
	return s.sendToProvider(w, r, nil)
}

// sendToProvider begins a flow. The identity will be linked to linkTo; nil means a sign-in.
func (s *externalHandlers) sendToProvider(w http.ResponseWriter, r *http.Request, linkTo *users.User) error {
	query := r.URL.Query()
	address, err := s.Identities.Begin(r.Context(), query, s.Redirects.Target(r, ""), linkTo)
	if err != nil {
		return err
	}
	if query.Get("skip_http_redirect") == "true" {
		w.Header().Set("Cache-Control", "no-store")
		return httpx.WriteJSON(w, http.StatusOK, map[string]string{"url": address})
	}
	redirectFound(w, address)
	return nil
}

// redirectFound redirects with 302, as upstream does here.
func redirectFound(w http.ResponseWriter, target string) {
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("Location", target)
	w.WriteHeader(http.StatusFound)
}

// callback answers /callback, to which a provider redirects the browser: by GET, or by
// POST with a form, as Apple does. Errors are passed to the redirect target of the flow.
func (s *externalHandlers) callback(w http.ResponseWriter, r *http.Request) error {
	form := r.URL.Query()
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		if err := r.ParseForm(); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "Could not read the form").WithCause(err)
		}
		form = r.Form
	}
	result, err := s.Identities.Callback(r.Context(), form, s.request(r))
	s.signIns.Add(SignIn{"provider", outcome(err)}, 1)
	switch {
	case err != nil && result.Target == "":
		redirectSeeOther(w, withQuery(s.SiteURL, s.errorParams(r.Context(), "", err)))
	case err != nil:
		redirectFound(w, withOutcome(result.Target, s.errorParams(r.Context(), result.Provider, err), true))
	case result.Tokens == nil:
		redirectFound(w, withQuery(result.Target, url.Values{"code": {result.Code}}))
	default:
		more := url.Values{"provider_token": {result.Tokens.ProviderToken}}
		if refresh := result.Tokens.ProviderRefreshToken; refresh != "" {
			more.Set("provider_refresh_token", refresh)
		}
		redirectFound(w, withFragment(result.Target, result.Tokens.Fragment(more)))
	}
	return nil
}

// errorParams returns an error as the parameters of a redirect, and logs internal errors.
func (s *externalHandlers) errorParams(ctx context.Context, from string, err error) url.Values {
	var oauthErr *external.OAuthError
	if errors.As(err, &oauthErr) {
		return url.Values{"error": {oauthErr.Name}, "error_description": {oauthErr.Description}}
	}
	visible := apierr.As(err)
	if visible == nil {
		visible = adapter.Internal
	}
	if visible.Status >= http.StatusInternalServerError {
		s.Log.ErrorContext(ctx, "sign-in at a provider failed", "provider", from, "error", err)
	}
	name := "server_error"
	switch known, ok := oauthErrors[visible.Status]; {
	case visible.Code == autherr.CodeSignupDisabled, visible.Code == autherr.CodeUserBanned, visible.Code == autherr.CodeProviderEmail:
		name = "access_denied"
	case ok:
		name = known
	}
	return url.Values{"error": {name}, "error_code": {visible.Code}, "error_description": {visible.Message}}
}

var errNoManualLinking = autherr.NotFound(autherr.CodeManualLinking, "Manual linking is disabled")

// linkIdentity answers GET /user/identities/authorize. It sends the signed-in user to a
// provider to link an identity.
func (s *externalHandlers) linkIdentity(w http.ResponseWriter, r *http.Request) error {
	if !s.Config.Security.ManualLinking {
		return errNoManualLinking
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	return s.sendToProvider(w, r, current.User)
}

// unlinkIdentity answers DELETE /user/identities/{id}.
func (s *externalHandlers) unlinkIdentity(w http.ResponseWriter, r *http.Request) error {
	if !s.Config.Security.ManualLinking {
		return errNoManualLinking
	}
	current, err := s.caller(r)
	if err != nil {
		return err
	}
	if audience := r.Header.Get("X-JWT-AUD"); audience != "" && audience != current.User.Aud {
		return autherr.Forbidden(autherr.CodeAudience, "Token audience doesn't match request audience")
	}
	if err := s.Identities.Unlink(r.Context(), current.User.ID, r.PathValue("id"), s.requestInfo(r)); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, struct{}{})
}
