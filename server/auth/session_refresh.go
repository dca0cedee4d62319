package auth

import (
	"context"
	"encoding/json"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// refreshed is what came of a refresh token that was spent.
type refreshed struct {
	outcome   string
	userID    string // also of a session that ended
	refreshed bool   // false where the active token was answered again
}

// spendRefresh spends a refresh token of to's client, or else of the user's own,
// and fills in who gets the next one. limitKey names who asks; nobody has no limit. Clients are known, and no limit by address
// holds for them: one server refreshes for all of its people.
func (s *sessions) spendRefresh(ctx context.Context, spent string, to *bearer, who users.Visitor, limitKey string) (refreshed, error) {
	limits, sessions := s.limits.Token, s.config.Sessions
	var key *string
	if limitKey != "" && limits.PerSecond > 0 && to.client == "" {
		limitKey = limits.Name + ":" + limitKey
		key = &limitKey
	}
	var found refreshed
	var wait float64
	var began *time.Time
	var methods json.RawMessage
	err := s.store.QueryRow(ctx, refreshSession, []any{
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
		s.catchEnded(ctx, found.userID)
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
