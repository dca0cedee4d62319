package auth

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
)

// logout answers POST /logout: it ends the user's sessions, all (global), this
// one (local) or all but this one (others). An OAuth client ends its own only.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	in, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, s.visitor(r), in.User, audit.Logout, nil)
	switch scope := r.URL.Query().Get("scope"); {
	case scope != "" && scope != "global" && scope != "local" && scope != "others":
		return autherr.BadRequest(autherr.CodeValidation, "Unsupported logout scope %q", scope)
	case scope == "local" && in.ID != "", in.Held.Client != "":
		batch.Queue(session.EndOne, in.User.ID, in.ID)
	case scope == "others" && in.ID != "":
		batch.Queue(session.EndOthers, in.User.ID, in.ID)
	default:
		batch.Queue(session.EndAll, in.User.ID)
	}
	if err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		s.sessions.NoteEnded(tx, in.User.ID)
		return tx.ExecBatch(r.Context(), batch)
	}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
