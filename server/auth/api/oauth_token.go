package api

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"plaza/server/auth/oauth"
	"plaza/server/auth/oauthserver/storage"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// clientRequest is a client's request to the token, revocation or introspection endpoint.
type clientRequest struct {
	params url.Values
	login  *oauth.Login // from the Authorization header; nil: none
	from   storage.Origin
}

// withClient serves requests of clients. Errors have OAuth's format, and responses must not
// be cached.
func (s *oauthHandlers) withClient(h func(http.ResponseWriter, *http.Request, clientRequest) error) httpx.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		params, err := readParams(w, r)
		if err == nil {
			req := clientRequest{params: params, from: storage.Origin{Info: s.requestInfo(r), LimitKey: s.limitKey(r)}}
			if id, secret, ok := r.BasicAuth(); ok {
				req.login = &oauth.Login{ID: id, Secret: secret}
			}
			err = h(w, r, req)
		}
		var refused *oauth.Error
		if errors.As(err, &refused) {
			return writeOAuthError(w, r, refused)
		}
		return err
	}
}

// readParams reads a form or, as upstream does too, a JSON object. Query parameters are
// ignored, because URLs are logged.
func readParams(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	if strings.Contains(r.Header.Get("Content-Type"), "application/json") {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		return oauth.ParseJSON(body)
	}
	err := r.ParseForm()
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, err
	}
	if err != nil {
		return nil, &oauth.Error{Code: oauth.InvalidRequest, Description: "Failed to parse form data"}
	}
	return r.PostForm, nil
}

// writeOAuthError writes status 400, or 401 if the client authenticated with the Authorization
// header. Source: RFC 6749, section 5.2.
func writeOAuthError(w http.ResponseWriter, r *http.Request, refused *oauth.Error) error {
	status := http.StatusBadRequest
	if _, _, basic := r.BasicAuth(); basic && refused.Code == oauth.InvalidClient {
		w.Header().Set("WWW-Authenticate", `Basic realm="oauth"`)
		status = http.StatusUnauthorized
	}
	return httpx.WriteJSON(w, status, refused)
}

// token answers POST /oauth/token.
func (s *oauthHandlers) token(w http.ResponseWriter, r *http.Request, params clientRequest) error {
	result, err := s.OAuth.Token(r.Context(), params.params, params.login, params.from)
	if err != nil {
		return err
	}
	setIssuedHeaders(w.Header(), result.Issued)
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// revoke answers POST /oauth/revoke (RFC 7009). The status is 200 for an unknown token, too.
func (s *oauthHandlers) revoke(w http.ResponseWriter, r *http.Request, params clientRequest) error {
	if err := s.OAuth.Revoke(r.Context(), params.params, params.login, params.from); err != nil {
		return err
	}
	w.WriteHeader(http.StatusOK)
	return nil
}

// introspect answers POST /oauth/introspect (RFC 7662).
func (s *oauthHandlers) introspect(w http.ResponseWriter, r *http.Request, params clientRequest) error {
	result, err := s.OAuth.Introspect(r.Context(), params.params, params.login)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// userInfo answers GET and POST /oauth/userinfo.
func (s *oauthHandlers) userInfo(w http.ResponseWriter, r *http.Request) error {
	token, ok := claims.BearerToken(r)
	if !ok {
		return errNoToken
	}
	result, err := s.OAuth.UserInfo(r.Context(), token)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, result)
}
