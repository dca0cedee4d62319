package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/message"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// challengeRest is how long challenges are kept after they are made, so that an
// expired one is told from an unknown one.
const challengeRest = 24 * time.Hour

// challenged is the answer to POST /factors/{id}/challenge.
type challenged struct {
	ID        string    `json:"id"`
	Type      string    `json:"type"`
	ExpiresAt int64     `json:"expires_at"`
	WebAuthn  *ceremony `json:"webauthn,omitempty"`
}

// posed is a challenge that was stored, with the code its phone is to get.
type posed struct {
	challenged
	factor factor
	code   string
}

// challengeFactor answers POST /factors/{id}/challenge.
func (s *Server) challengeFactor(w http.ResponseWriter, r *http.Request) error {
	in, err := s.factorOwner(r)
	if err != nil {
		return err
	}
	var asked struct {
		Channel string `json:"channel"`
	}
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if err := message.CheckChannel(asked.Channel); err != nil {
		return err
	}
	who := s.visitor(r)
	var made posed
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		made, err = s.pose(r.Context(), tx, in, r.PathValue("id"), who)
		return err
	})
	if err != nil {
		return err
	}
	if made.code != "" {
		if err := s.sendFactorCode(r.Context(), in.User, made, asked.Channel, who); err != nil {
			return err
		}
	}
	return httpx.WriteJSON(w, http.StatusOK, made.challenged)
}

// pose stores a challenge for a factor, and forgets those of other days.
func (s *Server) pose(ctx context.Context, tx *store.Tx, in *session.Current, id string, who users.Visitor) (posed, error) {
	if err := s.lockFactors(ctx, tx, in); err != nil {
		return posed{}, err
	}
	f, err := factorOf(ctx, tx, in.User.ID, id)
	if err != nil {
		return posed{}, err
	}
	if err := s.mayVerify(f.kind); err != nil {
		return posed{}, err
	}
	now := s.now()
	made := posed{factor: f, challenged: challenged{ID: store.NewID(), Type: f.kind, ExpiresAt: now.Add(s.config.MFA.ChallengeLifetime()).Unix()}}
	var sealed *string
	var kept json.RawMessage
	switch f.kind {
	case factorPhone:
		if made.code, err = s.factorCode(f); err != nil {
			return posed{}, err
		}
		text := s.box.Seal([]byte(made.code), challengeSealedAt(made.ID))
		sealed = &text
	case factorWebAuthn:
		others, err := listFactors(ctx, tx, in.User.ID)
		if err != nil {
			return posed{}, err
		}
		if made.WebAuthn, kept, err = s.beginCeremony(in.User, f, others); err != nil {
			return posed{}, err
		}
	}
	batch := &pgx.Batch{}
	batch.Queue(dropOldChallenges, f.id, now.Add(-challengeRest))
	batch.Queue(insertChallenge, made.ID, f.id, now, who.KnownAddress(), sealed, kept)
	batch.Queue(noteChallenge, f.id, now)
	s.trail.Add(batch, who, in.User, audit.ChallengeCreated, map[string]any{"factor_id": f.id, "factor_status": f.status()})
	return made, tx.ExecBatch(ctx, batch)
}

// mayVerify refuses types of factors that are switched off.
func (s *Server) mayVerify(kind string) error {
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

// challengeSealedAt is the place that a challenge's code is sealed for.
func challengeSealedAt(id string) string { return "mfa_challenges/" + id }

// factorCode makes a code for a phone.
//
// Errors: 429 over_sms_send_rate_limit soon after the last one.
func (s *Server) factorCode(f factor) (string, error) {
	now := s.now()
	if err := message.Within(f.challengedAt, s.config.MFA.Phone.MaxFrequency, now, autherr.CodeSMSRate); err != nil {
		return "", err
	}
	if fixed, ok := s.messages.TestCode(f.phone, now); ok {
		return fixed, nil
	}
	return token.Code(s.config.MFA.Phone.OTPLength), nil
}

// sendFactorCode sends the code of a challenge that is committed. A challenge
// whose message does not go out is forgotten.
func (s *Server) sendFactorCode(ctx context.Context, user *users.User, made posed, channel string, who users.Visitor) error {
	unsent := s.limits.SpendSMS(ctx)
	if unsent == nil {
		_, unsent = s.messages.SendCode(ctx, user, made.factor.phone, made.code, channel, s.factorText, who)
	}
	if unsent == nil {
		return nil
	}
	batch := &pgx.Batch{}
	batch.Queue(dropChallenge, made.ID)
	batch.Queue(unnoteChallenge, made.factor.id)
	if err := s.store.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) }); err != nil {
		s.deps.Log.ErrorContext(ctx, "a code that was not sent is still noted", "error", err)
	}
	return unsent
}
