package pg

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"plaza/server/pg/pipeline"

	"github.com/jackc/pgx/v5/pgconn"
)

// These are the reasons to run a job again, and the bounds of each. A job is a transaction
// of its own, so a failed run leaves nothing behind. None is run again once some of its
// rows were passed on for good (Statement.Begun).
//
//	reason                                            how often, and where
//	a replica cannot answer                           once, on the primary: replicas.read
//	the connection of a read is lost                  once, on another one: DB.retry
//	it lost a serialization conflict or deadlock      maxConflicts, after a pause: DB.retry
//	its rows are too many for a shared round trip     once, alone: lease.retry
//	its prepared plan is stale, as a table changed    once, prepared anew: lease.retry
const (
	maxConflicts  = 2
	conflictPause = 20 * time.Millisecond // at most; its length is random
)

// retry runs a job on the primary again if its error is a reason to.
//
// Errors: those of waiting for a connection; the job's own is in it.
func (db *DB) retry(j *job) error {
	if errors.Is(j.err, errSilent) || j.err != nil && isLost(j.err) {
		db.primary.pool.Reset() // the other connections may be lost, too; new ones find a primary that has moved
	}
	if j.err != nil && isLost(j.err) && j.mayRunAgain() {
		if err := db.primary.do(j); err != nil {
			return err
		}
	}
	for range maxConflicts {
		if !isConflict(j.err) || j.Scanned || j.hasBegun() {
			return nil
		}
		if err := pause(j.ctx, time.Duration(rand.Int64N(int64(conflictPause)))); err != nil { // no secret
			return nil // j.err is still the conflict
		}
		j.err = nil
		if err := db.primary.do(j); err != nil {
			return err
		}
	}
	return nil
}

// retry runs a job again on the same connection if its error is a reason to.
func (l *lease) retry(j *job) {
	switch {
	case errors.Is(j.err, ErrAlone):
		l.runBatch([]*job{j})
	case isStalePlan(j.err):
		pipeline.CacheOf(l.raw()).Expire()
		l.runBatch([]*job{j})
	}
}

// mayRunAgain reports whether a job is a read of which no row was passed on.
func (j *job) mayRunAgain() bool { return j.set.ReadOnly && !j.hasBegun() }

// hasBegun reports whether rows were passed on for good.
func (j *job) hasBegun() bool { return j.Statement.Begun != nil && j.Statement.Begun() }

// isConflict reports whether PostgreSQL rolled a transaction back that may succeed
// when it is run again: serialization_failure or deadlock_detected.
func isConflict(err error) bool {
	var refused *pgconn.PgError
	return err != nil && errors.As(err, &refused) && (refused.Code == "40001" || refused.Code == "40P01")
}

// isStalePlan reports whether a table has changed since the statement was prepared.
func isStalePlan(err error) bool {
	if err == nil {
		return false // the usual case; errors.As would allocate
	}
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "0A000" && strings.Contains(pgErr.Routine, "RevalidateCachedQuery")
}

func pause(ctx context.Context, length time.Duration) error {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
