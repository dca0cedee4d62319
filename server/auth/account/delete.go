package account

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// deleteUser deletes an account. A soft deletion keeps the row without its personal data.
func (s *core) deleteUser(ctx context.Context, user *users.User, soft bool, actor *users.User, info users.RequestInfo) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, actor, audit.Deleted, audit.Target(user))
		if soft {
			s.sessions.EndAll(tx, batch, user.ID)
			for _, statement := range softDeletion {
				batch.Queue(statement, user.ID)
			}
			batch.Queue(erasePersonalData, user.ID, s.now())
		} else {
			s.sessions.RefreshEndedOnCommit(tx, user.ID)
			batch.Queue(deleteUser, user.ID)
		}
		return tx.ExecBatch(ctx, batch)
	})
	return wrapSaveError(err, "Database error deleting user")
}

// Delete deletes an account. A soft deletion keeps the row without its personal data.
func (s *Admin) Delete(ctx context.Context, user *users.User, soft bool, actor *users.User, info users.RequestInfo) error {
	return s.deleteUser(ctx, user, soft, actor, info)
}

// errNeedsAAL2 refuses a user with a second factor who has not used it in this session.
var errNeedsAAL2 = autherr.Unauthorized(autherr.CodeInsufficientAAL, "AAL2 session is required to delete or export an account when MFA is enabled.")

// Delete deletes the account of the signed-in user. The foreign keys of the project's own
// tables decide what happens to rows that refer to it.
//
// Errors: 401 insufficient_aal if the user has a second factor and has not used it.
func (s *Self) Delete(ctx context.Context, current *session.Current, info users.RequestInfo) error {
	if current.User.HasVerifiedFactor() && !current.IsAAL2() {
		return errNeedsAAL2
	}
	return s.deleteUser(ctx, current.User, false, current.User, info)
}

// Export returns all data that the auth server stores about the signed-in user, as JSON.
//
// Errors: those of Delete.
func (s *Self) Export(ctx context.Context, current *session.Current) (all json.RawMessage, err error) {
	if current.User.HasVerifiedFactor() && !current.IsAAL2() {
		return nil, errNeedsAAL2
	}
	err = s.db.QueryRow(ctx, exportSelf, []any{current.User.ID}, &all)
	return all, err
}
