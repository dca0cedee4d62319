package auth

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/pg"
)

// once runs one statement that gives one row, in one network round trip.
//
// Errors: pgx.ErrNoRows.
func (s *Server) once(ctx context.Context, sql string, args []any, dest ...any) error {
	return s.deps.DB.QueryRowAsService(ctx, pg.AuthAdmin, sql, args, dest...)
}

// conflictRetries is how often work is tried anew that PostgreSQL gave up in
// favour of another transaction.
const conflictRetries = 3

// work runs fn in a transaction of the auth server's role. fn may run again
// after a deadlock, so it must not keep anything of a failed run.
func (s *Server) work(ctx context.Context, fn func(tx pgx.Tx) error) error {
	var err error
	for range conflictRetries {
		var mailed, ends bool
		var ended any
		err = s.deps.DB.AsService(ctx, pg.AuthAdmin, func(tx pgx.Tx) error {
			err := fn(tx)
			_, mailed = s.mailing.LoadAndDelete(tx)
			ended, ends = s.ending.LoadAndDelete(tx)
			return err
		})
		if err == nil && ends {
			s.catchEnded(ctx, ended.(string))
		}
		if err == nil && mailed {
			s.wakePost()
		}
		var pgErr *pgconn.PgError
		if !errors.As(err, &pgErr) || pgErr.Code != "40P01" && pgErr.Code != "40001" {
			return err
		}
	}
	return err
}

// execAll sends several statements in one round trip.
func execAll(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	return tx.SendBatch(ctx, batch).Close()
}

// userBy finds accounts by a kind of contact.
var userBy = map[string]string{byMail: userByEmail, byPhone: userByPhone}

// findUser looks an account up by its contact; nil where there is none.
func (s *Server) findUser(ctx context.Context, c contact, audience string) (*User, error) {
	u := &User{}
	return u.found(s.once(ctx, userBy[c.kind], []any{c.value, audience}, u.fields()...))
}

// findInTx looks an account up to do something to it: who asks at the same time
// waits for the end of tx.
func findInTx(ctx context.Context, tx pgx.Tx, c contact, audience string) (*User, error) {
	u := &User{}
	return u.found(tx.QueryRow(ctx, userBy[c.kind]+" for update", c.value, audience).Scan(u.fields()...))
}

// found gives the user that was read, or nil where there was no row.
func (u *User) found(err error) (*User, error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u.tidy()
	return u, nil
}

func loadUser(ctx context.Context, tx pgx.Tx, sql, id string) (*User, error) {
	u := &User{}
	if err := tx.QueryRow(ctx, sql, id).Scan(u.fields()...); err != nil {
		return nil, err
	}
	u.tidy()
	return u, nil
}

// violatesUnique reports whether a row like one of ours is there already. A key of the
// project's own tables, which its triggers write, says nothing about ours.
func violatesUnique(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && pgErr.Code == "23505" && pgErr.SchemaName == "auth"
}

// newID makes a random UUID (version 4).
func newID() string {
	var id [16]byte
	rand.Read(id[:])
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
