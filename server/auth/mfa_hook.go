package auth

import (
	"context"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// hearMFAHook lets the project see an attempt. Where it rejects, refused is the
// answer and the user's sessions end, which must be kept of tx.
func (s *Server) hearMFAHook(ctx context.Context, tx *store.Tx, in *signedIn, f factor, valid bool, who users.Visitor) (refused, err error) {
	err = s.hooks.MFA(ctx, tx, in.user.ID, f.id, f.kind, valid, who)
	if visible := apierr.As(err); visible == nil || visible.Code != autherr.CodeMFARejected {
		return nil, err
	}
	s.sessions.ends(tx, in.user.ID)
	_, failed := tx.Exec(ctx, endAll, in.user.ID)
	return err, failed
}
