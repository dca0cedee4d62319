package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// factorsTarget gives the account that an admin's request is about, locked
// against changes to its factors.
//
// Errors: 404 validation_failed for no UUID, user_not_found.
func factorsTarget(ctx context.Context, tx *store.Tx, id string) (*users.User, error) {
	if !store.IsUUID(id) {
		return nil, errNoUserID
	}
	if err := tx.QueryRow(ctx, lockUser, id).Scan(&id); err != nil {
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, errNoUser
		}
		return nil, err
	}
	return users.Load(ctx, tx, id)
}

// factorOfAdmin gives the target's factor of a path, of any type, as it is
// stored and as clients see it.
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

// adminFactors answers GET /admin/users/{user}/factors.
func (s *Server) adminFactors(w http.ResponseWriter, r *http.Request) error {
	var user *users.User
	err := s.store.InTx(r.Context(), func(tx *store.Tx) (err error) {
		user, err = factorsTarget(r.Context(), tx, r.PathValue("user"))
		return err
	})
	if err != nil {
		return err
	}
	if user.Factors == nil {
		user.Factors = []users.Factor{}
	}
	return httpx.WriteJSON(w, http.StatusOK, user.Factors)
}

// adminDeleteFactor answers DELETE /admin/users/{user}/factors/{id}.
func (s *Server) adminDeleteFactor(w http.ResponseWriter, r *http.Request) error {
	var deleted users.Factor
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		user, err := factorsTarget(r.Context(), tx, r.PathValue("user"))
		if err != nil {
			return err
		}
		var stored factor
		if stored, deleted, err = factorOfAdmin(r.Context(), tx, user, r.PathValue("id")); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, s.visitor(r), s.actor(r), audit.FactorDeleted, map[string]any{"user_id": user.ID, "factor_id": stored.id})
		return s.removeFactor(r.Context(), tx, batch, user.ID, stored)
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, deleted)
}

// adminUpdateFactor answers PUT /admin/users/{user}/factors/{id}: another name,
// or another number of a phone.
func (s *Server) adminUpdateFactor(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Name  string `json:"friendly_name"`
		Phone string `json:"phone"`
	}
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if err := checkFactorName(asked.Name); err != nil {
		return err
	}
	var updated users.Factor
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		user, err := factorsTarget(r.Context(), tx, r.PathValue("user"))
		if err != nil {
			return err
		}
		stored, _, err := factorOfAdmin(r.Context(), tx, user, r.PathValue("id"))
		if err != nil {
			return err
		}
		var name, phone *string
		if asked.Name != "" {
			name = &asked.Name
		}
		if asked.Phone != "" && stored.kind == factorPhone {
			number, err := users.ParsePhone(asked.Phone)
			if err != nil {
				return err
			}
			phone = &number
		}
		batch := &pgx.Batch{}
		batch.Queue(renameFactor, stored.id, name, phone, s.now())
		s.trail.Add(batch, s.visitor(r), s.actor(r), audit.FactorUpdated, map[string]any{"user_id": user.ID, "factor_id": stored.id, "factor_type": stored.kind})
		if err := tx.ExecBatch(r.Context(), batch); err != nil {
			return err
		}
		if user, err = users.Load(r.Context(), tx, user.ID); err == nil {
			updated = factorIn(user, stored.id)
		}
		return err
	})
	switch {
	case store.ViolatesUnique(err):
		return autherr.Unprocessable(autherr.CodeFactorName, "The user has a factor of this name or number").WithCause(err)
	case err != nil:
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, updated)
}

// adminPasskeys answers GET /admin/users/{user}/passkeys.
func (s *Server) adminPasskeys(w http.ResponseWriter, r *http.Request) error {
	var list []passkey
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		user, err := factorsTarget(r.Context(), tx, r.PathValue("user"))
		if err == nil {
			list, err = passkeysOf(r.Context(), tx, user.ID)
		}
		return err
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, list)
}

// adminDeletePasskey answers DELETE /admin/users/{user}/passkeys/{id}.
func (s *Server) adminDeletePasskey(w http.ResponseWriter, r *http.Request) error {
	var user *users.User
	err := s.store.InTx(r.Context(), func(tx *store.Tx) (err error) {
		user, err = factorsTarget(r.Context(), tx, r.PathValue("user"))
		return err
	})
	if err != nil {
		return err
	}
	return s.removePasskey(w, r, s.actor(r), user.ID, map[string]any{"user_id": user.ID})
}
