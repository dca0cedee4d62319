package auth

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/token"
	"plaza/server/httpx"
)

// refusals are the answers to a refresh that auth.refresh_session did not do.
var refusals = map[string]*apierr.Error{
	"not_found":    badRequest(codeRefreshNotFound, "Invalid Refresh Token: Refresh Token Not Found"),
	"no_session":   badRequest(codeSessionNotFound, "Invalid Refresh Token: No Valid Session Found"),
	"banned":       badRequest(codeUserBanned, "Invalid Refresh Token: User Banned"),
	"expired":      badRequest(codeSessionExpired, "Invalid Refresh Token: Session Expired"),
	"inactive":     badRequest(codeSessionExpired, "Invalid Refresh Token: Session Expired (Inactivity)"),
	"already_used": badRequest(codeRefreshUsed, "Invalid Refresh Token: Already Used"),
}

// refreshGrant gives a new access token, and a new refresh token for the one
// spent. All rules are kept by auth.refresh_session, in one round trip.
func (s *Server) refreshGrant(w http.ResponseWriter, r *http.Request) error {
	var params struct {
		Token string `json:"refresh_token"`
	}
	if err := read(w, r, &params); err != nil {
		return err
	}
	if params.Token == "" {
		return httpx.WriteJSON(w, http.StatusBadRequest, map[string]string{
			"error": "invalid_request", "error_description": "refresh_token required",
		})
	}
	who := s.visitor(r)
	var outcome, refresh, session, userID string
	var refreshed bool
	var methods json.RawMessage
	user := &User{}
	err := s.once(r.Context(), refreshSession, []any{
		params.Token, token.Refresh(), s.now(), time.Duration(s.config.Security.ReuseInterval) * time.Second,
		s.config.Security.RefreshTokenRotation, orNull(s.config.Sessions.Timebox), orNull(s.config.Sessions.InactivityTimeout),
		who.userAgent, who.address, !s.config.AuditLog.DisablePostgres,
	}, append([]any{&outcome, &refresh, &session, &refreshed, &userID, &methods}, user.fields()...)...)
	if err != nil {
		return err
	}
	if userID != "" {
		w.Header().Set("Sb-Auth-User-Id", userID)
		w.Header().Set("Sb-Auth-Session-Id", session)
	}
	if refusal, ok := refusals[outcome]; ok {
		if outcome == "already_used" && s.config.Security.RefreshTokenRotation {
			w.Header().Set("Sb-Auth-Refresh-Token-Rotated", "true")
		}
		return refusal
	}
	used, err := parseMethods(methods)
	if err != nil {
		return err
	}
	user.utc()
	answer, err := s.respond(user, session, refresh, used)
	if err != nil {
		return err
	}
	w.Header().Set("Sb-Auth-Refresh-Token-Reuse", strconv.FormatBool(!refreshed))
	return answerTokens(w, answer)
}

// orNull gives SQL's null for a limit that is not set.
func orNull(limit time.Duration) *time.Duration {
	if limit == 0 {
		return nil
	}
	return &limit
}
