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

// NoteEnded notes that tx may end sessions of a user or ban the user. This server then
// refuses their access tokens before the request is answered; the other servers
// hear of it from PostgreSQL.
func (s *Sessions) NoteEnded(tx *store.Tx, userID string) {
	tx.OnCommit("sessions", func(ctx context.Context) { s.catchEnded(ctx, userID) })
}

// LoadEnded reads the sessions that have ended and the users who are banned, and
// notes how long the tokens of this server live.
func (s *Sessions) LoadEnded(ctx context.Context) error {
	if err := s.lengthen(ctx, s.now().Add(time.Duration(s.config.JWT.Expiry)*time.Second)); err != nil {
		return err
	}
	return s.ended.Load(ctx)
}

// ReadEnded reads them anew, for one change that ends those of many users.
func (s *Sessions) ReadEnded(ctx context.Context) error { return s.ended.Load(ctx) }

// FollowEnded keeps them up to date until ctx ends.
func (s *Sessions) FollowEnded(ctx context.Context) { s.ended.Run(ctx) }

// longestLifetime bounds for how long the end of a session is remembered where a
// project's hook signs tokens that live longer.
const longestLifetime = 30 * 24 * time.Hour

// lengthen notes the end of a token that is about to be signed, if none has lived
// as long before.
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

// lengthenFor is lengthen for claims that a project's hook has written.
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

// catchEnded reads what a committed transaction has ended. The notification follows
// in any case, so a failure is only logged.
func (s *Sessions) catchEnded(ctx context.Context, userID string) {
	if err := s.ended.Catch(ctx, userID); err != nil {
		s.log.ErrorContext(ctx, "ended sessions are refused only when their notification comes", "error", err)
	}
}
