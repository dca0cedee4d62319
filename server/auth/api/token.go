package api

import (
	"net/http"

	"plaza/server/auth/account"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/httpx"
)

// token answers POST /token, which issues tokens for a password, a refresh token, a PKCE
// code or an ID token.
func (s *accountHandlers) token(w http.ResponseWriter, r *http.Request) error {
	kind := r.URL.Query().Get("grant_type")
	if kind != "refresh_token" { // refreshGrant applies the limit in its only round trip
		if err := s.Limits.Spend(r.Context(), s.Limits.Token, s.limitKey(r)); err != nil {
			return err
		}
	}
	switch kind {
	case "password":
		return s.countOutcomes(kind, s.requireCaptcha(s.passwordGrant))(w, r)
	case "refresh_token":
		return s.countOutcomes(kind, s.refreshGrant)(w, r)
	case "pkce":
		return s.countOutcomes(kind, s.pkceGrant)(w, r)
	case "id_token":
		return s.countOutcomes(kind, s.idTokenGrant)(w, r)
	case "web3":
		return web3Disabled(w, r)
	}
	return autherr.BadRequest(autherr.CodeInvalidLogin, "unsupported_grant_type")
}

// prefixLength is how many characters of a refresh token may appear in headers and logs.
const prefixLength = 5

// setIssuedHeaders sets headers that tell proxies and logs which session was issued.
func setIssuedHeaders(header http.Header, t *session.TokenResponse) {
	header.Set("Sb-Auth-User-Id", t.User.ID)
	header.Set("Sb-Auth-Session-Id", t.SessionID)
	header.Set("Sb-Auth-Refresh-Token-Prefix", t.RefreshToken[:prefixLength])
}

func writeTokens(w http.ResponseWriter, result *session.TokenResponse) error {
	setIssuedHeaders(w.Header(), result)
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, result)
}

// passwordGrant signs in with a password.
func (s *accountHandlers) passwordGrant(w http.ResponseWriter, r *http.Request) error {
	var params account.Credentials
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	tokens, err := s.Accounts.SignIns.Password(r.Context(), params, s.request(r))
	if err != nil {
		return err
	}
	return writeTokens(w, tokens)
}

// pkceGrant exchanges a PKCE code.
func (s *accountHandlers) pkceGrant(w http.ResponseWriter, r *http.Request) error {
	var params account.CodeExchange
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	tokens, err := s.Accounts.SignIns.Exchange(r.Context(), params, s.request(r))
	if err != nil {
		return err
	}
	return writeTokens(w, tokens)
}
