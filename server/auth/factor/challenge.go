package factor

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// challengeRetention is how long challenges are kept after their creation, so that an expired
// challenge can be distinguished from an unknown one.
const challengeRetention = 24 * time.Hour

// Challenged is the response to POST /factors/{id}/challenge.
type Challenged struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	ExpiresAt int64     `json:"expires_at"`
	WebAuthn  *ceremony `json:"webauthn,omitempty"`
}

// createdChallenge is a stored challenge, with the code to send to a phone.
type createdChallenge struct {
	Challenged
	factor factor
	code   string
}

// Challenge creates a challenge for a factor. For a phone factor it sends the code.
//
// Errors: 404 mfa_factor_not_found; 422 for a disabled type, sms_send_failed; 429
// over_sms_send_rate_limit.
func (s *Factors) Challenge(ctx context.Context, current *session.Current, id, channel string, info users.RequestInfo) (Challenged, error) {
	var made createdChallenge
	err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
		made, err = s.createChallenge(ctx, tx, current, id, info)
		return err
	})
	if err == nil && made.code != "" {
		err = s.sendFactorCode(ctx, current.User, made, channel, info)
	}
	return made.Challenged, err
}

// createChallenge stores a challenge for a factor, and deletes the factor's old challenges.
func (s *Factors) createChallenge(ctx context.Context, tx *store.Tx, current *session.Current, id string, info users.RequestInfo) (createdChallenge, error) {
	if err := s.sessions.Lock(ctx, tx, current); err != nil {
		return createdChallenge{}, err
	}
	f, err := factorOf(ctx, tx, current.User.ID, id)
	if err != nil {
		return createdChallenge{}, err
	}
	if err := s.mayVerify(f.kind); err != nil {
		return createdChallenge{}, err
	}
	now := s.now()
	made := createdChallenge{factor: f, Challenged: Challenged{ID: store.NewID(), Type: f.kind, ExpiresAt: now.Add(s.config.MFA.ChallengeLifetime()).Unix()}}
	var sealed *string
	var sessionData json.RawMessage
	switch f.kind {
	case factorPhone:
		if made.code, err = s.factorCode(f); err != nil {
			return createdChallenge{}, err
		}
		text := s.box.Seal([]byte(made.code), challengeSealContext(made.ID))
		sealed = &text
	case factorWebAuthn:
		others, err := listFactors(ctx, tx, current.User.ID)
		if err != nil {
			return createdChallenge{}, err
		}
		if made.WebAuthn, sessionData, err = s.beginCeremony(current.User, f, others); err != nil {
			return createdChallenge{}, err
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(dropOldChallenges, f.id, now.Add(-challengeRetention))
	batch.Queue(insertChallenge, made.ID, f.id, now, info.AddressOrZero(), sealed, sessionData)
	batch.Queue(noteChallenge, f.id, now)
	s.trail.Add(batch, info, current.User, audit.ChallengeCreated, map[string]any{"factor_id": f.id, "factor_status": f.status()})
	return made, tx.ExecBatch(ctx, batch)
}

// mayVerify refuses disabled types of factors.
func (s *Factors) mayVerify(kind string) error {
	allowed := s.config.MFA
	switch {
	case kind == factorTOTP && !allowed.TOTP.Verify:
		return autherr.Unprocessable(autherr.CodeTOTPVerify, "MFA verification is disabled for TOTP")
	case kind == factorPhone && !allowed.Phone.Verify:
		return autherr.Unprocessable(autherr.CodePhoneVerify, "MFA verification is disabled for Phone")
	case kind == factorWebAuthn && !allowed.WebAuthn.Verify:
		return autherr.Unprocessable(autherr.CodeWebAuthnVerify, "MFA verification is disabled for WebAuthn")
	}
	return nil
}

// challengeSealContext returns the additional data that a challenge's code is sealed with.
func challengeSealContext(id string) string { return "mfa_challenges/" + id }

// factorCode returns a new code for a phone.
//
// Errors: 429 over_sms_send_rate_limit if the last code was sent too recently.
func (s *Factors) factorCode(f factor) (string, error) {
	now := s.now()
	if err := message.CheckInterval(f.challengedAt, s.config.MFA.Phone.MaxFrequency, now, autherr.CodeSMSRate); err != nil {
		return "", err
	}
	if fixed, ok := s.messages.TestCode(f.phone, now); ok {
		return fixed, nil
	}
	return token.Code(s.config.MFA.Phone.OTPLength), nil
}

// sendFactorCode sends the code of a committed challenge. If the message cannot be sent, the
// challenge is deleted.
func (s *Factors) sendFactorCode(ctx context.Context, user *users.User, made createdChallenge, channel string, info users.RequestInfo) error {
	unsent := s.limits.SpendSMS(ctx)
	if unsent == nil {
		_, unsent = s.messages.SendCode(ctx, user, made.factor.phone, made.code, channel, s.text, info)
	}
	if unsent == nil {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(dropChallenge, made.ID)
	batch.Queue(clearChallengeTime, made.factor.id)
	if err := s.db.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) }); err != nil {
		s.log.ErrorContext(ctx, "cannot delete the challenge of an unsent code", "error", err)
	}
	return unsent
}
