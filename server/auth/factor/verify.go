package factor

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/mfa"
	"plaza/server/auth/seal"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/token"
	"plaza/server/auth/users"
)

// maxChallengeMisses is the number of wrong codes that invalidates a challenge. Upstream has
// no such limit.
const maxChallengeMisses = 5

// maxFactorMisses is the number of consecutive wrong codes that locks a factor for a while,
// across all challenges and client addresses. Otherwise an attacker who knows the password
// could try codes without limit.
const maxFactorMisses = 10

// factorRest is how long a factor stays locked.
const factorRest = 15 * time.Minute

// Answer is the body of POST /factors/{id}/verify.
type Answer struct {
	ChallengeID string `json:"challenge_id"`
	Code        string `json:"code"`
	WebAuthn    *struct {
		Type     string          `json:"type"` // create or request
		Response json.RawMessage `json:"credential_response"`
	} `json:"webauthn"`
}

// check refuses an answer that lacks the fields for a type of factor.
func (a Answer) check(kind string) error {
	switch {
	case kind != factorWebAuthn && a.Code == "":
		return autherr.BadRequest(autherr.CodeValidation, "Code needs to be non-empty")
	case kind != factorWebAuthn:
		return nil
	case a.WebAuthn == nil:
		return autherr.BadRequest(autherr.CodeValidation, "WebAuthn config required")
	case a.WebAuthn.Type != ceremonyCreate && a.WebAuthn.Type != ceremonyRequest:
		return autherr.BadRequest(autherr.CodeValidation, "WebAuthn type must be create or request")
	case len(a.WebAuthn.Response) == 0:
		return autherr.BadRequest(autherr.CodeValidation, "credential_response required")
	}
	return nil
}

// Verify upgrades the session to aal2 with the answer to a challenge.
//
// Errors: 404 mfa_factor_not_found; 422 mfa_verification_failed and those of
// openChallenge; 403 mfa_verification_rejected; 429 over_request_rate_limit after many
// wrong answers.
func (s *Factors) Verify(ctx context.Context, in *session.Current, id string, given Answer, who users.Visitor) (*session.TokenResponse, error) {
	return s.attempt(ctx, func(tx *store.Tx) (*session.TokenResponse, error, error) {
		return s.checkAnswer(ctx, tx, in, id, given, who)
	})
}

// attempt runs fn in a transaction and returns its tokens. The transaction commits if fn
// returns a refused error, so that the count of wrong answers is kept.
func (s *Factors) attempt(ctx context.Context, fn func(tx *store.Tx) (tokens *session.TokenResponse, refused, err error)) (*session.TokenResponse, error) {
	var tokens *session.TokenResponse
	var refused error
	err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
		tokens, refused, err = fn(tx)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// checkAnswer checks an answer against its challenge. A wrong answer is counted and refused.
func (s *Factors) checkAnswer(ctx context.Context, tx *store.Tx, in *session.Current, id string, given Answer, who users.Visitor) (tokens *session.TokenResponse, refused, err error) {
	if err := s.sessions.Lock(ctx, tx, in); err != nil {
		return nil, nil, err
	}
	f, err := factorOf(ctx, tx, in.User.ID, id)
	if err != nil {
		return nil, nil, err
	}
	if err := s.mayVerify(f.kind); err != nil {
		return nil, nil, err
	}
	if err := given.check(f.kind); err != nil {
		return nil, nil, err
	}
	if f.locked(s.now()) {
		return nil, nil, autherr.TooManyAttempts(autherr.CodeRequestRate, "Too many wrong codes, try again later or use another factor")
	}
	open, err := s.openChallenge(ctx, tx, f, given.ChallengeID, who)
	if err != nil {
		return nil, nil, err
	}
	shown, valid, err := s.isRight(in.User, f, open, given)
	if err != nil {
		return nil, nil, err
	}
	if refused, err := s.askHook(ctx, tx, in, f, valid, who); refused != nil || err != nil {
		return nil, refused, err
	}
	if !valid {
		batch := &pgx.Batch{}
		batch.Queue(countMissedCode, open.id)
		batch.Queue(countFactorMiss, f.id, maxFactorMisses, s.now().Add(factorRest))
		return nil, autherr.Unprocessable(autherr.CodeMFAFailed, "%s", wrongAnswers[f.kind]), tx.ExecBatch(ctx, batch)
	}
	batch := &pgx.Batch{}
	batch.Queue(spendChallenge, open.id, s.now())
	batch.Queue(useFactor, f.id, s.now(), shown.step, shown.credential, shown.model)
	s.trail.Add(batch, who, in.User, audit.FactorVerified, map[string]any{"factor_id": f.id, "challenge_id": open.id, "factor_type": f.kind})
	if tokens, err = s.raise(ctx, tx, batch, in, f, who); err != nil {
		return nil, nil, err
	}
	return tokens, nil, s.messages.Notify(ctx, tx, s.config.Mailer.Notices.FactorEnrolled && !f.verified, mailer.FactorEnrolled, in.User, "", mailer.Data{FactorType: f.kind}, who)
}

var wrongAnswers = map[string]string{
	factorTOTP: "Invalid TOTP code entered", factorPhone: "Invalid MFA Phone code entered", factorWebAuthn: "Invalid credential_response",
}

// shown has the values of a correct answer that are stored with the factor.
type shown struct {
	step       *int64 // time step of a TOTP code
	credential json.RawMessage
	model      *string // of the authenticator
}

// isRight reports whether an answer is correct.
func (s *Factors) isRight(user *users.User, f factor, open openChallenge, given Answer) (shown, bool, error) {
	switch f.kind {
	case factorTOTP:
		secret, err := s.secretOf(f)
		if err != nil {
			return shown{}, false, err
		}
		step, ok, err := mfa.MatchTOTP(secret, given.Code, s.now(), f.lastStep)
		return shown{step: &step}, ok, err
	case factorPhone:
		code, err := s.box.Open(open.code, challengeSealedAt(open.id))
		return shown{}, token.Same(string(code), given.Code), err
	case factorWebAuthn:
		return s.checkCredential(user, f, open, given)
	}
	return shown{}, false, nil
}

// secretOf returns the secret of an authenticator app. Secrets written by upstream's server
// are not sealed.
func (s *Factors) secretOf(f factor) (string, error) {
	if !seal.IsSealed(f.secret) {
		return f.secret, nil
	}
	secret, err := s.box.Open(f.secret, f.sealedAt())
	return string(secret), err
}

// openChallenge is a challenge that has not been answered.
type openChallenge struct {
	id      string
	code    string // sent to a phone; sealed
	session json.RawMessage
}

// openChallenge returns a challenge that may be answered. The user's row is already locked,
// so concurrent answers are checked one after the other.
//
// Errors, all 422: mfa_factor_not_found for an unknown challenge,
// mfa_ip_address_mismatch for another client address or a challenge answered before,
// mfa_challenge_expired.
func (s *Factors) openChallenge(ctx context.Context, tx *store.Tx, f factor, id string, who users.Visitor) (openChallenge, error) {
	missing := autherr.Unprocessable(autherr.CodeFactorNotFound, "MFA factor with the provided challenge ID not found")
	if !store.IsUUID(id) {
		return openChallenge{}, missing
	}
	var open openChallenge
	var created time.Time
	var met bool
	var address string
	var attempts int
	err := tx.QueryRow(ctx, challengeByID, f.id, id).Scan(&open.id, &created, &met, &address, &attempts, &open.code, &open.session)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return open, missing
	case err != nil:
		return open, err
	case met || address != who.KnownAddress().String():
		return open, autherr.Unprocessable(autherr.CodeMFAAddress, "Challenge and verify IP addresses mismatch.")
	case attempts >= maxChallengeMisses || s.now().After(created.Add(s.config.MFA.ChallengeLifetime())):
		return open, autherr.Unprocessable(autherr.CodeChallengeExpired, "MFA challenge %v has expired, verify against another challenge or create a new challenge.", id)
	}
	return open, nil
}

// raise upgrades the session to aal2 with a factor. It deletes unverified factors of the same
// type.
func (s *Factors) raise(ctx context.Context, tx *store.Tx, batch *pgx.Batch, in *session.Current, f factor, who users.Visitor) (*session.TokenResponse, error) {
	batch.Queue(dropUnverified, in.User.ID, f.kind)
	return s.sessions.Raise(ctx, tx, batch, in, f.id, factorMethods[f.kind], who)
}

// askHook calls the project's hook with an attempt. If the hook rejects it, the user's
// sessions are ended and refused is the error for the client; the transaction must commit.
func (s *Factors) askHook(ctx context.Context, tx *store.Tx, in *session.Current, f factor, valid bool, who users.Visitor) (refused, err error) {
	err = s.hooks.MFA(ctx, tx, in.User.ID, f.id, f.kind, valid, who)
	if visible := apierr.As(err); visible == nil || visible.Code != autherr.CodeMFARejected {
		return nil, err
	}
	batch := &pgx.Batch{}
	s.sessions.EndAll(tx, batch, in.User.ID)
	return err, tx.ExecBatch(ctx, batch)
}
