package factor

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Recovery codes open the second level for who has lost the other factors. A
// set of them is one factor, of a type that auth-js knows (mfa.recoveryCodes)
// and upstream does not yet.

// maxRecoveryMisses is how many wrong codes in a row close the set for a while.
const maxRecoveryMisses = 5

// defaultRecoveryName is how a set is called in the list of factors. Source:
// auth-js.
const defaultRecoveryName = "Recovery codes"

// RecoverySet is the answer about a set. Codes is only there when they are made.
type RecoverySet struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Name      string    `json:"friendly_name"`
	Total     int       `json:"total"`
	Remaining int       `json:"remaining"`
	CreatedAt time.Time `json:"created_at"`
	Codes     []string  `json:"codes,omitempty"`
}

// recoveryFactor returns the user's set, and says whether there is another factor
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

// RecoveryCodes returns the user's set, without the codes.
//
// Errors: 404 mfa_factor_not_found.
func (s *Factors) RecoveryCodes(ctx context.Context, in *session.Current) (RecoverySet, error) {
	set := RecoverySet{Type: factorRecovery}
	err := s.db.QueryRow(ctx, recoveryState, []any{in.User.ID}, &set.ID, &set.Name, &set.Total, &set.Remaining, &set.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return set, errNoFactor
	}
	set.CreatedAt = set.CreatedAt.UTC()
	return set, err
}

// MakeRecoveryCodes makes the first set, which is shown this once.
//
// Errors: 422 mfa_verified_factor_exists, mfa_recovery_codes_sole_factor and those of
// Enroll; 403 insufficient_aal.
func (s *Factors) MakeRecoveryCodes(ctx context.Context, in *session.Current, name string, who users.Visitor) (RecoverySet, error) {
	if name == "" {
		name = defaultRecoveryName
	}
	if err := checkFactorName(name); err != nil {
		return RecoverySet{}, err
	}
	return s.issueRecoveryCodes(ctx, in, who, func(tx *store.Tx, old *factor) (*factor, error) {
		if old != nil {
			return nil, autherr.Unprocessable(autherr.CodeFactorVerified, "Recovery codes already exist, regenerate them instead")
		}
		fresh := &factor{id: store.NewID(), kind: factorRecovery, verified: true, name: name}
		return fresh, s.addFactor(ctx, tx, in, fresh, who)
	})
}

// RemakeRecoveryCodes makes another set in place of the first.
//
// Errors: 404 mfa_factor_not_found; those of MakeRecoveryCodes.
func (s *Factors) RemakeRecoveryCodes(ctx context.Context, in *session.Current, who users.Visitor) (RecoverySet, error) {
	return s.issueRecoveryCodes(ctx, in, who, func(_ *store.Tx, old *factor) (*factor, error) {
		if old == nil {
			return nil, errNoFactor
		}
		return old, nil
	})
}

// issueRecoveryCodes makes codes for the set that choose gives, and shows them
// this once.
func (s *Factors) issueRecoveryCodes(ctx context.Context, in *session.Current, who users.Visitor,
	choose func(tx *store.Tx, old *factor) (*factor, error)) (RecoverySet, error) {
	if !s.config.MFA.RecoveryCodes.Enroll {
		return RecoverySet{}, autherr.Unprocessable(autherr.CodeRecoveryEnroll, "MFA enroll is disabled for recovery codes")
	}
	codes, key := mfa.NewRecoveryCodes()
	answer := RecoverySet{Type: factorRecovery, Total: len(codes), Remaining: len(codes), CreatedAt: s.now().UTC(), Codes: codes}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := s.sessions.Lock(ctx, tx, in); err != nil {
			return err
		}
		old, others, err := recoveryFactor(ctx, tx, in.User.ID)
		switch {
		case err != nil:
			return err
		case !others:
			return autherr.Unprocessable(autherr.CodeRecoverySole, "Recovery codes need another verified factor")
		case !in.Strong():
			return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to make recovery codes")
		}
		set, err := choose(tx, old)
		if err != nil {
			return err
		}
		answer.ID, answer.Name = set.id, set.name
		return s.storeRecoveryCodes(ctx, tx, in, set, codes, key, who)
	})
	return answer, err
}

func (s *Factors) storeRecoveryCodes(ctx context.Context, tx *store.Tx, in *session.Current, set *factor, codes []string, key []byte, who users.Visitor) error {
	batch := &pgx.Batch{}
	batch.Queue(dropRecoveryCodes, set.id)
	batch.Queue(setRecoveryKey, set.id, s.box.Seal(key, set.sealedAt()), s.now())
	for _, code := range codes {
		batch.Queue(insertRecoveryCode, set.id, mfa.RecoveryHash(key, code), s.now())
	}
	s.trail.Add(batch, who, in.User, audit.FactorUpdated, map[string]any{"factor_id": set.id, "factor_type": set.kind})
	return tx.ExecBatch(ctx, batch)
}

// VerifyRecoveryCode raises the session to the second level by a code that was not used
// before.
//
// Errors: 422 mfa_verification_failed, of codes that are switched off; 429
// mfa_recovery_codes_locked.
func (s *Factors) VerifyRecoveryCode(ctx context.Context, in *session.Current, code string, who users.Visitor) (*session.TokenResponse, error) {
	switch {
	case !s.config.MFA.RecoveryCodes.Verify:
		return nil, autherr.Unprocessable(autherr.CodeRecoveryVerify, "MFA verification is disabled for recovery codes")
	case code == "":
		return nil, autherr.BadRequest(autherr.CodeValidation, "Code needs to be non-empty")
	}
	return s.attempt(ctx, func(tx *store.Tx) (*session.TokenResponse, error, error) {
		return s.spendRecoveryCode(ctx, tx, in, code, who)
	})
}

// spendRecoveryCode uses a code up. A wrong one is counted and refused.
func (s *Factors) spendRecoveryCode(ctx context.Context, tx *store.Tx, in *session.Current, code string, who users.Visitor) (tokens *session.TokenResponse, refused, err error) {
	now := s.now()
	wrong := autherr.Unprocessable(autherr.CodeMFAFailed, "Invalid recovery code entered")
	if err := s.sessions.Lock(ctx, tx, in); err != nil {
		return nil, nil, err
	}
	set, _, err := recoveryFactor(ctx, tx, in.User.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case set == nil:
		return nil, nil, wrong
	case set.locked(now):
		return nil, nil, autherr.TooManyAttempts(autherr.CodeRecoveryLocked, "Too many wrong recovery codes, try again later or use another factor")
	}
	key, err := s.box.Open(set.secret, set.sealedAt())
	if err != nil {
		return nil, nil, err
	}
	spent, err := tx.Exec(ctx, useRecoveryCode, set.id, mfa.RecoveryHash(key, code), now)
	if err != nil {
		return nil, nil, err
	}
	if refused, err := s.askHook(ctx, tx, in, *set, spent.RowsAffected() > 0, who); refused != nil || err != nil {
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

// DropRecoveryCodes removes the set and returns its id.
//
// Errors: 404 mfa_factor_not_found; 403 insufficient_aal.
func (s *Factors) DropRecoveryCodes(ctx context.Context, in *session.Current, who users.Visitor) (string, error) {
	var id string
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := s.sessions.Lock(ctx, tx, in); err != nil {
			return err
		}
		set, _, err := recoveryFactor(ctx, tx, in.User.ID)
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
		s.trail.Add(batch, who, in.User, audit.FactorUnenrolled, map[string]any{"factor_id": set.id, "factor_status": set.status(), "session_id": in.ID})
		return s.removeFactor(ctx, tx, batch, in.User.ID, *set)
	})
	return id, err
}
