package session

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// Lock keeps other changes to the user's factors and this session away until the end of
// tx, and reads anew by what the session was signed in to. The user's row is locked
// first.
//
// Errors: 403 user_not_found, session_not_found.
func (s *Sessions) Lock(ctx context.Context, tx *store.Tx, in *Current) error {
	if err := users.LockKey(ctx, tx, in.User.ID); err != nil {
		return Gone(err, autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	}
	var methods json.RawMessage
	err := tx.QueryRow(ctx, lockSession, in.ID, in.User.ID).Scan(&methods, &in.Began, &in.Held.Client, &in.Held.Scopes)
	if err != nil {
		return Gone(err, autherr.CodeSessionNotFound, "Session from session_id claim in JWT does not exist")
	}
	in.Methods, err = parseMethods(methods)
	return err
}

// Gone makes a missing row an error that the client sees.
func Gone(err error, code, message string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return autherr.Forbidden(code, "%s", message)
	}
	return err
}

// Raise lifts a session to the second level by a factor, with a refresh token of its
// own: one of the first level cannot reach the second. It runs batch before, and ends
// the user's sessions of the first level.
func (s *Sessions) Raise(ctx context.Context, tx *store.Tx, batch *pgx.Batch, in *Current, factorID, method string, who users.Visitor) (*TokenResponse, error) {
	now, refresh := s.now(), token.Refresh()
	s.NoteEnded(tx, in.User.ID)
	batch.Queue(raiseSession, in.ID, factorID, now)
	batch.Queue(addMethod, in.ID, now, method)
	batch.Queue(endRefresh, in.ID)
	batch.Queue(insertRefresh, refresh, in.User.ID, now, in.ID)
	batch.Queue(endLower, in.User.ID, in.ID)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	user, err := users.Load(ctx, tx, in.User.ID)
	if err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if err := tx.QueryRow(ctx, methodsOf, in.ID).Scan(&raw); err != nil {
		return nil, err
	}
	to := Bearer{User: user, Session: in.ID, Refresh: refresh, Grant: Grant{Method: method, Client: in.Held.Client, Scopes: in.Held.Scopes}}
	if in.Began != nil {
		to.Began = *in.Began
	}
	if to.Methods, err = parseMethods(raw); err != nil {
		return nil, err
	}
	return s.Issue(ctx, tx, to, who)
}
