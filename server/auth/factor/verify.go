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

// maxChallengeFailures is the number of wrong codes that invalidates a challenge. Upstream has
// no such limit.
const maxChallengeFailures = 5

// maxFactorFailures is the number of consecutive wrong codes that locks a factor for a while,
// across all challenges and client addresses. Otherwise an attacker who knows the password
// could try codes without limit.
const maxFactorFailures = 10

// lockDuration is how long a factor stays locked.
const lockDuration = 15 * time.Minute

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
// findOpenChallenge; 403 mfa_verification_rejected; 429 over_request_rate_limit after many
// wrong answers.
func (s *Factors) Verify(ctx context.Context, current *session.Current, id string, answer Answer, info users.RequestInfo) (*session.TokenResponse, error) {
	return s.attempt(ctx, func(tx *store.Tx) (*session.TokenResponse, error, error) {
		return s.checkAnswer(ctx, tx, current, id, answer, info)
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
func (s *Factors) checkAnswer(ctx context.Context, tx *store.Tx, current *session.Current, id string, answer Answer, info users.RequestInfo) (tokens *session.TokenResponse, refused, err error) {
	if err := s.sessions.Lock(ctx, tx, current); err != nil {
		return nil, nil, err
	}
	f, err := factorOf(ctx, tx, current.User.ID, id)
	if err != nil {
		return nil, nil, err
	}
	if err := s.mayVerify(f.kind); err != nil {
		return nil, nil, err
	}
	if err := answer.check(f.kind); err != nil {
		return nil, nil, err
	}
	if f.locked(s.now()) {
		return nil, nil, autherr.TooManyAttempts(autherr.CodeRequestRate, "Too many wrong codes, try again later or use another factor")
	}
	challenge, err := s.findOpenChallenge(ctx, tx, f, answer.ChallengeID, info)
	if err != nil {
		return nil, nil, err
	}
	shown, valid, err := s.verifyAnswer(current.User, f, challenge, answer)
	if err != nil {
		return nil, nil, err
	}
	if refused, err := s.callHook(ctx, tx, current, f, valid, info); refused != nil || err != nil {
		return nil, refused, err
	}
	if !valid {
		batch := &pgx.Batch{}
		batch.Queue(countWrongCode, challenge.id)
		batch.Queue(countFactorFailure, f.id, maxFactorFailures, s.now().Add(lockDuration))
		return nil, autherr.Unprocessable(autherr.CodeMFAFailed, "%s", wrongAnswers[f.kind]), tx.ExecBatch(ctx, batch)
	}
	batch := &pgx.Batch{}
	batch.Queue(consumeChallenge, challenge.id, s.now())
	batch.Queue(useFactor, f.id, s.now(), shown.step, shown.credential, shown.model)
	s.trail.Add(batch, info, current.User, audit.FactorVerified, map[string]any{"factor_id": f.id, "challenge_id": challenge.id, "factor_type": f.kind})
	if tokens, err = s.upgradeSession(ctx, tx, batch, current, f, info); err != nil {
		return nil, nil, err
	}
	return tokens, nil, s.messages.Notify(ctx, tx, s.config.Mailer.Notices.FactorEnrolled && !f.verified, mailer.FactorEnrolled, current.User, "", mailer.Data{FactorType: f.kind}, info)
}

var wrongAnswers = map[string]string{
	factorTOTP: "Invalid TOTP code entered", factorPhone: "Invalid MFA Phone code entered", factorWebAuthn: "Invalid credential_response",
}

// verifiedAnswer has the values of a correct answer that are stored with the factor.
type verifiedAnswer struct {
	step       *int64 // time step of a TOTP code
	credential json.RawMessage
	model      *string // of the authenticator
}

// verifyAnswer reports whether an answer is correct.
func (s *Factors) verifyAnswer(user *users.User, f factor, challenge openChallenge, answer Answer) (verifiedAnswer, bool, error) {
	switch f.kind {
	case factorTOTP:
		secret, err := s.secretOf(f)
		if err != nil {
			return verifiedAnswer{}, false, err
		}
		step, ok, err := mfa.MatchTOTP(secret, answer.Code, s.now(), f.lastStep)
		return verifiedAnswer{step: &step}, ok, err
	case factorPhone:
		code, err := s.box.Open(challenge.code, challengeSealContext(challenge.id))
		return verifiedAnswer{}, token.Equal(string(code), answer.Code), err
	case factorWebAuthn:
		return s.checkCredential(user, f, challenge, answer)
	}
	return verifiedAnswer{}, false, nil
}

// secretOf returns the secret of an authenticator app. Secrets written by upstream's server
// are not sealed.
func (s *Factors) secretOf(f factor) (string, error) {
	if !seal.IsSealed(f.secret) {
		return f.secret, nil
	}
	secret, err := s.box.Open(f.secret, f.sealContext())
	return string(secret), err
}

// openChallenge is a challenge that has not been answered.
type openChallenge struct {
	id      string
	code    string // sent to a phone; sealed
	session json.RawMessage
}

// findOpenChallenge returns a challenge that may be answered. The user's row is already locked,
// so concurrent answers are checked one after the other.
//
// Errors, all 422: mfa_factor_not_found for an unknown challenge,
// mfa_ip_address_mismatch for another client address or a challenge answered before,
// mfa_challenge_expired.
func (s *Factors) findOpenChallenge(ctx context.Context, tx *store.Tx, f factor, id string, info users.RequestInfo) (openChallenge, error) {
	missing := autherr.Unprocessable(autherr.CodeFactorNotFound, "MFA factor with the provided challenge ID not found")
	if !store.IsUUID(id) {
		return openChallenge{}, missing
	}
	var challenge openChallenge
	var created time.Time
	var answered bool
	var address string
	var attempts int
	err := tx.QueryRow(ctx, challengeByID, f.id, id).Scan(&challenge.id, &created, &answered, &address, &attempts, &challenge.code, &challenge.session)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return challenge, missing
	case err != nil:
		return challenge, err
	case answered || address != info.AddressOrZero().String():
		return challenge, autherr.Unprocessable(autherr.CodeMFAAddress, "Challenge and verify IP addresses mismatch.")
	case attempts >= maxChallengeFailures || s.now().After(created.Add(s.config.MFA.ChallengeLifetime())):
		return challenge, autherr.Unprocessable(autherr.CodeChallengeExpired, "MFA challenge %v has expired, verify against another challenge or create a new challenge.", id)
	}
	return challenge, nil
}

// upgradeSession upgrades the session to aal2 with a factor. It deletes unverified factors of the same
// type.
func (s *Factors) upgradeSession(ctx context.Context, tx *store.Tx, batch *pgx.Batch, current *session.Current, f factor, info users.RequestInfo) (*session.TokenResponse, error) {
	batch.Queue(dropUnverified, current.User.ID, f.kind)
	return s.sessions.UpgradeToAAL2(ctx, tx, batch, current, f.id, factorMethods[f.kind], info)
}

// callHook calls the project's hook with an attempt. If the hook rejects it, the user's
// sessions are ended and refused is the error for the client; the transaction must commit.
func (s *Factors) callHook(ctx context.Context, tx *store.Tx, current *session.Current, f factor, valid bool, info users.RequestInfo) (refused, err error) {
	err = s.hooks.MFA(ctx, tx, current.User.ID, f.id, f.kind, valid, info)
	if visible := apierr.As(err); visible == nil || visible.Code != autherr.CodeMFARejected {
		return nil, err
	}
	batch := &pgx.Batch{}
	s.sessions.EndAll(tx, batch, current.User.ID)
	return err, tx.ExecBatch(ctx, batch)
}
