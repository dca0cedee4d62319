package auth

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// Recovery codes open the second level for who has lost the other factors. A
// set of them is one factor, of a type that auth-js knows (mfa.recoveryCodes)
// and upstream does not yet.

// maxRecoveryMisses is how many wrong codes in a row close the set for a while.
const maxRecoveryMisses = 5

// defaultRecoveryName is how a set is called in the list of factors. Source:
// auth-js.
const defaultRecoveryName = "Recovery codes"

// recoverySet is the answer about a set. Codes is only there when they are made.
type recoverySet struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Name      string    `json:"friendly_name"`
	Total     int       `json:"total"`
	Remaining int       `json:"remaining"`
	CreatedAt time.Time `json:"created_at"`
	Codes     []string  `json:"codes,omitempty"`
}

// recoveryFactor gives the user's set, and says whether there is another factor
// beside it.
func recoveryFactor(ctx context.Context, tx *store.Tx, userID string) (set *factor, others bool, err error) {
	present, err := listFactors(ctx, tx, userID)
	for i, f := range present {
		if f.kind == factorRecovery {
			set = &present[i]
		} else if f.verified {
			others = true
		}
	}
	return set, others, err
}

// recoveryStatus answers GET /factors/recovery-codes.
func (s *Server) recoveryStatus(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	set := recoverySet{Type: factorRecovery}
	err = s.store.QueryRow(r.Context(), recoveryState, []any{in.User.ID}, &set.ID, &set.Name, &set.Total, &set.Remaining, &set.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return errNoFactor
	}
	if err != nil {
		return err
	}
	set.CreatedAt = set.CreatedAt.UTC()
	return httpx.WriteJSON(w, http.StatusOK, set)
}

// makeRecoveryCodes answers POST /factors/recovery-codes: the first set.
func (s *Server) makeRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	var asked struct {
		Name string `json:"friendly_name"`
	}
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if asked.Name == "" {
		asked.Name = defaultRecoveryName
	}
	if err := checkFactorName(asked.Name); err != nil {
		return err
	}
	return s.issueRecoveryCodes(w, r, func(ctx context.Context, tx *store.Tx, in *session.Current, old *factor) (*factor, error) {
		if old != nil {
			return nil, autherr.Unprocessable(autherr.CodeFactorVerified, "Recovery codes already exist, regenerate them instead")
		}
		fresh := &factor{id: store.NewID(), kind: factorRecovery, verified: true, name: asked.Name}
		return fresh, s.addFactor(ctx, tx, in, fresh, s.visitor(r))
	})
}

// remakeRecoveryCodes answers POST /factors/recovery-codes/regenerate: another
// set in place of the first.
func (s *Server) remakeRecoveryCodes(w http.ResponseWriter, r *http.Request) error {
	return s.issueRecoveryCodes(w, r, func(_ context.Context, _ *store.Tx, _ *session.Current, old *factor) (*factor, error) {
		if old == nil {
			return nil, errNoFactor
		}
		return old, nil
	})
}

// issueRecoveryCodes makes codes for the set that choose gives, and shows them
// this once.
func (s *Server) issueRecoveryCodes(w http.ResponseWriter, r *http.Request,
	choose func(context.Context, *store.Tx, *session.Current, *factor) (*factor, error)) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	if !s.config.MFA.RecoveryCodes.Enroll {
		return autherr.Unprocessable(autherr.CodeRecoveryEnroll, "MFA enroll is disabled for recovery codes")
	}
	codes, key := mfa.NewRecoveryCodes()
	answer := recoverySet{Type: factorRecovery, Total: len(codes), Remaining: len(codes), CreatedAt: s.now().UTC(), Codes: codes}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		if err := s.lockFactors(r.Context(), tx, in); err != nil {
			return err
		}
		old, others, err := recoveryFactor(r.Context(), tx, in.User.ID)
		switch {
		case err != nil:
			return err
		case !others:
			return autherr.Unprocessable(autherr.CodeRecoverySole, "Recovery codes need another verified factor")
		case !in.Strong():
			return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to make recovery codes")
		}
		set, err := choose(r.Context(), tx, in, old)
		if err != nil {
			return err
		}
		answer.ID, answer.Name = set.id, set.name
		return s.storeRecoveryCodes(r.Context(), tx, in, set, codes, key, s.visitor(r))
	})
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	return httpx.WriteJSON(w, http.StatusOK, answer)
}

func (s *Server) storeRecoveryCodes(ctx context.Context, tx *store.Tx, in *session.Current, set *factor, codes []string, key []byte, who users.Visitor) error {
	batch := &pgx.Batch{}
	batch.Queue(dropRecoveryCodes, set.id)
	batch.Queue(setRecoveryKey, set.id, s.box.Seal(key, set.sealedAt()), s.now())
	for _, code := range codes {
		batch.Queue(insertRecoveryCode, set.id, mfa.RecoveryHash(key, code), s.now())
	}
	s.trail.Add(batch, who, in.User, audit.FactorUpdated, map[string]any{"factor_id": set.id, "factor_type": set.kind})
	return tx.ExecBatch(ctx, batch)
}

// verifyRecoveryCode answers POST /factors/recovery-codes/verify: a code not
// used before raises the session to the second level.
func (s *Server) verifyRecoveryCode(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var given struct{ Code string }
	if err := read(w, r, &given); err != nil {
		return err
	}
	switch {
	case !s.config.MFA.RecoveryCodes.Verify:
		return autherr.Unprocessable(autherr.CodeRecoveryVerify, "MFA verification is disabled for recovery codes")
	case given.Code == "":
		return autherr.BadRequest(autherr.CodeValidation, "Code needs to be non-empty")
	}
	return s.attempt(w, r, func(tx *store.Tx) (*session.TokenResponse, error, error) {
		return s.spendRecoveryCode(r, tx, in, given.Code)
	})
}

// spendRecoveryCode uses a code up. A wrong one is counted and refused.
func (s *Server) spendRecoveryCode(r *http.Request, tx *store.Tx, in *session.Current, code string) (tokens *session.TokenResponse, refused, err error) {
	ctx, now := r.Context(), s.now()
	wrong := autherr.Unprocessable(autherr.CodeMFAFailed, "Invalid recovery code entered")
	if err := s.lockFactors(ctx, tx, in); err != nil {
		return nil, nil, err
	}
	set, _, err := recoveryFactor(ctx, tx, in.User.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case set == nil:
		return nil, nil, wrong
	case set.locked(now):
		return nil, nil, apierr.New(http.StatusTooManyRequests, autherr.CodeRecoveryLocked, "Too many wrong recovery codes, try again later or use another factor")
	}
	who := s.visitor(r)
	key, err := s.box.Open(set.secret, set.sealedAt())
	if err != nil {
		return nil, nil, err
	}
	spent, err := tx.Exec(ctx, useRecoveryCode, set.id, mfa.RecoveryHash(key, code), now)
	if err != nil {
		return nil, nil, err
	}
	if refused, err := s.hearMFAHook(ctx, tx, in, *set, spent.RowsAffected() > 0, who); refused != nil || err != nil {
		return nil, refused, err
	}
	if spent.RowsAffected() == 0 {
		_, err := tx.Exec(ctx, countFactorMiss, set.id, maxRecoveryMisses, now.Add(factorRest))
		return nil, wrong, err
	}
	batch := &pgx.Batch{}
	batch.Queue(useFactor, set.id, now, nil, nil, nil)
	s.trail.Add(batch, who, in.User, audit.FactorVerified, map[string]any{"factor_id": set.id, "factor_type": set.kind})
	tokens, err = s.raise(ctx, tx, batch, in, *set, who)
	return tokens, nil, err
}

// dropRecovery answers DELETE /factors/recovery-codes.
func (s *Server) dropRecovery(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var id string
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		if err := s.lockFactors(r.Context(), tx, in); err != nil {
			return err
		}
		set, _, err := recoveryFactor(r.Context(), tx, in.User.ID)
		switch {
		case err != nil:
			return err
		case set == nil:
			return errNoFactor
		case !in.Strong():
			return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to remove recovery codes")
		}
		id = set.id
		batch := &pgx.Batch{}
		s.trail.Add(batch, s.visitor(r), in.User, audit.FactorUnenrolled, map[string]any{"factor_id": set.id, "factor_status": set.status(), "session_id": in.ID})
		return s.removeFactor(r.Context(), tx, batch, in.User.ID, *set)
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]string{"id": id})
}
