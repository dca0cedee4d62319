// Package cleanup removes expired rows of the auth server.
package cleanup

import (
	"context"
	"time"

	"plaza/server/auth/store"
)

// Times of the clean-up. Source: supabase/auth removes rows a day after they expire. It also
// removes anonymous users after 30 days; they are kept here, because they may own data.
const (
	Interval  = 10 * time.Minute
	retention = 24 * time.Hour
	maxRows   = 1000 // per table and run, so that no lock is held for long
)

// expiredRows describes the expired rows of a table. $1 in the condition is the time age ago.
type expiredRows struct {
	table, condition string
	age              time.Duration
}

// Cleaner removes expired rows.
type Cleaner struct {
	db        *store.Store
	now       func() time.Time
	otpExpiry int           // in seconds
	trail     time.Duration // how long the audit trail is kept; 0: forever
}

// New returns a Cleaner. otpExpiry is the lifetime of one-time tokens, in seconds; trail is how long the audit
// trail is kept; 0 means forever.
func New(db *store.Store, otpExpiry int, trail time.Duration, now func() time.Time) *Cleaner {
	return &Cleaner{db: db, now: now, otpExpiry: otpExpiry, trail: trail}
}

func (s *Cleaner) expired() []expiredRows {
	return []expiredRows{
		{"auth.refresh_tokens", "t.revoked and t.updated_at < $1", retention},
		{"auth.sessions", "t.not_after < $1", retention},
		{"auth.one_time_tokens", "t.created_at at time zone 'utc' < $1", retention + time.Duration(s.otpExpiry)*time.Second},
		{"auth.flow_state", "t.created_at < $1", retention},
		{"auth.mfa_challenges", "t.created_at < $1", retention},
		{"auth.oauth_authorizations", "t.expires_at < $1", retention},
		{"auth.rate_limits", "t.spent_at < $1", retention},
		{"auth.refused_tokens", "t.kept_until < $1", 0},
		{"auth.mail_queue", "t.failed_at < $1", 7 * retention}, // the operator has a week to inspect failures
	}
}

// Run removes up to maxRows expired rows of each table, and drops the expired months of the audit trail.
func (s *Cleaner) Run(ctx context.Context) error {
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { return s.maintainPartitions(ctx, tx) }); err != nil {
		return err
	}
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		for _, rows := range s.expired() {
			// Locked rows are left for the next run.
			statement := "delete from " + rows.table + " where ctid = any (array(select t.ctid from " + rows.table + " t where " +
				rows.condition + " limit $2 for update skip locked))"
			if _, err := tx.Exec(ctx, statement, s.now().Add(-rows.age), maxRows); err != nil {
				return err
			}
		}
		return nil
	})
}

// Partitions of the audit trail. A database of upstream's server has none, and is left as it is.
const (
	isPartitioned = `select relkind = 'p' from pg_catalog.pg_class where oid = 'auth.audit_log_entries'::regclass`
	makeMonths    = `select plaza.make_partitions('auth.audit_log_entries', 'month', 2)`
	dropMonths    = `select plaza.drop_partitions('auth.audit_log_entries', $1)`
)

// maintainPartitions creates the audit trail's partitions of the next months, and drops those that are older
// than its retention, if it has one.
func (s *Cleaner) maintainPartitions(ctx context.Context, tx *store.Tx) error {
	var partitioned bool
	if err := tx.QueryRow(ctx, isPartitioned).Scan(&partitioned); err != nil || !partitioned {
		return err
	}
	if _, err := tx.Exec(ctx, makeMonths); err != nil || s.trail == 0 {
		return err
	}
	_, err := tx.Exec(ctx, dropMonths, s.now().Add(-s.trail))
	return err
}
