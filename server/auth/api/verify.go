package api

import (
	"net/http"
	"net/url"
	"strings"

	"plaza/server/apierr"
	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/auth/token"
	"plaza/server/httpx"
)

const partialMessage = "Confirmation link accepted. Please proceed to confirm link sent to the other email"

// verify answers POST /verify: JSON from a client, or a form from the button of our page.
func (s *accountHandlers) verify(w http.ResponseWriter, r *http.Request) error {
	if isForm(r) {
		return s.verifyForm(w, r)
	}
	var params account.Verification
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	done, err := s.Accounts.Verify(r.Context(), params, s.request(r))
	switch {
	case err != nil:
		return err
	case done.Partial:
		return httpx.WriteJSON(w, http.StatusOK, map[string]string{"msg": partialMessage, "code": "200"})
	}
	return writeTokens(w, done.Tokens)
}

// verifyForm handles the button of our page. It consumes the link's secret and redirects to
// the link's target.
func (s *accountHandlers) verifyForm(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if err := r.ParseForm(); err != nil {
		return autherr.BadRequest(autherr.CodeValidation, "Could not read the form").WithCause(err)
	}
	purpose, secret := r.PostForm.Get("type"), r.PostForm.Get("token")
	target := s.Redirects.Target(r, r.PostForm.Get("redirect_to"))
	if secret == "" {
		return autherr.BadRequest(autherr.CodeValidation, "Verify requires a token or a token hash")
	}
	if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "same-origin" {
		// A form on another page must not sign its visitor in; they must press our button.
		return s.writeVerifyPage(w, purpose, secret, target)
	}
	pkce := strings.HasPrefix(secret, token.PKCEPrefix)
	done, err := s.Accounts.FollowLink(r.Context(), purpose, secret, s.request(r))
	visible := apierr.As(err)
	switch {
	case err != nil && visible == nil:
		return err
	case err != nil:
		target = errorTarget(target, visible, pkce)
	case done.Partial:
		target = messageTarget(target, partialMessage, pkce)
	case pkce:
		target = withQuery(target, url.Values{"code": {done.Code}})
	default:
		setIssuedHeaders(w.Header(), done.Tokens)
		target = withFragment(target, done.Tokens.Fragment(url.Values{"type": {purpose}}))
	}
	redirectSeeOther(w, target)
	return nil
}

// redirectSeeOther redirects with 303 to a target that may contain tokens.
func redirectSeeOther(w http.ResponseWriter, target string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Location", target)
	w.WriteHeader(http.StatusSeeOther)
}

func isForm(r *http.Request) bool {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "application/x-www-form-urlencoded")
}

// oauthErrors maps an HTTP status to the OAuth error code that redirects carry.
var oauthErrors = map[int]string{
	http.StatusBadRequest: "invalid_request", http.StatusUnauthorized: "unauthorized_client", http.StatusForbidden: "access_denied",
	http.StatusInternalServerError: "server_error", http.StatusServiceUnavailable: "temporarily_unavailable",
}

// errorTarget adds an error to a redirect target: in the fragment, and for PKCE in the
// query, too.
func errorTarget(target string, e *apierr.Error, pkce bool) string {
	values := url.Values{"error_code": {e.Code}, "error_description": {e.Message}}
	if name, ok := oauthErrors[e.Status]; ok {
		values.Set("error", name)
	}
	return withOutcome(target, values, pkce)
}

func messageTarget(target, message string, pkce bool) string {
	return withOutcome(target, url.Values{"message": {message}}, pkce)
}

func withOutcome(target string, values url.Values, pkce bool) string {
	if pkce {
		target = withQuery(target, values)
	}
	values.Set("sb", "") // lets a client recognize our redirects
	return withFragment(target, values.Encode())
}

func withQuery(target string, values url.Values) string {
	parsed, err := url.Parse(target)
	if err != nil {
		return target // not reached: only parsed targets are allowed
	}
	query := parsed.Query()
	for name, value := range values {
		query[name] = value
	}
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

func withFragment(target, fragment string) string {
	bare, _, _ := strings.Cut(target, "#")
	return bare + "#" + fragment
}
