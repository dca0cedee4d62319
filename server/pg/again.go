package pg

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A transaction that PostgreSQL gave up in favour of another is run again a few
// times, after a moment of a random length.
const (
	maxConflicts  = 2
	conflictPause = 20 * time.Millisecond
)

// isConflict reports whether PostgreSQL rolled a transaction back that may succeed
// when it is run again: serialization_failure or deadlock_detected.
func isConflict(err error) bool {
	var refused *pgconn.PgError
	return err != nil && errors.As(err, &refused) && (refused.Code == "40001" || refused.Code == "40P01")
}

// doAgain runs a job as long as it loses against others and nothing has come of it.
// It is a transaction of its own, so nothing of a run that failed is left.
func (db *DB) doAgain(j *job) error {
	for range maxConflicts {
		if !isConflict(j.err) || j.scanned || j.statement.Begun != nil && j.statement.Begun() {
			return nil
		}
		if err := pause(j.ctx, time.Duration(rand.Int64N(int64(conflictPause)))); err != nil { // no secret
			return nil // the conflict is the answer
		}
		j.err = nil
		if err := db.primary.do(j); err != nil {
			return err
		}
	}
	return nil
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
