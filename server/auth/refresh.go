package auth

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// refusals are the answers to a refresh that auth.refresh_session did not do.
var refusals = map[string]*apierr.Error{
	"not_found":    autherr.BadRequest(autherr.CodeRefreshNotFound, "Invalid Refresh Token: Refresh Token Not Found"),
	"no_session":   autherr.BadRequest(autherr.CodeSessionNotFound, "Invalid Refresh Token: No Valid Session Found"),
	"banned":       autherr.BadRequest(autherr.CodeUserBanned, "Invalid Refresh Token: User Banned"),
	"expired":      autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired"),
	"inactive":     autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Inactivity)"),
	"low_aal":      autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)"),
	"superseded":   autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Revoked by Newer Login)"),
	"already_used": autherr.BadRequest(autherr.CodeRefreshUsed, "Invalid Refresh Token: Already Used"),
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
	to := bearer{user: &users.User{}, grant: grant{method: session.MethodRefresh}}
	found, err := s.spendRefresh(r, params.Token, &to)
	if err != nil {
		return err
	}
	if found.userID != "" {
		w.Header().Set("Sb-Auth-User-Id", found.userID)
		w.Header().Set("Sb-Auth-Session-Id", to.session)
	}
	if refusal, ok := refusals[found.outcome]; ok {
		if found.outcome == "already_used" && s.config.Security.RefreshTokenRotation {
			w.Header().Set("Sb-Auth-Refresh-Token-Rotated", "true")
		}
		return refusal
	}
	answer, err := s.respond(r.Context(), nil, to, s.visitor(r))
	if err != nil {
		return err
	}
	w.Header().Set("Sb-Auth-Refresh-Token-Reuse", strconv.FormatBool(!found.refreshed))
	return answerTokens(w, answer)
}

// refreshed is what came of a refresh token that was spent.
type refreshed struct {
	outcome   string
	userID    string // also of a session that ended
	refreshed bool   // false where the active token was answered again
}

// spendRefresh spends a refresh token of to's client, or else of the user's own,
// and fills in who gets the next one. Clients are known, and no limit by address
// holds for them: one server refreshes for all of its people.
func (s *Server) spendRefresh(r *http.Request, spent string, to *bearer) (refreshed, error) {
	who, limits, sessions := s.visitor(r), s.limits.Token, s.config.Sessions
	var key *string
	if name := s.limitKey(r); name != "" && limits.PerSecond > 0 && to.client == "" {
		name = limits.Name + ":" + name
		key = &name
	}
	var found refreshed
	var wait float64
	var began *time.Time
	var methods json.RawMessage
	err := s.store.QueryRow(r.Context(), refreshSession, []any{
		spent, token.Refresh(), s.now(), time.Duration(s.config.Security.ReuseInterval) * time.Second,
		s.config.Security.RefreshTokenRotation, orNull(sessions.Timebox), orNull(sessions.InactivityTimeout), orNull(sessions.AllowLowAAL),
		sessions.SinglePerUser, sessions.Tags, who.UserAgent, who.Address, !s.config.AuditLog.DisablePostgres,
		key, limits.Burst, max(limits.PerSecond, 1e-9), to.client,
	}, append([]any{
		&wait, &found.outcome, &to.refresh, &to.session, &found.refreshed, &found.userID, &began, &to.client, &to.scopes, &methods,
	}, to.user.Targets()...)...)
	if err == nil {
		err = s.limits.Refuse(s.limits.Token, wait)
	}
	if found.outcome == "already_used" && found.userID != "" {
		s.catchEnded(r.Context(), found.userID)
	}
	if err != nil || began == nil {
		return found, err
	}
	to.user.Normalize()
	to.began = *began
	to.methods, err = parseMethods(methods)
	return found, err
}

// orNull gives SQL's null for a limit that is not set.
func orNull(limit time.Duration) *time.Duration {
	if limit == 0 {
		return nil
	}
	return &limit
}
