package auth

import (
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

var errNoConsent = autherr.NotFound(autherr.CodeConsentNotFound, "No active grant found for this client")

// grantShown is an app that a user lets in.
type grantShown struct {
	Client    clientShown `json:"client"`
	Scopes    oauth.Scope `json:"scopes"`
	GrantedAt time.Time   `json:"granted_at"`
}

// listGrants answers GET /user/oauth/grants.
func (s *Server) listGrants(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	grants := []grantShown{}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(r.Context(), consentsOfUser, in.User.ID)
		if err != nil {
			return err
		}
		grants, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (grantShown, error) {
			var g grantShown
			var scopes string
			err := row.Scan(&g.Client.ID, &g.Client.Name, &g.Client.URI, &g.Client.LogoURI, &scopes, &g.GrantedAt)
			g.Scopes, g.GrantedAt = oauth.ParseScope(scopes), g.GrantedAt.UTC()
			return g, err
		})
		return err
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, grants)
}

// revokeGrant answers DELETE /user/oauth/grants?client_id=: the app is signed
// out, and has to ask again.
func (s *Server) revokeGrant(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	client := r.URL.Query().Get("client_id")
	switch {
	case client == "":
		return autherr.BadRequest(autherr.CodeValidation, "client_id query parameter is required")
	case !store.IsUUID(client):
		return errClientID
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		done, err := tx.Exec(r.Context(), revokeConsent, in.User.ID, client, s.now())
		if err == nil && done.RowsAffected() == 0 {
			return errNoConsent
		}
		if err != nil {
			return err
		}
		s.sessions.NoteEnded(tx, in.User.ID)
		batch := &pgx.Batch{}
		batch.Queue(endGrantSessions, in.User.ID, client)
		s.trail.Add(batch, s.visitor(r), in.User, audit.TokenRevoked, map[string]any{"oauth_client_id": client, "action": "revoke_oauth_grant"})
		return tx.ExecBatch(r.Context(), batch)
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
