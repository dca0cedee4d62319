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
func (s *Sessions) Lock(ctx context.Context, tx *store.Tx, current *Current) error {
	if err := users.LockKey(ctx, tx, current.User.ID); err != nil {
		return TranslateNoRows(err, autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	}
	var methods json.RawMessage
	err := tx.QueryRow(ctx, lockSession, current.ID, current.User.ID).Scan(&methods, &current.StartedAt, &current.Grant.Client, &current.Grant.Scopes)
	if err != nil {
		return TranslateNoRows(err, autherr.CodeSessionNotFound, "Session from session_id claim in JWT does not exist")
	}
	current.Methods, err = parseMethods(methods)
	return err
}

// TranslateNoRows translates pgx.ErrNoRows into a 403 error with the given code and message.
func TranslateNoRows(err error, code, message string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return autherr.Forbidden(code, "%s", message)
	}
	return err
}

// UpgradeToAAL2 upgrades a session to aal2 after a factor was verified. It runs batch first, replaces
// the session's refresh tokens, so that an aal1 token cannot reach aal2, and ends the
// user's other aal1 sessions.
func (s *Sessions) UpgradeToAAL2(ctx context.Context, tx *store.Tx, batch *pgx.Batch, current *Current, factorID, method string, info users.RequestInfo) (*TokenResponse, error) {
	now, refresh := s.now(), token.Refresh()
	s.RefreshEndedOnCommit(tx, current.User.ID)
	batch.Queue(upgradeSession, current.ID, factorID, now)
	batch.Queue(addMethod, current.ID, now, method)
	batch.Queue(endRefresh, current.ID)
	batch.Queue(insertRefresh, refresh, current.User.ID, now, current.ID)
	batch.Queue(endLowerSessions, current.User.ID, current.ID)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	user, err := users.Load(ctx, tx, current.User.ID)
	if err != nil {
		return nil, err
	}
	var raw json.RawMessage
	if err := tx.QueryRow(ctx, methodsOf, current.ID).Scan(&raw); err != nil {
		return nil, err
	}
	params := TokenParams{User: user, Session: current.ID, Refresh: refresh, Grant: Grant{Method: method, Client: current.Grant.Client, Scopes: current.Grant.Scopes}}
	if current.StartedAt != nil {
		params.StartedAt = *current.StartedAt
	}
	if params.Methods, err = parseMethods(raw); err != nil {
		return nil, err
	}
	return s.Issue(ctx, tx, params, info)
}
