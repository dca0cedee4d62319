// Package cleanup removes what the auth server no longer needs.
package cleanup

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/auth/store"
	"plaza/server/tally"
)

// Times of the clean-up. Source: supabase/auth removes what is a day past its
// use, and anonymous users after 30 days, which here stay: they may own data.
const (
	every   = 10 * time.Minute
	after   = 24 * time.Hour
	maxRows = 1000 // of a table at once, so that no lock is held for long
)

// old are rows that nothing needs any more: those of a table whose condition
// holds for $1, a moment so long ago.
type old struct {
	table, condition string
	age              time.Duration
}

// Cleaner removes rows that nothing needs any more.
type Cleaner struct {
	db        *store.Store
	now       func() time.Time
	otpExpiry int // in seconds
	log       *slog.Logger
	ran       tally.Moment
}

// New returns a Cleaner. otpExpiry is how long one-time tokens live, in seconds.
func New(db *store.Store, otpExpiry int, now func() time.Time, log *slog.Logger) *Cleaner {
	return &Cleaner{db: db, now: now, otpExpiry: otpExpiry, log: log}
}

// LastRun returns when Keep has last cleaned up.
func (s *Cleaner) LastRun() *tally.Moment { return &s.ran }

func (s *Cleaner) rows() []old {
	return []old{
		{"auth.refresh_tokens", "t.revoked and t.updated_at < $1", after},
		{"auth.sessions", "t.not_after < $1", after},
		{"auth.one_time_tokens", "t.created_at at time zone 'utc' < $1", after + time.Duration(s.otpExpiry)*time.Second},
		{"auth.flow_state", "t.created_at < $1", after},
		{"auth.mfa_challenges", "t.created_at < $1", after},
		{"auth.oauth_authorizations", "t.expires_at < $1", after},
		{"auth.rate_limits", "t.spent_at < $1", after},
		{"auth.refused_tokens", "t.kept_until < $1", 0},
		{"auth.mail_queue", "t.failed_at < $1", 7 * after}, // a week for the operator to look
	}
}

// lock is held by the one server that cleans up.
const lock = `select pg_try_advisory_xact_lock(hashtext('auth.clean'))`

// Keep removes what nothing needs any more, again and again until ctx ends.
func (s *Cleaner) Keep(ctx context.Context) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.Run(ctx); err == nil {
				s.ran.Set(s.now())
			} else if ctx.Err() == nil {
				s.log.ErrorContext(ctx, "old tokens were not removed", "error", err)
			}
		}
	}
}

// Run removes what nothing needs any more, some rows of each table. Where another server
// is at it, it does nothing.
func (s *Cleaner) Run(ctx context.Context) error {
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		var ours bool
		if err := tx.QueryRow(ctx, lock).Scan(&ours); err != nil || !ours {
			return err
		}
		for _, rows := range s.rows() {
			// What is in use is left for the next time.
			statement := "delete from " + rows.table + " where ctid = any (array(select t.ctid from " + rows.table + " t where " +
				rows.condition + " limit $2 for update skip locked))"
			if _, err := tx.Exec(ctx, statement, s.now().Add(-rows.age), maxRows); err != nil {
				return err
			}
		}
		return nil
	})
}
