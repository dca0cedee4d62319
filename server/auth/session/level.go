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

// Lock locks the user's row and then the session's row until the end of tx, which blocks
// other changes to the user's factors and this session. It re-reads the session's sign-in
// methods.
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

// Gone translates pgx.ErrNoRows into a 403 error with the given code and message.
func Gone(err error, code, message string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return autherr.Forbidden(code, "%s", message)
	}
	return err
}

// Raise upgrades a session to aal2 after a factor was verified. It runs batch first, replaces
// the session's refresh tokens, so that an aal1 token cannot reach aal2, and ends the
// user's other aal1 sessions.
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
