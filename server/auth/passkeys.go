package auth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/httpx"
)

// maxPasskeyName is how many characters a passkey's name may have.
const maxPasskeyName = 120

// passkey is a row of auth.webauthn_credentials.
type passkey struct {
	ID        string     `json:"id"`
	Name      string     `json:"friendly_name,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"last_used_at,omitempty"`

	credential mfa.Credential
}

func (p *passkey) scan(row pgx.Row) error {
	var transports json.RawMessage
	c := &p.credential
	err := row.Scan(&p.ID, &p.Name, &p.CreatedAt, &p.UsedAt, &c.ID, &c.PublicKey, &c.AttestationType, &c.Authenticator.AAGUID,
		&c.Authenticator.SignCount, &transports, &c.Flags.BackupEligible, &c.Flags.BackupState)
	if err != nil {
		return err
	}
	p.CreatedAt = p.CreatedAt.UTC()
	if p.UsedAt != nil {
		*p.UsedAt = p.UsedAt.UTC()
	}
	return json.Unmarshal(transports, &c.Transport)
}

var (
	errNoPasskey      = autherr.NotFound(autherr.CodeValidation, "Passkey not found")
	errTooManyPasskey = autherr.Unprocessable(autherr.CodeTooManyPasskeys, "Maximum number of passkeys reached")
)

// withPasskeys serves where passkeys are switched on.
func (s *Server) withPasskeys(h httpx.Handler) httpx.Handler {
	if s.ceremonies.passkeys != nil {
		return h
	}
	return func(http.ResponseWriter, *http.Request) error {
		return autherr.NotFound(autherr.CodePasskeyDisabled, "Passkeys are disabled")
	}
}

// passkeysOf lists a user's passkeys, oldest first.
func passkeysOf(ctx context.Context, tx *store.Tx, userID string) ([]passkey, error) {
	rows, err := tx.Query(ctx, passkeysOfUser, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (passkey, error) {
		var p passkey
		return p, p.scan(row)
	})
}

// listPasskeys answers GET /passkeys.
func (s *Server) listPasskeys(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	return s.answerPasskeys(w, r, in.User.ID)
}

func (s *Server) answerPasskeys(w http.ResponseWriter, r *http.Request, userID string) error {
	var list []passkey
	err := s.store.InTx(r.Context(), func(tx *store.Tx) (err error) {
		list, err = passkeysOf(r.Context(), tx, userID)
		return err
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, list)
}

// renamePasskey answers PATCH /passkeys/{id}.
func (s *Server) renamePasskey(w http.ResponseWriter, r *http.Request) error {
	in, err := s.caller(r)
	if err != nil {
		return err
	}
	var asked struct {
		Name string `json:"friendly_name"`
	}
	if err := read(w, r, &asked); err != nil {
		return err
	}
	switch {
	case asked.Name == "":
		return autherr.BadRequest(autherr.CodeValidation, "friendly_name is required")
	case utf8.RuneCountInString(asked.Name) > maxPasskeyName || !plainText(asked.Name):
		return autherr.BadRequest(autherr.CodeValidation, "friendly_name must be %d characters or less", maxPasskeyName)
	case !store.IsUUID(r.PathValue("id")):
		return errNoPasskey
	}
	var renamed passkey
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		if err := renamed.scan(tx.QueryRow(r.Context(), renamePasskey, in.User.ID, r.PathValue("id"), asked.Name, s.now())); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, s.visitor(r), in.User, audit.PasskeyUpdated, map[string]any{"passkey_id": renamed.ID})
		return tx.ExecBatch(r.Context(), batch)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return errNoPasskey
	}
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, renamed)
}

// deletePasskey answers DELETE /passkeys/{id}.
func (s *Server) deletePasskey(w http.ResponseWriter, r *http.Request) error {
	in, err := s.passkeyOwner(r)
	if err != nil {
		return err
	}
	return s.removePasskey(w, r, in.User, in.User.ID, nil)
}

// removePasskey removes a passkey and says so in the audit trail of actor.
func (s *Server) removePasskey(w http.ResponseWriter, r *http.Request, actor *users.User, userID string, traits map[string]any) error {
	id := r.PathValue("id")
	if !store.IsUUID(id) {
		return errNoPasskey
	}
	noted := map[string]any{"passkey_id": id}
	for name, value := range traits {
		noted[name] = value
	}
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		gone, err := tx.Exec(r.Context(), deletePasskey, userID, id)
		switch {
		case err != nil:
			return err
		case gone.RowsAffected() == 0:
			return errNoPasskey
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, s.visitor(r), actor, audit.PasskeyDeleted, noted)
		return tx.ExecBatch(r.Context(), batch)
	})
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// passkeyOwner gives the signed-in user, who must be one that may add and remove
// passkeys: with a second factor, at the second level.
func (s *Server) passkeyOwner(r *http.Request) (*session.Current, error) {
	in, err := s.caller(r)
	switch {
	case err != nil:
		return nil, err
	case in.User.HasVerifiedFactor() && !in.Strong():
		return nil, autherr.Forbidden(autherr.CodeInsufficientAAL, "AAL2 session is required to manage passkeys when MFA is enabled")
	}
	return in, nil
}
