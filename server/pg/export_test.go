package pg

import "time"

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
