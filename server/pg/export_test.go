package pg

import "time"

// Waiting tells how many stand in line.
func (db *DB) Waiting() int {
	db.line.mu.Lock()
	defer db.line.mu.Unlock()
	return db.line.waiting.Len()
}

// TakeForShort makes the line believe that a statement is short.
func (db *DB) TakeForShort(role, sql string) {
	db.line.note(shape{role, sql}, time.Microsecond)
}
