package pg

import (
	"context"
	"math"
	"time"

	"plaza/server/pg/queue"
)

// TrustReplicas marks all replicas as having replayed everything.
func (db *DB) TrustReplicas() {
	for _, r := range db.replicas.all {
		r.Include(context.Background(), math.MaxUint64)
	}
}

// Waiting returns the number of jobs in the queue.
func (db *DB) Waiting() int {
	return db.primary.queue.Stats().Waiting
}

// ObserveShort makes the queue treat a statement as short.
func (db *DB) ObserveShort(role, sql string) {
	db.primary.queue.Observe(queue.Shape{Role: role, SQL: sql}, time.Microsecond)
}

// HasOutage reports whether the primary could not be reached.
func (db *DB) HasOutage() bool { return db.failover.hasOutage() }
