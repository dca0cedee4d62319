package session

import (
	"context"
	"fmt"
	"time"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
)

var (
	ErrSessionGone = autherr.Forbidden(autherr.CodeSessionNotFound, "Session from session_id claim in JWT does not exist")
	ErrBanned      = autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
)

// NoteEnded must be called if tx may end sessions of a user or ban the user. It makes
// this server refuse their access tokens before the response is sent. Other servers
// learn of it through a PostgreSQL notification.
func (s *Sessions) NoteEnded(tx *store.Tx, userID string) {
	tx.OnCommit("sessions", func(ctx context.Context) { s.catchEnded(ctx, userID) })
}

// LoadEnded loads the ended sessions and the banned users, and records the lifetime
// of this server's access tokens.
func (s *Sessions) LoadEnded(ctx context.Context) error {
	if err := s.lengthen(ctx, s.now().Add(time.Duration(s.config.JWT.Expiry)*time.Second)); err != nil {
		return err
	}
	return s.ended.Load(ctx)
}

// ReadEnded reloads the ended sessions after a change that ended those of many users.
func (s *Sessions) ReadEnded(ctx context.Context) error { return s.ended.Load(ctx) }

// FollowEnded keeps the ended sessions and banned users up to date until ctx ends.
func (s *Sessions) FollowEnded(ctx context.Context) { s.ended.Run(ctx) }

// longestLifetime bounds how long an ended session is remembered, even if a
// project's hook sets a later expiry on access tokens.
const longestLifetime = 30 * 24 * time.Hour

// lengthen records the lifetime of a token that is about to be signed if it is longer
// than all lifetimes before.
func (s *Sessions) lengthen(ctx context.Context, expires time.Time) error {
	lifetime := min(expires.Sub(s.now()), longestLifetime)
	if known := s.longest.Load(); int64(lifetime) <= known {
		return nil
	}
	if err := s.ended.Lengthen(ctx, lifetime); err != nil {
		return err
	}
	for known := s.longest.Load(); int64(lifetime) > known && !s.longest.CompareAndSwap(known, int64(lifetime)); {
		known = s.longest.Load()
	}
	return nil
}

// lengthenFor is lengthen for the claims returned by a project's hook.
func (s *Sessions) lengthenFor(ctx context.Context, set map[string]any) error {
	expires, ok := set["exp"].(float64)
	if !ok {
		return nil
	}
	if err := s.lengthen(ctx, time.Unix(int64(expires), 0)); err != nil {
		return fmt.Errorf("custom access token: %w", err)
	}
	return nil
}

// catchEnded reads the sessions that a committed transaction has ended. A failure is
// only logged, because the notification follows in any case.
func (s *Sessions) catchEnded(ctx context.Context, userID string) {
	if err := s.ended.Catch(ctx, userID); err != nil {
		s.log.ErrorContext(ctx, "ended sessions are refused only when their notification comes", "error", err)
	}
}
