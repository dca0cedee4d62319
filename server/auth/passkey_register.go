package auth

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// Types of passkey ceremonies, as the table names them.
const (
	ceremonyRegistration   = "registration"
	ceremonyAuthentication = "authentication"
)

// passkeyChallenge is what a browser's authenticator is asked.
type passkeyChallenge struct {
	ID        string `json:"challenge_id"`
	Options   any    `json:"options"`
	ExpiresAt int64  `json:"expires_at"`
}

// passkeyAnswer is what it says.
type passkeyAnswer struct {
	ChallengeID string          `json:"challenge_id"`
	Credential  json.RawMessage `json:"credential"`
}

func (a passkeyAnswer) check() error {
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

// askPasskey keeps a ceremony and answers what the browser needs for it.
func (s *Server) askPasskey(w http.ResponseWriter, r *http.Request, kind string, userID *string, begun mfa.Begun) error {
	now := s.now()
	challenge := passkeyChallenge{ID: store.NewID(), Options: begun.Bare, ExpiresAt: now.Add(s.config.WebAuthn.ChallengeExpiry).Unix()}
	batch := &pgx.Batch{}
	batch.Queue(dropOldCeremonies, now.Add(-challengeRest))
	batch.Queue(insertCeremony, challenge.ID, userID, kind, begun.Kept, now, now.Add(s.config.WebAuthn.ChallengeExpiry))
	if err := s.store.InTx(r.Context(), func(tx *store.Tx) error { return tx.ExecBatch(r.Context(), batch) }); err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, challenge)
}

// spendCeremony gives what was kept of a ceremony, once: also an answer that is
// not accepted ends it.
//
// Errors: 400 webauthn_challenge_not_found, webauthn_challenge_expired.
func (s *Server) spendCeremony(r *http.Request, kind string, userID *string, id string) (json.RawMessage, error) {
	var kept json.RawMessage
	var expires time.Time
	err := s.store.QueryRow(r.Context(), spendCeremony, []any{id, kind, userID}, &kept, &expires)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, autherr.BadRequest(autherr.CodeChallengeNotFound, "Challenge not found or already used")
	case err != nil:
		return nil, err
	case s.now().After(expires):
		return nil, autherr.BadRequest(autherr.CodeCeremonyExpired, "Challenge has expired")
	}
	return kept, nil
}

// ceremonyError is what the client sees of a failed ceremony.
func ceremonyError(err error) error {
	if errors.Is(err, mfa.ErrRejected) {
		return autherr.BadRequest(autherr.CodeCeremonyFailed, "Credential verification failed").WithCause(err)
	}
	return err
}

// registrant gives the signed-in user, who must be one that may have passkeys.
func (s *Server) registrant(r *http.Request) (*session.Current, error) {
	in, err := s.passkeyOwner(r)
	switch {
	case err != nil:
		return nil, err
	case in.User.IsAnonymous:
		return nil, autherr.Forbidden(autherr.CodeNoAuthorization, "Anonymous user not allowed to perform these actions")
	case in.User.IsSSO:
		return nil, autherr.Unprocessable(autherr.CodeValidation, "SSO users cannot register passkeys")
	}
	return in, nil
}

// passkeyOptions answers POST /passkeys/registration/options.
func (s *Server) passkeyOptions(w http.ResponseWriter, r *http.Request) error {
	in, err := s.registrant(r)
	if err != nil {
		return err
	}
	var known []passkey
	err = s.store.InTx(r.Context(), func(tx *store.Tx) (err error) {
		known, err = passkeysOf(r.Context(), tx, in.User.ID)
		return err
	})
	switch {
	case err != nil:
		return err
	case len(known) >= s.config.Passkey.Max:
		return errTooManyPasskey
	}
	begun, err := s.ceremonies.passkeys.Create(person(in.User, credentialsOf(known)...))
	if err != nil {
		return err
	}
	return s.askPasskey(w, r, ceremonyRegistration, &in.User.ID, begun)
}

func credentialsOf(passkeys []passkey) []mfa.Credential {
	credentials := make([]mfa.Credential, 0, len(passkeys))
	for _, p := range passkeys {
		credentials = append(credentials, p.credential)
	}
	return credentials
}

// registerPasskey answers POST /passkeys/registration/verify.
func (s *Server) registerPasskey(w http.ResponseWriter, r *http.Request) error {
	in, err := s.registrant(r)
	if err != nil {
		return err
	}
	var given passkeyAnswer
	if err := read(w, r, &given); err != nil {
		return err
	}
	if err := given.check(); err != nil {
		return err
	}
	kept, err := s.spendCeremony(r, ceremonyRegistration, &in.User.ID, given.ChallengeID)
	if err != nil {
		return err
	}
	credential, err := s.ceremonies.passkeys.Created(person(in.User), kept, given.Credential)
	if err != nil {
		return ceremonyError(err)
	}
	made := passkey{ID: store.NewID(), Name: mfa.NameOf(credential), CreatedAt: s.now().UTC(), credential: *credential}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error { return s.addPasskey(r, tx, in.User, &made) })
	switch {
	case store.ViolatesUnique(err):
		return autherr.Unprocessable(autherr.CodeCredentialExists, "This credential is already registered").WithCause(err)
	case err != nil:
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, made)
}

// addPasskey stores a passkey if there is room for it.
func (s *Server) addPasskey(r *http.Request, tx *store.Tx, user *users.User, made *passkey) error {
	ctx := r.Context()
	var id string
	if err := tx.QueryRow(ctx, lockUser, user.ID).Scan(&id); err != nil {
		return gone(err, autherr.CodeUserNotFound, "User from sub claim in JWT does not exist")
	}
	present, err := passkeysOf(ctx, tx, user.ID)
	switch {
	case err != nil:
		return err
	case len(present) >= s.config.Passkey.Max:
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
	s.trail.Add(batch, s.visitor(r), user, audit.PasskeyCreated, map[string]any{"passkey_id": made.ID})
	return tx.ExecBatch(ctx, batch)
}
