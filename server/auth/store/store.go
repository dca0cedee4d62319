// Package store runs the auth server's SQL statements.
package store

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/pg"
)

// Store runs statements as the auth server's role.
type Store struct{ db *pg.DB }

// New returns a Store of a database.
func New(db *pg.DB) *Store { return &Store{db} }

// FailoverTimeout returns how long statements wait while the database has no primary.
func (s *Store) FailoverTimeout() time.Duration { return s.db.FailoverTimeout() }

// QueryRow runs one statement that returns one row, in one network round trip.
//
// Errors: pgx.ErrNoRows.
func (s *Store) QueryRow(ctx context.Context, sql string, args []any, dest ...any) error {
	return s.db.QueryRowAsService(ctx, pg.AuthAdmin, sql, args, dest...)
}

// Tx is a transaction.
type Tx struct {
	pgx.Tx
	committed map[string]func(context.Context)
}

// OnCommit calls fn after the transaction has committed, before InTx returns. A function with the
// same key replaces an earlier one.
func (tx *Tx) OnCommit(key string, fn func(context.Context)) {
	if tx.committed == nil {
		tx.committed = make(map[string]func(context.Context))
	}
	tx.committed[key] = fn
}

// ExecBatch runs several statements in one round trip.
func (tx *Tx) ExecBatch(ctx context.Context, batch *pgx.Batch) error {
	return tx.SendBatch(ctx, batch).Close()
}

// maxAttempts bounds the attempts of a transaction after deadlocks and lost connections.
const maxAttempts = 3

// InTx runs fn in a transaction. fn may run again after a deadlock or a lost connection, so it must not keep results of a
// failed run.
func (s *Store) InTx(ctx context.Context, fn func(tx *Tx) error) error {
	var err error
	for range maxAttempts {
		var tx *Tx
		err = s.db.AsService(ctx, pg.AuthAdmin, func(begun pgx.Tx) error {
			tx = &Tx{Tx: begun}
			return fn(tx)
		})
		if err == nil {
			for _, committed := range tx.committed {
				committed(ctx)
			}
		}
		if !deadlocked(err) && !pg.IsRolledBack(err) {
			return err
		}
	}
	return err
}

// deadlocked reports whether PostgreSQL aborted a transaction because of a deadlock or a
// serialization failure.
func deadlocked(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && (failed.Code == "40P01" || failed.Code == "40001")
}

// ViolatesUnique reports whether err is a unique violation in the schema auth. Violations in the
// project's own tables, to which its triggers write, do not count.
func ViolatesUnique(err error) bool { return pg.ViolatesUnique(err, "auth") }

// NewID returns a random UUID (version 4).
func NewID() string { return uuid.NewString() }

// IsUUID reports whether text is a UUID in PostgreSQL's output format.
func IsUUID(text string) bool {
	const length = 36
	return len(text) == length && uuid.Validate(text) == nil
}

// IsUnstorable reports whether PostgreSQL refused a text of the request: it is too long, contains a
// NUL, or is JSON with an incomplete surrogate pair.
func IsUnstorable(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "22001" || refused.Code == "22021" || refused.Code == "22P05" || refused.Code == "22P02")
}

// EscapeLike returns a LIKE pattern that matches text literally.
func EscapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}
