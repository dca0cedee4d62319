package auth

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/store"
)

// userBy finds accounts by a kind of contact.
var userBy = map[string]string{byMail: userByEmail, byPhone: userByPhone}

// findUser looks an account up by its contact; nil where there is none.
func (s *Server) findUser(ctx context.Context, c contact, audience string) (*User, error) {
	u := &User{}
	return u.found(s.store.QueryRow(ctx, userBy[c.kind], []any{c.value, audience}, u.fields()...))
}

// findInTx looks an account up to do something to it: who asks at the same time
// waits for the end of tx.
func findInTx(ctx context.Context, tx *store.Tx, c contact, audience string) (*User, error) {
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

func loadUser(ctx context.Context, tx *store.Tx, sql, id string) (*User, error) {
	u := &User{}
	if err := tx.QueryRow(ctx, sql, id).Scan(u.fields()...); err != nil {
		return nil, err
	}
	u.tidy()
	return u, nil
}
