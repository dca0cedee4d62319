package factor

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// factorsTarget returns the account that an admin's request concerns, and locks it against
// changes to its factors.
//
// Errors: 404 validation_failed for an invalid UUID, user_not_found.
func factorsTarget(ctx context.Context, tx *store.Tx, id string) (*users.User, error) {
	if !store.IsUUID(id) {
		return nil, users.ErrInvalidID
	}
	if err := users.LockKey(ctx, tx, id); err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, users.ErrNotFound
		}
		return nil, err
	}
	return users.Load(ctx, tx, id)
}

// factorOfAdmin returns the user's factor with an id, of any type: the stored row, and its
// JSON form.
func factorOfAdmin(ctx context.Context, tx *store.Tx, user *users.User, id string) (factor, users.Factor, error) {
	var stored factor
	if !store.IsUUID(id) {
		return stored, users.Factor{}, autherr.NotFound(autherr.CodeValidation, "factor_id must be an UUID")
	}
	err := tx.QueryRow(ctx, factorByID, user.ID, id).Scan(stored.fields()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return stored, users.Factor{}, errNoFactor
	}
	return stored, factorIn(user, stored.id), err
}

func factorIn(user *users.User, id string) users.Factor {
	for _, f := range user.Factors {
		if f.ID == id {
			return f
		}
	}
	return users.Factor{}
}

// List returns an account's factors, for admins.
//
// Errors: 404 user_not_found, validation_failed for an invalid UUID.
func (s *Factors) List(ctx context.Context, userID string) ([]users.Factor, error) {
	user, err := s.Target(ctx, userID)
	if err != nil || user.Factors == nil {
		return []users.Factor{}, err
	}
	return user.Factors, nil
}

// Target returns the account that an admin's request concerns.
//
// Errors: 404 user_not_found, validation_failed for an invalid UUID.
func (s *Factors) Target(ctx context.Context, userID string) (user *users.User, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err = factorsTarget(ctx, tx, userID)
		return err
	})
	return user, err
}

// Delete removes a factor of any type, for an admin.
//
// Errors: 404 user_not_found, mfa_factor_not_found, validation_failed for an invalid UUID.
func (s *Factors) Delete(ctx context.Context, userID, id string, actor *users.User, info users.RequestInfo) (deleted users.Factor, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := factorsTarget(ctx, tx, userID)
		if err != nil {
			return err
		}
		var stored factor
		if stored, deleted, err = factorOfAdmin(ctx, tx, user, id); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, actor, audit.FactorDeleted, map[string]any{"user_id": user.ID, "factor_id": stored.id})
		return s.removeFactor(ctx, tx, batch, user.ID, stored)
	})
	return deleted, err
}

// Update changes the name of a factor, or the number of a phone factor, for an admin. An
// empty argument leaves the value unchanged.
//
// Errors: 400 validation_failed; the 404 errors of Delete; 422 mfa_factor_name_conflict.
func (s *Factors) Update(ctx context.Context, userID, id, newName, newPhone string, actor *users.User, info users.RequestInfo) (updated users.Factor, err error) {
	if err := checkFactorName(newName); err != nil {
		return updated, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		user, err := factorsTarget(ctx, tx, userID)
		if err != nil {
			return err
		}
		stored, _, err := factorOfAdmin(ctx, tx, user, id)
		if err != nil {
			return err
		}
		var name, phone *string
		if newName != "" {
			name = &newName
		}
		if newPhone != "" && stored.kind == factorPhone {
			number, err := users.ParsePhone(newPhone)
			if err != nil {
				return err
			}
			phone = &number
		}
		batch := &pgx.Batch{}
		batch.Queue(renameFactor, stored.id, name, phone, s.now())
		s.trail.Add(batch, info, actor, audit.FactorUpdated, map[string]any{"user_id": user.ID, "factor_id": stored.id, "factor_type": stored.kind})
		if err := tx.ExecBatch(ctx, batch); err != nil {
			return err
		}
		if user, err = users.Load(ctx, tx, user.ID); err == nil {
			updated = factorIn(user, stored.id)
		}
		return err
	})
	if store.ViolatesUnique(err) {
		err = autherr.Unprocessable(autherr.CodeFactorName, "The user has a factor of this name or number").WithCause(err)
	}
	return updated, err
}
