package factor

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/mfa"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
)

// Passkeys manages the passkeys of a project's users.
type Passkeys struct {
	db         *store.Store
	now        func() time.Time
	trail      *audit.Trail
	sessions   *session.Sessions
	ceremonies *mfa.Ceremonies // nil: disabled
	maxPerUser int
	lifetime   time.Duration // of a challenge
}

// maxPasskeyName bounds the name of a passkey, in characters.
const maxPasskeyName = 120

// Passkey is a row of auth.webauthn_credentials.
type Passkey struct {
	ID        string     `json:"id"`
	Name      string     `json:"friendly_name,omitempty"`
	CreatedAt time.Time  `json:"created_at"`
	UsedAt    *time.Time `json:"last_used_at,omitempty"`

	credential mfa.Credential
}

func (p *Passkey) scan(row pgx.Row) error {
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

// Enabled reports whether passkeys are enabled.
func (s *Passkeys) Enabled() bool { return s.ceremonies != nil }

// List returns a user's passkeys, oldest first.
func (s *Passkeys) List(ctx context.Context, userID string) (list []Passkey, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		list, err = passkeysOf(ctx, tx, userID)
		return err
	})
	return list, err
}

// passkeysOf lists a user's passkeys, oldest first.
func passkeysOf(ctx context.Context, tx *store.Tx, userID string) ([]Passkey, error) {
	rows, err := tx.Query(ctx, passkeysOfUser, userID)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Passkey, error) {
		var p Passkey
		return p, p.scan(row)
	})
}

// Rename changes the name of a passkey.
//
// Errors: 400 validation_failed; 404.
func (s *Passkeys) Rename(ctx context.Context, user *users.User, id, name string, info users.RequestInfo) (renamed Passkey, err error) {
	switch {
	case name == "":
		return renamed, autherr.BadRequest(autherr.CodeValidation, "friendly_name is required")
	case utf8.RuneCountInString(name) > maxPasskeyName || !plainText(name):
		return renamed, autherr.BadRequest(autherr.CodeValidation, "friendly_name must be %d characters or less", maxPasskeyName)
	case !store.IsUUID(id):
		return renamed, errNoPasskey
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		if err := renamed.scan(tx.QueryRow(ctx, renamePasskey, user.ID, id, name, s.now())); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, user, audit.PasskeyUpdated, map[string]any{"passkey_id": renamed.ID})
		return tx.ExecBatch(ctx, batch)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = errNoPasskey
	}
	return renamed, err
}

// Remove deletes a passkey and adds an audit entry for actor.
//
// Errors: 404.
func (s *Passkeys) Remove(ctx context.Context, actor *users.User, userID, id string, traits map[string]any, info users.RequestInfo) error {
	if !store.IsUUID(id) {
		return errNoPasskey
	}
	entryTraits := map[string]any{"passkey_id": id}
	maps.Copy(entryTraits, traits)
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		removed, err := tx.Exec(ctx, deletePasskey, userID, id)
		switch {
		case err != nil:
			return err
		case removed.RowsAffected() == 0:
			return errNoPasskey
		}
		batch := &pgx.Batch{}
		s.trail.Add(batch, info, actor, audit.PasskeyDeleted, entryTraits)
		return tx.ExecBatch(ctx, batch)
	})
}
