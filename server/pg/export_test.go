package pg

import (
	"math"
	"time"
)

// BelieveReplicas makes them count as having replayed everything.
func (db *DB) BelieveReplicas() {
	for _, r := range db.replicas.all {
		r.replayed.Store(math.MaxUint64)
	}
}

// Waiting tells how many stand in line.
func (db *DB) Waiting() int {
	db.primary.line.mu.Lock()
	defer db.primary.line.mu.Unlock()
	return db.primary.line.waiting.Len()
}

// TakeForShort makes the line believe that a statement is short.
func (db *DB) TakeForShort(role, sql string) {
	db.primary.line.note(shape{role, sql}, time.Microsecond)
}
