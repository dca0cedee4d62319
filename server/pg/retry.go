package pg

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"plaza/server/pg/pipeline"
)

// These are the reasons to run a job again, and the bounds of each. A job is a transaction
// of its own, so a failed run leaves nothing behind. None is run again once some of its
// rows were passed on for good (Statement.Begun).
//
//	reason                                            how often, and where
//	a replica cannot answer                           once, on the primary: replicas.read
//	the connection of a read is lost                  maxLost, on another one: DB.retry
//	PostgreSQL stops, and ends a write that has       maxLost, on another connection: DB.retry, DB.QueryRowAsService
//	  not been committed (isEndedBeforeCommit)
//	the connection is lost before an explicit         maxLost: DB.AsService before its function is called; DB.AsCaller
//	  transaction is told to commit                     if its function may be called again; auth/store.InTx
//	there is no primary: nothing was sent             until failover.limit: failover.retry
//	it lost a serialization conflict or deadlock      maxConflicts, after a pause: DB.retry
//	its rows are too many for a shared round trip     once, alone: lease.retry
//	its prepared plan is stale, as a table changed    once, prepared anew: lease.retry
const (
	maxLost       = 2
	maxConflicts  = 2
	conflictPause = 20 * time.Millisecond // at most; its length is random
)

// retry runs a job on the primary again if its error is a reason to.
//
// Errors: those of waiting for a connection. The job's own is j.err.
func (db *DB) retry(j *job) error {
	for range maxLost {
		if !isGone(j.err) {
			break
		}
		db.primary.pool.Reset() // the other connections may be lost, too; new ones find a primary that has moved
		if j.ctx.Err() != nil || !j.mayRunAgain() && !j.isRolledBack() {
			return nil
		}
		j.err = nil
		if err := db.primary.do(j); err != nil {
			return err
		}
	}
	for range maxConflicts {
		if !isConflict(j.err) || j.Scanned || j.hasBegun() {
			return nil
		}
		if err := pause(j.ctx, time.Duration(rand.Int64N(int64(conflictPause)))); err != nil { // math/rand: the pause is no secret
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
	case errors.Is(j.err, ErrRerunAlone):
		l.runBatch([]*job{j})
	case isStalePlan(j.err):
		pipeline.CacheOf(l.raw()).Expire()
		l.runBatch([]*job{j})
	}
}

// isRolledBack reports whether a write whose connection was lost has had no effect.
func (j *job) isRolledBack() bool {
	if j.Scanned || j.hasBegun() || j.ending || j.positionLost {
		return false
	}
	isExplicit := j.set.Rollback || j.set.Verify != nil // and was not told to commit
	return isExplicit || isEndedBeforeCommit(j.err)
}

// isGone reports whether the connection of a job was lost, or its server does not answer.
func isGone(err error) bool {
	return err != nil && (isLost(err) || errors.Is(err, errUnresponsive))
}

// isEndedBeforeCommit reports whether PostgreSQL ended the session, because it shuts down or pg_terminate_backend was called,
// and rolled its transaction back. It sends this error only before a commit: once a commit has begun, the connection closes
// without a message. (57P02 does not mean a rollback: it is sent at any time.)
func isEndedBeforeCommit(err error) bool {
	ended := AsPgError(err)
	return ended != nil && ended.Code == adminShutdown && ended.SeverityUnlocalized == "FATAL"
}

// adminShutdown is SQLSTATE admin_shutdown: PostgreSQL ends the session.
const adminShutdown = "57P01"

// rolledBack is the error of a transaction whose connection was lost before it was told to commit.
type rolledBack struct {
	error
	called bool // the function of the transaction was called
}

// Unwrap returns the error of the connection.
func (r *rolledBack) Unwrap() error { return r.error }

// IsRolledBack reports whether the connection of a transaction was lost before it was told to commit, so that it can
// be run again.
func IsRolledBack(err error) bool {
	var rolled *rolledBack
	return errors.As(err, &rolled)
}

// isCalled reports whether the function of a transaction that was rolled back was called.
func isCalled(err error) bool {
	var rolled *rolledBack
	return errors.As(err, &rolled) && rolled.called
}

// mayRunAgain reports whether a job is a read of which no row was passed on.
func (j *job) mayRunAgain() bool { return j.set.ReadOnly && !j.hasBegun() }

// hasBegun reports whether rows were passed on for good.
func (j *job) hasBegun() bool { return j.Statement.Begun != nil && j.Statement.Begun() }

// isConflict reports whether PostgreSQL rolled a transaction back that may succeed
// when it is run again: serialization_failure or deadlock_detected.
func isConflict(err error) bool {
	refused := AsPgError(err)
	return refused != nil && (refused.Code == "40001" || refused.Code == "40P01")
}

// isStalePlan reports whether a table has changed since the statement was prepared.
func isStalePlan(err error) bool {
	refused := AsPgError(err)
	return refused != nil && refused.Code == "0A000" && strings.Contains(refused.Routine, "RevalidateCachedQuery")
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
