package auth

import (
	"context"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// methodPasskey is a sign-in with a passkey. It reaches the first level, as
// upstream's does.
const methodPasskey = "passkey"

// passkeySignInOptions answers POST /passkeys/authentication/options, alike for
// everybody.
func (s *Server) passkeySignInOptions(w http.ResponseWriter, r *http.Request) error {
	begun, err := s.ceremonies.passkeys.RequestAny()
	if err != nil {
		return err
	}
	return s.askPasskey(w, r, ceremonyAuthentication, nil, begun)
}

// passkeySignIn answers POST /passkeys/authentication/verify.
func (s *Server) passkeySignIn(w http.ResponseWriter, r *http.Request) error {
	var given passkeyAnswer
	if err := read(w, r, &given); err != nil {
		return err
	}
	if err := given.check(); err != nil {
		return err
	}
	kept, err := s.spendCeremony(r, ceremonyAuthentication, nil, given.ChallengeID)
	if err != nil {
		return err
	}
	var tokens *session.TokenResponse
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		var used passkey
		find := func(credentialID []byte, userID string) (mfa.Person, error) {
			return holderOf(r.Context(), tx, &used, credentialID, userID)
		}
		userID, credential, err := s.ceremonies.passkeys.RequestedAny(find, kept, given.Credential)
		if err != nil {
			return ceremonyError(err)
		}
		tokens, err = s.signInWithPasskey(r, tx, userID, used.ID, credential)
		return err
	})
	if err != nil {
		return err
	}
	return answerTokens(w, tokens)
}

var errNotTheirs = errors.New("nobody has this passkey")

// holderOf gives whose passkey it is. Its row is locked, so that of two answers
// with one counter only one is accepted.
func holderOf(ctx context.Context, tx *store.Tx, found *passkey, credentialID []byte, userID string) (mfa.Person, error) {
	if !store.IsUUID(userID) {
		return mfa.Person{}, errNotTheirs
	}
	if err := found.scan(tx.QueryRow(ctx, passkeyOfUser, userID, credentialID)); err != nil {
		return mfa.Person{}, errors.Join(errNotTheirs, err)
	}
	return mfa.Person{ID: userID, Name: userID, DisplayName: userID, Credentials: []mfa.Credential{found.credential}}, nil
}

func (s *Server) signInWithPasskey(r *http.Request, tx *store.Tx, userID, passkeyID string, credential *mfa.Credential) (*session.TokenResponse, error) {
	ctx, who := r.Context(), s.visitor(r)
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
	s.trail.Add(batch, who, user, audit.Login, map[string]any{"passkey_id": passkeyID})
	if err := tx.ExecBatch(ctx, batch); err != nil {
		return nil, err
	}
	return s.sessions.SignIn(ctx, tx, user.ID, session.Grant{Method: methodPasskey}, who)
}
