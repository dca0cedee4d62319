package storage

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

var errNoConsent = autherr.NotFound(autherr.CodeConsentNotFound, "No active grant found for this client")

// ClientView is a client as shown to users.
type ClientView struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	URI     string `json:"uri,omitempty"`
	LogoURI string `json:"logo_uri,omitempty"`
}

// Grant is a user's consent to a client.
type Grant struct {
	Client    ClientView  `json:"client"`
	Scopes    oauth.Scope `json:"scopes"`
	GrantedAt time.Time   `json:"granted_at"`
}

// Grants returns a user's grants, newest first.
func (s *Storage) Grants(ctx context.Context, userID string) (grants []Grant, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, consentsOfUser, userID)
		if err != nil {
			return err
		}
		grants, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (Grant, error) {
			var g Grant
			var scopes string
			err := row.Scan(&g.Client.ID, &g.Client.Name, &g.Client.URI, &g.Client.LogoURI, &scopes, &g.GrantedAt)
			g.Scopes, g.GrantedAt = oauth.ParseScope(scopes), g.GrantedAt.UTC()
			return g, err
		})
		return err
	})
	return grants, err
}

// RevokeGrant revokes a user's consent to a client and ends the client's sessions of the user.
//
// Errors: 400 validation_failed; 404 oauth_consent_not_found.
func (s *Storage) RevokeGrant(ctx context.Context, user *users.User, clientID string, info users.RequestInfo) error {
	switch {
	case clientID == "":
		return autherr.BadRequest(autherr.CodeValidation, "client_id query parameter is required")
	case !store.IsUUID(clientID):
		return errClientID
	}
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		done, err := tx.Exec(ctx, revokeConsent, user.ID, clientID, s.now())
		if err == nil && done.RowsAffected() == 0 {
			return errNoConsent
		}
		if err != nil {
			return err
		}
		s.sessions.RefreshEndedOnCommit(tx, user.ID)
		batch := &pgx.Batch{}
		batch.Queue(endGrantSessions, user.ID, clientID)
		s.trail.Add(batch, info, user, audit.TokenRevoked, map[string]any{"oauth_client_id": clientID, "action": "revoke_oauth_grant"})
		return tx.ExecBatch(ctx, batch)
	})
}
