package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/seal"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// Times of a rotation.
const (
	keySetAge    = 10 * time.Minute // how long the key set may be kept. Source: supabase/auth
	keysPoll     = 30 * time.Second // how late a server may be that reads the keys
	rotationLead = keySetAge + 2*keysPoll
)

const (
	keysInForce = `select k.id, k.algorithm, k.sealed, k.created_at, k.signs_from, k.valid_until from auth.signing_keys k
		where k.valid_until is null or k.valid_until > $1 order by k.signs_from desc, k.created_at desc`

	insertKey = `insert into auth.signing_keys (id, algorithm, sealed, created_at, signs_from) values ($1, $2, $3, $4, $5)`

	// endKeys lets all keys but one end when the last token that they sign has.
	endKeys   = `update auth.signing_keys set valid_until = $2 where id <> $1 and valid_until is null`
	revokeKey = `update auth.signing_keys set valid_until = $2 where id = $1 and (valid_until is null or valid_until > $2)`
)

func keyPlace(id string) string { return "auth.signing_keys/" + id }

// keySet answers GET /.well-known/jwks.json. The shared secret is in no key set.
func (s *Server) keySet(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keySetAge.Seconds())))
	return httpx.WriteJSON(w, http.StatusOK, s.deps.Auth.Verifier.Ring().JWKS())
}

// LoadKeys lets the verifier trust the project's signing keys: those of the
// settings, or else of the database.
func (s *Server) LoadKeys(ctx context.Context) error {
	if given := s.config.JWT.Keys.Reveal(); given != "" {
		keys, err := claims.ParseSigningKeys([]byte(given))
		if err != nil {
			return fmt.Errorf("GOTRUE_JWT_KEYS: %w", err)
		}
		return s.trust(keys)
	}
	var keys []claims.SigningKey
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		stored, err := readKeys(ctx, tx, s.now())
		keys = nil
		for _, one := range stored {
			key, failed := one.open(s.box)
			if failed != nil {
				s.deps.Log.ErrorContext(ctx, "a signing key cannot be used", "id", one.ID, "error", failed)
				continue
			}
			keys = append(keys, key)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read signing keys: %w", err)
	}
	return s.trust(keys)
}

// trust makes keys those in force, unless they are so already: a new ring
// forgets which tokens were checked.
func (s *Server) trust(keys []claims.SigningKey) error {
	ring, err := claims.NewRing(keys)
	if err == nil && !s.deps.Auth.Verifier.Ring().Same(ring) {
		s.deps.Auth.Verifier.Trust(ring)
	}
	return err
}

// KeepKeys reads the signing keys again and again until ctx ends, so that all
// servers follow a rotation.
func (s *Server) KeepKeys(ctx context.Context) {
	ticker := time.NewTicker(s.keysEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.LoadKeys(ctx); err == nil {
				s.counts.keys.Set(s.now())
			} else if ctx.Err() == nil {
				s.deps.Log.ErrorContext(ctx, "signing keys were not read", "error", err)
			}
		}
	}
}

// StoredKey is a signing key as the database holds it.
type StoredKey struct {
	ID, Algorithm string
	Created, From time.Time
	Until         *time.Time

	sealed string
}

func (k StoredKey) open(box *seal.Box) (claims.SigningKey, error) {
	plain, err := box.Open(k.sealed, keyPlace(k.ID))
	if err != nil {
		return claims.SigningKey{}, err
	}
	key, err := claims.ParseSigningKey(plain)
	if err != nil {
		return claims.SigningKey{}, err
	}
	key.From = k.From
	if k.Until != nil {
		key.Until = *k.Until
	}
	return key, nil
}

func readKeys(ctx context.Context, tx pgx.Tx, now time.Time) ([]StoredKey, error) {
	rows, err := tx.Query(ctx, keysInForce, now)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (StoredKey, error) {
		var k StoredKey
		err := row.Scan(&k.ID, &k.Algorithm, &k.sealed, &k.Created, &k.From, &k.Until)
		return k, err
	})
}

// Keyring manages a project's signing keys on a connection of its owner. Secret
// is the signing secret, of which the key of sealed texts may follow.
type Keyring struct {
	Conn   *pgx.Conn
	Config settings.Config
	Secret []byte
	Now    func() time.Time
}

func (k Keyring) do(ctx context.Context, fn func(tx pgx.Tx) error) error {
	if k.Config.JWT.Keys.Reveal() != "" {
		return errors.New("GOTRUE_JWT_KEYS is set: the keys are kept there")
	}
	return pgx.BeginFunc(ctx, k.Conn, fn)
}

// List gives the keys in force, newest first.
func (k Keyring) List(ctx context.Context) (keys []StoredKey, err error) {
	err = k.do(ctx, func(tx pgx.Tx) error {
		keys, err = readKeys(ctx, tx, k.Now())
		return err
	})
	return keys, err
}

// Rotate makes a new key. It begins to sign when no kept copy of the key set is
// without it; the old ones stay valid until the last token that they sign has
// ended. No token is refused meanwhile.
func (k Keyring) Rotate(ctx context.Context, algorithm string) (StoredKey, error) {
	box, err := k.Config.Security.Encryption.Box(k.Secret)
	if err != nil {
		return StoredKey{}, err
	}
	now := k.Now()
	key, err := claims.NewSigningKey(algorithm, now.Add(rotationLead))
	if err != nil {
		return StoredKey{}, err
	}
	private, err := key.MarshalPrivate()
	if err != nil {
		return StoredKey{}, err
	}
	ends := key.From.Add(time.Duration(k.Config.JWT.Expiry)*time.Second + 2*claims.ClockSkew + keysPoll)
	err = k.do(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, insertKey, key.ID, algorithm, box.Seal(private, keyPlace(key.ID)), now, key.From); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, endKeys, key.ID, ends)
		return err
	})
	return StoredKey{ID: key.ID, Algorithm: algorithm, Created: now, From: key.From}, err
}

// Revoke ends a key at once, with all tokens that it signed: what to do when it
// has been stolen. Errors: no such key.
func (k Keyring) Revoke(ctx context.Context, id string) error {
	return k.do(ctx, func(tx pgx.Tx) error {
		ended, err := tx.Exec(ctx, revokeKey, id, k.Now())
		if err == nil && ended.RowsAffected() == 0 {
			err = fmt.Errorf("no signing key %q is in force", id)
		}
		return err
	})
}
