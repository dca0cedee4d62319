package auth

import (
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
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
	s.trail.Add(batch, s.visitor(r), in.user, audit.Logout, nil)
	switch scope := r.URL.Query().Get("scope"); {
	case scope != "" && scope != "global" && scope != "local" && scope != "others":
		return autherr.BadRequest(autherr.CodeValidation, "Unsupported logout scope %q", scope)
	case scope == "local" && in.session != "", in.held.client != "":
		batch.Queue(endOne, in.user.ID, in.session)
	case scope == "others" && in.session != "":
		batch.Queue(endOthers, in.user.ID, in.session)
	default:
		batch.Queue(endAll, in.user.ID)
	}
	if err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		s.sessions.ends(tx, in.user.ID)
		return tx.ExecBatch(r.Context(), batch)
	}); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
