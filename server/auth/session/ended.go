package session

import (
	"context"
	"fmt"
	"time"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
)

// Errors for an access token with a valid signature whose session has ended or whose user is banned: 403.
var (
	ErrSessionNotFound = autherr.Forbidden(autherr.CodeSessionNotFound, "Session from session_id claim in JWT does not exist")
	ErrBanned          = autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
)

// RefreshEndedOnCommit must be called if tx may end sessions of a user or ban the user. It makes
// this server refuse their access tokens before the response is sent. Other servers
// learn of it through a PostgreSQL notification.
func (s *Sessions) RefreshEndedOnCommit(tx *store.Tx, userID string) {
	tx.OnCommit("sessions", func(ctx context.Context) { s.refreshEnded(ctx, userID) })
}

// LoadEndedSessions loads the ended sessions and the banned users, and records the lifetime
// of this server's access tokens.
//
// Errors: those of the database.
func (s *Sessions) LoadEndedSessions(ctx context.Context) error {
	if err := s.extendRetention(ctx, s.now().Add(time.Duration(s.config.JWT.Expiry)*time.Second)); err != nil {
		return err
	}
	return s.ended.Load(ctx)
}

// ReloadEndedSessions reloads the ended sessions after a change that ended those of many users.
//
// Errors: those of the database.
func (s *Sessions) ReloadEndedSessions(ctx context.Context) error { return s.ended.Load(ctx) }

// FollowEndedSessions keeps the ended sessions and banned users up to date until ctx ends.
func (s *Sessions) FollowEndedSessions(ctx context.Context) { s.ended.Run(ctx) }

// maxRetention bounds how long an ended session is remembered, even if a
// project's hook sets a later expiry on access tokens.
const maxRetention = 30 * 24 * time.Hour

// extendRetention records the lifetime of a token that is about to be signed if it is longer
// than all lifetimes before.
func (s *Sessions) extendRetention(ctx context.Context, expires time.Time) error {
	lifetime := min(expires.Sub(s.now()), maxRetention)
	if known := s.maxLifetime.Load(); int64(lifetime) <= known {
		return nil
	}
	if err := s.ended.ExtendRetention(ctx, lifetime); err != nil {
		return err
	}
	for known := s.maxLifetime.Load(); int64(lifetime) > known && !s.maxLifetime.CompareAndSwap(known, int64(lifetime)); {
		known = s.maxLifetime.Load()
	}
	return nil
}

// extendRetentionForClaims is extendRetention for the claims returned by a project's hook.
func (s *Sessions) extendRetentionForClaims(ctx context.Context, set map[string]any) error {
	expires, ok := set["exp"].(float64)
	if !ok {
		return nil
	}
	if err := s.extendRetention(ctx, time.Unix(int64(expires), 0)); err != nil {
		return fmt.Errorf("extend the retention of ended sessions to the expiry that the hook has set: %w", err)
	}
	return nil
}

// refreshEnded reads the sessions that a committed transaction has ended. A failure is
// only logged, because the notification follows in any case.
func (s *Sessions) refreshEnded(ctx context.Context, userID string) {
	if err := s.ended.RefreshUser(ctx, userID); err != nil {
		s.log.ErrorContext(ctx, "reading ended sessions failed, waiting for the notification", "error", err)
	}
}
