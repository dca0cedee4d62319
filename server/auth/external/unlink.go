package external

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/account"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/message"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Unlink removes an identity from a user.
//
// Errors: 404 validation_failed if id is not a UUID; 422 single_identity_not_deletable,
// identity_not_found, email_conflict_identity_not_deletable.
func (s *Identities) Unlink(ctx context.Context, userID, id string, info users.RequestInfo) error {
	if !store.IsUUID(id) {
		return autherr.NotFound(autherr.CodeValidation, "identity_id must be an UUID")
	}
	err := s.db.InTx(ctx, func(tx *store.Tx) error { return s.unlink(ctx, tx, userID, id, info) })
	if store.ViolatesUnique(err) {
		return autherr.Unprocessable(autherr.CodeEmailConflict, "Unable to unlink identity due to email conflict").WithCause(err)
	}
	return err
}

// unlink removes an identity from a user. It locks the user's row first, so that concurrent
// requests see each other's changes.
func (s *Identities) unlink(ctx context.Context, tx *store.Tx, userID, id string, info users.RequestInfo) error {
	if _, err := users.Lock(ctx, tx, userID); err != nil {
		return err
	}
	// Reload the user: Lock has read the identities before it got the lock.
	user, err := users.Load(ctx, tx, userID)
	if err != nil {
		return err
	}
	if len(user.Identities) <= 1 {
		return autherr.Unprocessable(autherr.CodeSingleIdentity, "User must have at least 1 identity after unlinking")
	}
	var removed *users.Identity
	keeps := false
	for i := range user.Identities {
		if identity := &user.Identities[i]; identity.IdentityID == id {
			removed = identity
		} else if identity.Email == user.Email {
			keeps = true
		}
	}
	if removed == nil {
		return autherr.Unprocessable(autherr.CodeIdentityNotFound, "Identity doesn't exist")
	}
	batch := &pgx.Batch{}
	s.trail.Add(batch, info, user, audit.IdentityUnlinked, map[string]any{"identity_id": id, "provider": removed.Provider, "provider_id": removed.ID})
	batch.Queue(deleteIdentity, id, userID)
	if removed.Provider == users.ByPhone {
		batch.Queue(dropPhone, userID, s.now())
	}
	account.RefreshProviders(batch, userID)
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return err
	}
	if removed.Provider != users.ByPhone && !keeps {
		if err := s.replaceAddress(ctx, tx, user); err != nil {
			return err
		}
	}
	return s.messages.Notify(ctx, tx, s.config.Mailer.Notices.IdentityUnlinked && user.Confirmed(users.ByEmail), mailer.IdentityUnlinked, user, user.Email,
		mailer.Data{Provider: removed.Provider}, info)
}

// replaceAddress sets the address of an account whose address was removed with an identity to
// the address of a remaining identity. It invalidates links and codes sent to the old address.
func (s *Identities) replaceAddress(ctx context.Context, tx *store.Tx, user *users.User) error {
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
	batch.Queue(replaceEmail, user.ID, address, address != "" && (verified || s.config.Mailer.Autoconfirm), s.now())
	return tx.ExecBatch(ctx, batch)
}
