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

// Recovery codes let users who have lost their other factors reach aal2. A set of codes is one
// factor, of a type that auth-js supports (mfa.recoveryCodes) and upstream's server does
// not yet.

// maxRecoveryFailures is the number of consecutive wrong codes that locks the set for a while.
const maxRecoveryFailures = 5

// defaultRecoveryName is the name of a set in the list of factors. Source: auth-js.
const defaultRecoveryName = "Recovery codes"

// RecoverySet describes a set of recovery codes. Codes is set only when they are created.
type RecoverySet struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	Name      string    `json:"friendly_name"`
	Total     int       `json:"total"`
	Remaining int       `json:"remaining"`
	CreatedAt time.Time `json:"created_at"`
	Codes     []string  `json:"codes,omitempty"`
}

// recoveryFactor returns the user's set, or nil. others reports whether the user has another
// verified factor.
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
func (s *Factors) RecoveryCodes(ctx context.Context, current *session.Current) (RecoverySet, error) {
	set := RecoverySet{Type: factorRecovery}
	err := s.db.QueryRow(ctx, recoveryState, []any{current.User.ID}, &set.ID, &set.Name, &set.Total, &set.Remaining, &set.CreatedAt)
	if errors.Is(err, pgx.ErrNoRows) {
		return set, errNoFactor
	}
	set.CreatedAt = set.CreatedAt.UTC()
	return set, err
}

// CreateRecoveryCodes creates the first set. Its codes are not shown again.
//
// Errors: 422 mfa_verified_factor_exists, mfa_recovery_codes_sole_factor and those of
// Enroll; 403 insufficient_aal.
func (s *Factors) CreateRecoveryCodes(ctx context.Context, current *session.Current, name string, info users.RequestInfo) (RecoverySet, error) {
	if name == "" {
		name = defaultRecoveryName
	}
	if err := checkFactorName(name); err != nil {
		return RecoverySet{}, err
	}
	return s.issueRecoveryCodes(ctx, current, info, func(tx *store.Tx, old *factor) (*factor, error) {
		if old != nil {
			return nil, autherr.Unprocessable(autherr.CodeFactorVerified, "Recovery codes already exist, regenerate them instead")
		}
		fresh := &factor{id: store.NewID(), kind: factorRecovery, verified: true, name: name}
		return fresh, s.addFactor(ctx, tx, current, fresh, info)
	})
}

// RegenerateRecoveryCodes creates codes that replace those of the existing set.
//
// Errors: 404 mfa_factor_not_found; those of CreateRecoveryCodes.
func (s *Factors) RegenerateRecoveryCodes(ctx context.Context, current *session.Current, info users.RequestInfo) (RecoverySet, error) {
	return s.issueRecoveryCodes(ctx, current, info, func(_ *store.Tx, old *factor) (*factor, error) {
		if old == nil {
			return nil, errNoFactor
		}
		return old, nil
	})
}

// issueRecoveryCodes creates and returns codes for the set that choose returns.
func (s *Factors) issueRecoveryCodes(ctx context.Context, current *session.Current, info users.RequestInfo,
	choose func(tx *store.Tx, old *factor) (*factor, error)) (RecoverySet, error) {
	if !s.config.MFA.RecoveryCodes.Enroll {
		return RecoverySet{}, autherr.Unprocessable(autherr.CodeRecoveryEnroll, "MFA enroll is disabled for recovery codes")
	}
	codes, key := mfa.NewRecoveryCodes()
	result := RecoverySet{Type: factorRecovery, Total: len(codes), Remaining: len(codes), CreatedAt: s.now().UTC(), Codes: codes}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := s.sessions.Lock(ctx, tx, current); err != nil {
			return err
		}
		old, others, err := recoveryFactor(ctx, tx, current.User.ID)
		switch {
		case err != nil:
			return err
		case !others:
			return autherr.Unprocessable(autherr.CodeRecoverySole, "Recovery codes need another verified factor")
		case !current.IsAAL2():
			return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to make recovery codes")
		}
		set, err := choose(tx, old)
		if err != nil {
			return err
		}
		result.ID, result.Name = set.id, set.name
		return s.storeRecoveryCodes(ctx, tx, current, set, codes, key, info)
	})
	return result, err
}

func (s *Factors) storeRecoveryCodes(ctx context.Context, tx *store.Tx, current *session.Current, set *factor, codes []string, key []byte, info users.RequestInfo) error {
	batch := &pgx.Batch{}
	batch.Queue(dropRecoveryCodes, set.id)
	batch.Queue(setRecoveryKey, set.id, s.box.Seal(key, set.sealContext()), s.now())
	for _, code := range codes {
		batch.Queue(insertRecoveryCode, set.id, mfa.RecoveryHash(key, code), s.now())
	}
	s.trail.Add(batch, info, current.User, audit.FactorUpdated, map[string]any{"factor_id": set.id, "factor_type": set.kind})
	return tx.ExecBatch(ctx, batch)
}

// VerifyRecoveryCode upgrades the session to aal2 with an unused code.
//
// Errors: 422 mfa_verification_failed, mfa_recovery_codes_verify_not_enabled; 429
// mfa_recovery_codes_locked.
func (s *Factors) VerifyRecoveryCode(ctx context.Context, current *session.Current, code string, info users.RequestInfo) (*session.TokenResponse, error) {
	switch {
	case !s.config.MFA.RecoveryCodes.Verify:
		return nil, autherr.Unprocessable(autherr.CodeRecoveryVerify, "MFA verification is disabled for recovery codes")
	case code == "":
		return nil, autherr.BadRequest(autherr.CodeValidation, "Code needs to be non-empty")
	}
	return s.attempt(ctx, func(tx *store.Tx) (*session.TokenResponse, error, error) {
		return s.consumeRecoveryCode(ctx, tx, current, code, info)
	})
}

// consumeRecoveryCode consumes a code. A wrong code is counted and refused.
func (s *Factors) consumeRecoveryCode(ctx context.Context, tx *store.Tx, current *session.Current, code string, info users.RequestInfo) (tokens *session.TokenResponse, refused, err error) {
	now := s.now()
	wrong := autherr.Unprocessable(autherr.CodeMFAFailed, "Invalid recovery code entered")
	if err := s.sessions.Lock(ctx, tx, current); err != nil {
		return nil, nil, err
	}
	set, _, err := recoveryFactor(ctx, tx, current.User.ID)
	switch {
	case err != nil:
		return nil, nil, err
	case set == nil:
		return nil, nil, wrong
	case set.locked(now):
		return nil, nil, autherr.TooManyAttempts(autherr.CodeRecoveryLocked, "Too many wrong recovery codes, try again later or use another factor")
	}
	key, err := s.box.Open(set.secret, set.sealContext())
	if err != nil {
		return nil, nil, err
	}
	spent, err := tx.Exec(ctx, useRecoveryCode, set.id, mfa.RecoveryHash(key, code), now)
	if err != nil {
		return nil, nil, err
	}
	if refused, err := s.callHook(ctx, tx, current, *set, spent.RowsAffected() > 0, info); refused != nil || err != nil {
		return nil, refused, err
	}
	if spent.RowsAffected() == 0 {
		_, err := tx.Exec(ctx, countFactorFailure, set.id, maxRecoveryFailures, now.Add(lockDuration))
		return nil, wrong, err
	}
	batch := &pgx.Batch{}
	batch.Queue(useFactor, set.id, now, nil, nil, nil)
	s.trail.Add(batch, info, current.User, audit.FactorVerified, map[string]any{"factor_id": set.id, "factor_type": set.kind})
	tokens, err = s.upgradeSession(ctx, tx, batch, current, *set, info)
	return tokens, nil, err
}

// DeleteRecoveryCodes removes the set and returns its id.
//
// Errors: 404 mfa_factor_not_found; 403 insufficient_aal.
func (s *Factors) DeleteRecoveryCodes(ctx context.Context, current *session.Current, info users.RequestInfo) (string, error) {
	var id string
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := s.sessions.Lock(ctx, tx, current); err != nil {
			return err
		}
		set, _, err := recoveryFactor(ctx, tx, current.User.ID)
		switch {
		case err != nil:
			return err
		case set == nil:
			return errNoFactor
		case !current.IsAAL2():
			return autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 required to remove recovery codes")
		}
		id = set.id
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, current.User, audit.FactorUnenrolled, map[string]any{"factor_id": set.id, "factor_status": set.status(), "session_id": current.ID})
		return s.removeFactor(ctx, tx, batch, current.User.ID, *set)
	})
	return id, err
}
