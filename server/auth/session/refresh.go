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

// Refusals are the errors for the outcomes of auth.refresh_session that refuse a refresh.
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

// Refresh consumes a refresh token and fills params with its session and the next refresh token.
// The token must belong to params.Client, or to a session without a client if that is empty.
// limitKey identifies the caller for the rate limit; an empty key means no limit. OAuth clients
// have no limit by address, because one server refreshes the tokens of all of its users.
//
// Errors: 429 over_request_rate_limit. A refused token is not an error: its Outcome is a key of
// Refusals.
func (s *Sessions) Refresh(ctx context.Context, spent string, params *TokenParams, info users.RequestInfo, limitKey string) (RefreshResult, error) {
	limits, sessions := s.limits.Token, s.config.Sessions
	var key *string
	if limitKey != "" && limits.PerSecond > 0 && params.Client == "" {
		limitKey = limits.Name + ":" + limitKey
		key = &limitKey
	}
	var found RefreshResult
	var wait float64
	var began *time.Time
	var methods json.RawMessage
	err := s.db.QueryRow(ctx, refreshSession, []any{
		spent, token.Refresh(), s.now(), time.Duration(s.config.Security.ReuseInterval) * time.Second,
		s.config.Security.RefreshTokenRotation, orNull(sessions.Timebox), orNull(sessions.InactivityTimeout), orNull(sessions.AllowLowAAL),
		sessions.SinglePerUser, sessions.Tags, info.UserAgent, info.Address, !s.config.AuditLog.DisablePostgres,
		key, limits.Burst, max(limits.PerSecond, 1e-9), params.Client,
	}, append([]any{
		&wait, &found.Outcome, &params.Refresh, &params.Session, &found.Refreshed, &found.UserID, &began, &params.Client, &params.Scopes, &methods,
	}, params.User.ScanTargets()...)...)
	if err == nil {
		err = s.limits.RefusalError(s.limits.Token, wait)
	}
	if found.Outcome == "already_used" && found.UserID != "" {
		s.refreshEnded(ctx, found.UserID)
	}
	if err != nil || began == nil {
		return found, err
	}
	params.User.Normalize()
	params.StartedAt = *began
	params.Methods, err = parseMethods(methods)
	return found, err
}

// orNull returns nil, which is SQL's NULL, for a limit that is not set.
func orNull(limit time.Duration) *time.Duration {
	if limit == 0 {
		return nil
	}
	return &limit
}

// RefreshResult is the result of Refresh.
type RefreshResult struct {
	Outcome   string
	UserID    string // set for an ended session, too
	Refreshed bool   // false if the active token was returned again
}
