package factor

import (
	"context"
	"encoding/json"
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

// Types of passkey ceremonies in the table.
const (
	ceremonyRegistration   = "registration"
	ceremonyAuthentication = "authentication"
)

// methodPasskey is the sign-in method of passkeys in the amr claim. The session
// is at aal1, as upstream's.
const methodPasskey = "passkey"

// PasskeyChallenge is a challenge for the browser's authenticator.
type PasskeyChallenge struct {
	ID        string `json:"challenge_id"`
	Options   any    `json:"options"`
	ExpiresAt int64  `json:"expires_at"`
}

// PasskeyAnswer is the authenticator's response to a PasskeyChallenge.
type PasskeyAnswer struct {
	ChallengeID string          `json:"challenge_id"`
	Credential  json.RawMessage `json:"credential"`
}

func (a PasskeyAnswer) check() error {
	switch {
	case a.ChallengeID == "":
		return autherr.BadRequest(autherr.CodeValidation, "challenge_id is required")
	case len(a.Credential) == 0:
		return autherr.BadRequest(autherr.CodeValidation, "credential is required")
	case !store.IsUUID(a.ChallengeID):
		return autherr.BadRequest(autherr.CodeValidation, "challenge_id must be a valid UUID")
	}
	return nil
}

// storeCeremony stores a ceremony and returns its challenge.
func (s *Passkeys) storeCeremony(ctx context.Context, kind string, userID *string, begun mfa.Challenge) (PasskeyChallenge, error) {
	now := s.now()
	challenge := PasskeyChallenge{ID: store.NewID(), Options: begun.BareOptions, ExpiresAt: now.Add(s.lifetime).Unix()}
	batch := &pgx.Batch{}
	batch.Queue(dropOldCeremonies, now.Add(-challengeRetention))
	batch.Queue(insertCeremony, challenge.ID, userID, kind, begun.SessionData, now, now.Add(s.lifetime))
	return challenge, s.db.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) })
}

// consumeCeremony deletes a ceremony and returns its session data. A ceremony accepts only one
// response, even if that is rejected.
//
// Errors: 400 webauthn_challenge_not_found, webauthn_challenge_expired.
func (s *Passkeys) consumeCeremony(ctx context.Context, kind string, userID *string, id string) (json.RawMessage, error) {
	var sessionData json.RawMessage
	var expires time.Time
	err := s.db.QueryRow(ctx, consumeCeremony, []any{id, kind, userID}, &sessionData, &expires)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, autherr.BadRequest(autherr.CodeChallengeNotFound, "Challenge not found or already used")
	case err != nil:
		return nil, err
	case s.now().After(expires):
		return nil, autherr.BadRequest(autherr.CodeCeremonyExpired, "Challenge has expired")
	}
	return sessionData, nil
}

// ceremonyError translates the error of a failed ceremony.
func ceremonyError(err error) error {
	if errors.Is(err, mfa.ErrRejected) {
		return autherr.BadRequest(autherr.CodeCeremonyFailed, "Credential verification failed").WithCause(err)
	}
	return err
}

// Begin begins the registration of a passkey and returns its challenge.
//
// Errors: 422 too_many_passkeys.
func (s *Passkeys) Begin(ctx context.Context, user *users.User) (PasskeyChallenge, error) {
	known, err := s.List(ctx, user.ID)
	switch {
	case err != nil:
		return PasskeyChallenge{}, err
	case len(known) >= s.maxPerUser:
		return PasskeyChallenge{}, errTooManyPasskey
	}
	begun, err := s.ceremonies.BeginCreate(person(user, credentialsOf(known)...))
	if err != nil {
		return PasskeyChallenge{}, err
	}
	return s.storeCeremony(ctx, ceremonyRegistration, &user.ID, begun)
}

func credentialsOf(passkeys []Passkey) []mfa.Credential {
	credentials := make([]mfa.Credential, 0, len(passkeys))
	for _, p := range passkeys {
		credentials = append(credentials, p.credential)
	}
	return credentials
}

// Add finishes the registration of a passkey and stores it.
//
// Errors: 400 for an invalid passkey or an unknown challenge; 422 too_many_passkeys,
// webauthn_credential_exists.
func (s *Passkeys) Add(ctx context.Context, user *users.User, answer PasskeyAnswer, info users.RequestInfo) (made Passkey, err error) {
	if err := answer.check(); err != nil {
		return made, err
	}
	sessionData, err := s.consumeCeremony(ctx, ceremonyRegistration, &user.ID, answer.ChallengeID)
	if err != nil {
		return made, err
	}
	credential, err := s.ceremonies.FinishCreate(person(user), sessionData, answer.Credential)
	if err != nil {
		return made, ceremonyError(err)
	}
	made = Passkey{ID: store.NewID(), Name: mfa.DefaultName(credential), CreatedAt: s.now().UTC(), credential: *credential}
	err = s.db.InTx(ctx, func(tx *store.Tx) error { return s.insert(ctx, tx, user, &made, info) })
	if store.ViolatesUnique(err) {
		err = autherr.Unprocessable(autherr.CodeCredentialExists, "This credential is already registered").WithCause(err)
	}
	return made, err
}

// insert stores a passkey if the limit allows it.
func (s *Passkeys) insert(ctx context.Context, tx *store.Tx, user *users.User, made *Passkey, info users.RequestInfo) error {
	if err := users.LockKey(ctx, tx, user.ID); err != nil {
		return session.TranslateNoRows(err, autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	}
	present, err := passkeysOf(ctx, tx, user.ID)
	switch {
	case err != nil:
		return err
	case len(present) >= s.maxPerUser:
		return errTooManyPasskey
	}
	c := made.credential
	transports, err := mfa.Transports(&c)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(insertPasskey, made.ID, user.ID, c.ID, c.PublicKey, c.AttestationType, mfa.AAGUID(c.Authenticator.AAGUID),
		int64(c.Authenticator.SignCount), transports, c.Flags.BackupEligible, c.Flags.BackupState, made.Name, made.CreatedAt)
	s.trail.Add(batch, info, user, audit.PasskeyCreated, map[string]any{"passkey_id": made.ID})
	return tx.ExecBatch(ctx, batch)
}

// BeginSignIn begins a sign-in with a passkey. The challenge does not depend on the user.
func (s *Passkeys) BeginSignIn(ctx context.Context) (PasskeyChallenge, error) {
	begun, err := s.ceremonies.BeginRequestAny()
	if err != nil {
		return PasskeyChallenge{}, err
	}
	return s.storeCeremony(ctx, ceremonyAuthentication, nil, begun)
}

// SignIn signs in with a passkey.
//
// Errors: 400 for an invalid passkey or an unknown challenge; 403 if the user may not sign in.
func (s *Passkeys) SignIn(ctx context.Context, answer PasskeyAnswer, info users.RequestInfo) (tokens *session.TokenResponse, err error) {
	if err := answer.check(); err != nil {
		return nil, err
	}
	sessionData, err := s.consumeCeremony(ctx, ceremonyAuthentication, nil, answer.ChallengeID)
	if err != nil {
		return nil, err
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		var used Passkey
		find := func(credentialID []byte, userID string) (mfa.Person, error) {
			return findPasskeyOwner(ctx, tx, &used, credentialID, userID)
		}
		userID, credential, err := s.ceremonies.FinishRequestAny(find, sessionData, answer.Credential)
		if err != nil {
			return ceremonyError(err)
		}
		tokens, err = s.signIn(ctx, tx, userID, used.ID, credential, info)
		return err
	})
	return tokens, err
}

var errUnknownPasskey = errors.New("unknown passkey")

// findPasskeyOwner returns the owner of a passkey. It locks the passkey's row, so that only one of
// two concurrent responses with the same counter is accepted.
func findPasskeyOwner(ctx context.Context, tx *store.Tx, found *Passkey, credentialID []byte, userID string) (mfa.Person, error) {
	if !store.IsUUID(userID) {
		return mfa.Person{}, errUnknownPasskey
	}
	if err := found.scan(tx.QueryRow(ctx, passkeyOfUser, userID, credentialID)); err != nil {
		return mfa.Person{}, errors.Join(errUnknownPasskey, err)
	}
	return mfa.Person{ID: userID, Name: userID, DisplayName: userID, Credentials: []mfa.Credential{found.credential}}, nil
}

func (s *Passkeys) signIn(ctx context.Context, tx *store.Tx, userID, passkeyID string, credential *mfa.Credential, info users.RequestInfo) (*session.TokenResponse, error) {
	user, err := users.Load(ctx, tx, userID)
	switch {
	case err != nil:
		return nil, err
	case user.Banned(s.now()):
		return nil, autherr.Forbidden(autherr.CodeUserBanned, "User is banned")
	case user.Email != "" && user.EmailConfirmedAt == nil:
		return nil, autherr.Forbidden(autherr.CodeNotConfirmed, "Email not confirmed")
	case user.Phone != "" && user.PhoneConfirmedAt == nil:
		return nil, autherr.Forbidden(autherr.CodePhoneNotConfirmed, "Phone not confirmed")
	}
	batch := &pgx.Batch{}
	batch.Queue(usePasskey, passkeyID, int64(credential.Authenticator.SignCount), credential.Flags.BackupState, s.now())
	s.trail.Add(batch, info, user, audit.Login, map[string]any{"passkey_id": passkeyID})
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	return s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: methodPasskey}, info)
}
