package session

import (
	"context"
	"encoding/json"
	"time"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Refusals are the answers to a refresh that auth.refresh_session did not do.
var Refusals = map[string]*apierr.Error{
	"not_found":    autherr.BadRequest(autherr.CodeRefreshNotFound, "Invalid Refresh Token: Refresh Token Not Found"),
	"no_session":   autherr.BadRequest(autherr.CodeSessionNotFound, "Invalid Refresh Token: No Valid Session Found"),
	"banned":       autherr.BadRequest(autherr.CodeUserBanned, "Invalid Refresh Token: User Banned"),
	"expired":      autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired"),
	"inactive":     autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Inactivity)"),
	"low_aal":      autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Low AAL: User Needs MFA Verification)"),
	"superseded":   autherr.BadRequest(autherr.CodeSessionExpired, "Invalid Refresh Token: Session Expired (Revoked by Newer Login)"),
	"already_used": autherr.BadRequest(autherr.CodeRefreshUsed, "Invalid Refresh Token: Already Used"),
}

// Refresh spends a refresh token of to's client, or else of the user's own,
// and fills in who gets the next one. limitKey names who asks; nobody has no limit. Clients are known, and no limit by address
// holds for them: one server refreshes for all of its people.
func (s *Sessions) Refresh(ctx context.Context, spent string, to *Bearer, who users.Visitor, limitKey string) (Refreshed, error) {
	limits, sessions := s.limits.Token, s.config.Sessions
	var key *string
	if limitKey != "" && limits.PerSecond > 0 && to.Client == "" {
		limitKey = limits.Name + ":" + limitKey
		key = &limitKey
	}
	var found Refreshed
	var wait float64
	var began *time.Time
	var methods json.RawMessage
	err := s.db.QueryRow(ctx, refreshSession, []any{
		spent, token.Refresh(), s.now(), time.Duration(s.config.Security.ReuseInterval) * time.Second,
		s.config.Security.RefreshTokenRotation, orNull(sessions.Timebox), orNull(sessions.InactivityTimeout), orNull(sessions.AllowLowAAL),
		sessions.SinglePerUser, sessions.Tags, who.UserAgent, who.Address, !s.config.AuditLog.DisablePostgres,
		key, limits.Burst, max(limits.PerSecond, 1e-9), to.Client,
	}, append([]any{
		&wait, &found.Outcome, &to.Refresh, &to.Session, &found.Refreshed, &found.UserID, &began, &to.Client, &to.Scopes, &methods,
	}, to.User.Targets()...)...)
	if err == nil {
		err = s.limits.Refuse(s.limits.Token, wait)
	}
	if found.Outcome == "already_used" && found.UserID != "" {
		s.catchEnded(ctx, found.UserID)
	}
	if err != nil || began == nil {
		return found, err
	}
	to.User.Normalize()
	to.Began = *began
	to.Methods, err = parseMethods(methods)
	return found, err
}

// orNull returns SQL's null for a limit that is not set.
func orNull(limit time.Duration) *time.Duration {
	if limit == 0 {
		return nil
	}
	return &limit
}

// Refreshed is what came of a refresh token that was spent.
type Refreshed struct {
	Outcome   string
	UserID    string // also of a session that ended
	Refreshed bool   // false where the active token was answered again
}
