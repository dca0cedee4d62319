package api

import (
	"net/http"
	"strconv"

	"plaza/server/auth/session"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// refreshGrant exchanges a refresh token for a new access token and a new refresh token.
// auth.refresh_session applies all rules in one round trip.
func (s *accountHandlers) refreshGrant(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Token string `json:"refresh_token"`
	}
	if err := readBody(w, r, &params); err != nil {
		return err
	}
	if params.Token == "" {
		return httpx.WriteJSON(w, http.StatusBadRequest, map[string]string{
			"error": "invalid_request", "error_description": "refresh_token required",
		})
	}
	tokenParams := session.TokenParams{User: &users.User{}, Grant: session.Grant{Method: session.MethodRefresh}}
	found, err := s.Sessions.Refresh(r.Context(), params.Token, &tokenParams, s.requestInfo(r), s.limitKey(r))
	if err != nil {
		return err
	}
	if found.UserID != "" {
		w.Header().Set("Sb-Auth-User-Id", found.UserID)
		w.Header().Set("Sb-Auth-Session-Id", tokenParams.Session)
	}
	if refusal, ok := session.Refusals[found.Outcome]; ok {
		if found.Outcome == "already_used" && s.Config.Security.RefreshTokenRotation {
			w.Header().Set("Sb-Auth-Refresh-Token-Rotated", "true")
		}
		return refusal
	}
	result, err := s.Sessions.Issue(r.Context(), nil, tokenParams, s.requestInfo(r))
	if err != nil {
		return err
	}
	w.Header().Set("Sb-Auth-Refresh-Token-Reuse", strconv.FormatBool(!found.Refreshed))
	return writeTokens(w, result)
}
