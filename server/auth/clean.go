package auth

import (
	"context"
	"time"

	"plaza/server/auth/store"
)

// Times of the clean-up. Source: supabase/auth removes what is a day past its
// use, and anonymous users after 30 days, which here stay: they may own data.
const (
	cleanEvery = 10 * time.Minute
	cleanAfter = 24 * time.Hour
	cleanRows  = 1000 // of a table at once, so that no lock is held for long
)

// old are rows that nothing needs any more: those of a table whose condition
// holds for $1, a moment so long ago.
type old struct {
	table, condition string
	age              time.Duration
}

func (s *Server) cleaned() []old {
	return []old{
		{"auth.refresh_tokens", "t.revoked and t.updated_at < $1", cleanAfter},
		{"auth.sessions", "t.not_after < $1", cleanAfter},
		{"auth.one_time_tokens", "t.created_at at time zone 'utc' < $1", cleanAfter + time.Duration(s.config.Mailer.OTPExpiry)*time.Second},
		{"auth.flow_state", "t.created_at < $1", cleanAfter},
		{"auth.mfa_challenges", "t.created_at < $1", cleanAfter},
		{"auth.oauth_authorizations", "t.expires_at < $1", cleanAfter},
		{"auth.rate_limits", "t.spent_at < $1", cleanAfter},
		{"auth.refused_tokens", "t.kept_until < $1", 0},
		{"auth.mail_queue", "t.failed_at < $1", 7 * cleanAfter}, // a week for the operator to look
	}
}

// cleanLock is held by the one server that cleans up.
const cleanLock = `select pg_try_advisory_xact_lock(hashtext('auth.clean'))`

// Clean removes what nothing needs any more, again and again until ctx ends.
func (s *Server) Clean(ctx context.Context) {
	ticker := time.NewTicker(cleanEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.cleanUp(ctx); err == nil {
				s.counts.cleaned.Set(s.now())
			} else if ctx.Err() == nil {
				s.deps.Log.ErrorContext(ctx, "old tokens were not removed", "error", err)
			}
		}
	}
}

func (s *Server) cleanUp(ctx context.Context) error {
	return s.store.InTx(ctx, func(tx *store.Tx) error {
		var ours bool
		if err := tx.QueryRow(ctx, cleanLock).Scan(&ours); err != nil || !ours {
			return err
		}
		for _, rows := range s.cleaned() {
			// What is in use is left for the next time.
			statement := "delete from " + rows.table + " where ctid = any (array(select t.ctid from " + rows.table + " t where " +
				rows.condition + " limit $2 for update skip locked))"
			if _, err := tx.Exec(ctx, statement, s.now().Add(-rows.age), cleanRows); err != nil {
				return err
			}
		}
		return nil
	})
}
