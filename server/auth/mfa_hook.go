package auth

import (
	"context"

	"plaza/server/apierr"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// hearMFAHook lets the project see an attempt. Where it rejects, refused is the
// answer and the user's sessions end, which must be kept of tx.
func (s *Server) hearMFAHook(ctx context.Context, tx *store.Tx, in *session.Current, f factor, valid bool, who users.Visitor) (refused, err error) {
	err = s.hooks.MFA(ctx, tx, in.User.ID, f.id, f.kind, valid, who)
	if visible := apierr.As(err); visible == nil || visible.Code != autherr.CodeMFARejected {
		return nil, err
	}
	s.sessions.NoteEnded(tx, in.User.ID)
	_, failed := tx.Exec(ctx, session.EndAll, in.User.ID)
	return err, failed
}
