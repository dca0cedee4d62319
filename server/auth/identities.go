package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

var errNoManualLinking = autherr.NotFound(autherr.CodeManualLinking, "Manual linking is disabled")

// linkIdentity answers GET /user/identities/authorize: the signed-in user is
// sent to a provider to link an identity.
func (s *Server) linkIdentity(w http.ResponseWriter, r *http.Request) error {
	if !s.config.Security.ManualLinking {
		return errNoManualLinking
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	return s.sendToProvider(w, r, in.User)
}

// unlinkIdentity answers DELETE /user/identities/{id}.
func (s *Server) unlinkIdentity(w http.ResponseWriter, r *http.Request) error {
	if !s.config.Security.ManualLinking {
		return errNoManualLinking
	}
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	id := r.PathValue("id")
	if !store.IsUUID(id) {
		return autherr.NotFound(autherr.CodeValidation, "identity_id must be an UUID")
	}
	if asked := r.Header.Get("X-JWT-AUD"); asked != "" && asked != in.User.Aud {
		return autherr.Forbidden(autherr.CodeAudience, "Token audience doesn't match request audience")
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error { return s.unlink(r.Context(), tx, in.User.ID, id, s.visitor(r)) })
	if store.ViolatesUnique(err) {
		return autherr.Unprocessable(autherr.CodeEmailConflict, "Unable to unlink identity due to email conflict").WithCause(err)
	}
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, struct{}{})
}

// unlink takes an identity from a user. The user's row is locked first, so that
// of two requests at once one sees what the other has left.
func (s *Server) unlink(ctx context.Context, tx *store.Tx, userID, id string, who users.Visitor) error {
	if _, err := users.Lock(ctx, tx, userID); err != nil {
		return err
	}
	// Read again: the identities came with the row before it was locked.
	user, err := users.Load(ctx, tx, userID)
	if err != nil {
		return err
	}
	if len(user.Identities) <= 1 {
		return autherr.Unprocessable(autherr.CodeSingleIdentity, "User must have at least 1 identity after unlinking")
	}
	var gone *users.Identity
	keeps := false
	for i := range user.Identities {
		if identity := &user.Identities[i]; identity.IdentityID == id {
			gone = identity
		} else if identity.Email == user.Email {
			keeps = true
		}
	}
	if gone == nil {
		return autherr.Unprocessable(autherr.CodeIdentityNotFound, "Identity doesn't exist")
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, who, user, audit.IdentityUnlinked, map[string]any{"identity_id": id, "provider": gone.Provider, "provider_id": gone.ID})
	batch.Queue(deleteIdentity, id, userID)
	if gone.Provider == users.ByPhone {
		batch.Queue(dropPhone, userID, s.now())
	}
	account.RefreshProviders(batch, userID)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	if gone.Provider != users.ByPhone && !keeps {
		if err := s.followRest(ctx, tx, user); err != nil {
			return err
		}
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.IdentityUnlinked && user.Confirmed(users.ByEmail), mailer.IdentityUnlinked, user, user.Email,
		mailer.Data{Provider: gone.Provider}, who)
}

// followRest gives an account whose address went with an identity the address of
// one that stays. Links and codes sent to the old address end.
func (s *Server) followRest(ctx context.Context, tx *store.Tx, user *users.User) error {
	var address string
	var verified bool
	err := tx.QueryRow(ctx, nextAddress, user.ID, user.Aud).Scan(&address, &verified)
	if errors.Is(err, pgx.ErrNoRows) {
		return autherr.Unprocessable(autherr.CodeEmailConflict, "Unable to unlink identity due to email conflict")
	}
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(message.ClearAllTokens, user.ID)
	batch.Queue(followIdentity, user.ID, address, address != "" && (verified || s.config.Mailer.Autoconfirm), s.now())
	return tx.ExecBatch(ctx, batch)
}
