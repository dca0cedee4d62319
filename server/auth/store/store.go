// Package store is how the auth server reaches its tables.
package store

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/pg"
)

// Store runs statements as the auth server's role.
type Store struct{ db *pg.DB }

// New returns a Store of a database.
func New(db *pg.DB) *Store { return &Store{db} }

// QueryRow runs one statement that gives one row, in one network round trip.
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

// OnCommit calls fn once the transaction is committed, before InTx returns. Of
// several functions with one key the last is called.
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

// maxAttempts is how often a transaction is tried that PostgreSQL gave up in
// favour of another one.
const maxAttempts = 3

// InTx runs fn in a transaction. fn may run again after a deadlock, so it must
// not keep anything of a failed run.
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
		if !deadlocked(err) {
			return err
		}
	}
	return err
}

// deadlocked reports whether PostgreSQL gave a transaction up in favour of another.
func deadlocked(err error) bool {
	var failed *pgconn.PgError
	return errors.As(err, &failed) && (failed.Code == "40P01" || failed.Code == "40001")
}

// ViolatesUnique reports whether a row like one of ours is there already. A key of the
// project's own tables, which its triggers write, says nothing about ours.
func ViolatesUnique(err error) bool { return pg.ViolatesUnique(err, "auth") }

// NewID returns a random UUID (version 4).
func NewID() string { return uuid.NewString() }

// IsUUID reports whether text is a UUID in the form that PostgreSQL prints.
func IsUUID(text string) bool {
	const length = 36
	return len(text) == length && uuid.Validate(text) == nil
}

// Unstorable reports whether PostgreSQL refused a request's text: too long, with a NUL,
// or JSON with half a character.
func Unstorable(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (refused.Code == "22001" || refused.Code == "22021" || refused.Code == "22P05" || refused.Code == "22P02")
}

// EscapeLike returns a pattern of LIKE that matches text itself.
func EscapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}
