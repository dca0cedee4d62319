package pg

import (
	"context"
	"math"
	"time"

	"plaza/server/pg/queue"
)

// BelieveReplicas makes them count as having replayed everything.
func (db *DB) BelieveReplicas() {
	for _, r := range db.replicas.all {
		r.Include(context.Background(), math.MaxUint64)
	}
}

// Waiting tells how many are in the queue.
func (db *DB) Waiting() int {
	return db.primary.queue.Stats().Waiting
}

// TakeForShort makes the queue believe that a statement is short.
func (db *DB) TakeForShort(role, sql string) {
	db.primary.queue.Observe(queue.Shape{Role: role, SQL: sql}, time.Microsecond)
}
