package keys

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/settings"
	"plaza/server/claims"
)

// Keyring manages a project's signing keys on a connection of the database owner. Secret is
// the signing secret, from which the encryption key may be derived. All methods return an error if
// GOTRUE_JWT_KEYS is set.
type Keyring struct {
	Conn   *pgx.Conn
	Config settings.Config
	Secret []byte
	Now    func() time.Time
}

func (k Keyring) inTx(ctx context.Context, fn func(tx pgx.Tx) error) error {
	if k.Config.JWT.Keys.Reveal() != "" {
		return errors.New("GOTRUE_JWT_KEYS is set: the keys are kept there")
	}
	return pgx.BeginFunc(ctx, k.Conn, fn)
}

// List returns the valid keys, newest first.
func (k Keyring) List(ctx context.Context) (keys []Stored, err error) {
	err = k.inTx(ctx, func(tx pgx.Tx) error {
		keys, err = readKeys(ctx, tx, k.Now())
		return err
	})
	return keys, err
}

// Rotate creates a new key. It starts to sign once all cached key sets include it. The old
// keys stay valid until the last token that they signed has expired, so that no token is
// refused during the rotation.
func (k Keyring) Rotate(ctx context.Context, algorithm string) (Stored, error) {
	box, err := k.Config.Security.Encryption.Box(k.Secret)
	if err != nil {
		return Stored{}, err
	}
	now := k.Now()
	key, err := claims.NewSigningKey(algorithm, now.Add(activationDelay))
	if err != nil {
		return Stored{}, err
	}
	private, err := key.MarshalPrivate()
	if err != nil {
		return Stored{}, err
	}
	ends := key.From.Add(time.Duration(k.Config.JWT.Expiry)*time.Second + 2*claims.ClockSkew + pollInterval)
	err = k.inTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertKey, key.ID, algorithm, box.Seal(private, sealContext(key.ID)), now, key.From); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, retireKeys, key.ID, ends)
		return err
	})
	return Stored{ID: key.ID, Algorithm: algorithm, Created: now, From: key.From}, err
}

// Revoke invalidates a key and all tokens that it signed at once, for example after the key
// was stolen. Errors: no such key.
func (k Keyring) Revoke(ctx context.Context, id string) error {
	return k.inTx(ctx, func(tx pgx.Tx) error {
		ended, err := tx.Exec(ctx, revokeKey, id, k.Now())
		if err == nil && ended.RowsAffected() == 0 {
			err = fmt.Errorf("no signing key %q is in force", id)
		}
		return err
	})
}
