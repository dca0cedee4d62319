package session

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// EndAll queues the deletion of all sessions of a user.
func (s *Sessions) EndAll(tx *store.Tx, batch *pgx.Batch, userID string) {
	s.RefreshEndedOnCommit(tx, userID)
	batch.Queue(endAll, userID)
}

// EndOne queues the deletion of one session of a user.
func (s *Sessions) EndOne(tx *store.Tx, batch *pgx.Batch, userID, id string) {
	s.RefreshEndedOnCommit(tx, userID)
	batch.Queue(endOne, userID, id)
}

// EndOthers queues the deletion of all sessions of the user except the current one.
func (s *Sessions) EndOthers(tx *store.Tx, batch *pgx.Batch, current *Current) {
	if current.ID == "" {
		s.EndAll(tx, batch, current.User.ID)
		return
	}
	s.RefreshEndedOnCommit(tx, current.User.ID)
	batch.Queue(endOthers, current.User.ID, current.ID)
}

// SignOut ends the user's sessions by scope: all ("global" or ""), this one ("local")
// or all except this one ("others"). An OAuth client can only end its own session.
//
// Errors: 400 validation_failed for another scope.
func (s *Sessions) SignOut(ctx context.Context, current *Current, scope string, info users.RequestInfo) error {
	switch scope {
	case "", "global", "local", "others":
	default:
		return autherr.BadRequest(autherr.CodeValidation, "Unsupported logout scope %q", scope)
	}
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, current.User, audit.Logout, nil)
		switch {
		case scope == "local" && current.ID != "", current.Grant.Client != "":
			s.EndOne(tx, batch, current.User.ID, current.ID)
		case scope == "others":
			s.EndOthers(tx, batch, current)
		default:
			s.EndAll(tx, batch, current.User.ID)
		}
		return tx.ExecBatch(ctx, batch)
	})
}

// List returns the sessions of a user as JSON, newest first.
func (s *Sessions) List(ctx context.Context, userID string) (list json.RawMessage, err error) {
	err = s.db.QueryRow(ctx, sessionsOf, []any{userID}, &list)
	return list, err
}

// End ends a session of a user for an admin. An empty id means all of the user's sessions.
//
// Errors: 404 session_not_found.
func (s *Sessions) End(ctx context.Context, user *users.User, id string, actor *users.User, info users.RequestInfo) error {
	notFound := autherr.NotFound(autherr.CodeSessionNotFound, "Session not found")
	if id != "" && !store.IsUUID(id) {
		return notFound
	}
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		s.RefreshEndedOnCommit(tx, user.ID)
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, actor, audit.Logout, audit.Target(user))
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		if id == "" {
			_, err := tx.Exec(ctx, endAll, user.ID)
			return err
		}
		ended, err := tx.Exec(ctx, endOne, user.ID, id)
		if err == nil && ended.RowsAffected() == 0 {
			err = notFound
		}
		return err
	})
}
