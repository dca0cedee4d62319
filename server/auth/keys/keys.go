// Package keys loads and rotates the keys that sign access tokens.
package keys

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/seal"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/claims"
	"plaza/server/tally"
)

// Times of a rotation.
const (
	MaxAge          = 10 * time.Minute        // how long a client may cache the key set. Source: supabase/auth
	pollInterval    = 30 * time.Second        // how often servers read the keys
	activationDelay = MaxAge + 2*pollInterval // delay before a new key signs
)

const (
	keysInForce = `select k.id, k.algorithm, k.sealed, k.created_at, k.signs_from, k.valid_until from auth.signing_keys k
		where k.valid_until is null or k.valid_until > $1 order by k.signs_from desc, k.created_at desc`

	insertKey = `insert into auth.signing_keys (id, algorithm, sealed, created_at, signs_from) values ($1, $2, $3, $4, $5)`

	// retireKeys sets the end of validity of all keys but one, after their last token has expired.
	retireKeys = `update auth.signing_keys set valid_until = $2 where id <> $1 and valid_until is null`
	revokeKey  = `update auth.signing_keys set valid_until = $2 where id = $1 and (valid_until is null or valid_until > $2)`
)

func sealContext(id string) string { return "auth.signing_keys/" + id }

// Keys loads the project's signing keys into a server's verifier.
type Keys struct {
	PollInterval time.Duration // how often ReloadPeriodically reads the keys

	config   settings.Config
	db       *store.Store
	now      func() time.Time
	box      *seal.Box
	verifier *claims.Verifier
	log      *slog.Logger
	read     tally.Moment
}

// Options are the dependencies of Keys.
type Options struct {
	Config   settings.Config
	DB       *store.Store
	Now      func() time.Time
	Box      *seal.Box
	Verifier *claims.Verifier
	Log      *slog.Logger
}

// New returns the Keys of a server.
func New(o Options) *Keys {
	return &Keys{PollInterval: pollInterval, config: o.Config, db: o.DB, now: o.Now, box: o.Box, verifier: o.Verifier, log: o.Log}
}

// LastRead returns the time at which ReloadPeriodically last read the keys.
func (s *Keys) LastRead() *tally.Moment { return &s.read }

// Load loads the project's signing keys into the verifier: those of the settings, or else
// those of the database.
func (s *Keys) Load(ctx context.Context) error {
	if configured := s.config.JWT.Keys.Reveal(); configured != "" {
		keys, err := claims.ParseSigningKeys([]byte(configured))
		if err != nil {
			return fmt.Errorf("GOTRUE_JWT_KEYS: %w", err)
		}
		return s.useKeys(keys)
	}
	var keys []claims.SigningKey
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		stored, err := readKeys(ctx, tx, s.now())
		keys = nil
		for _, one := range stored {
			key, failed := one.open(s.box)
			if failed != nil {
				s.log.ErrorContext(ctx, "signing key cannot be opened", "id", one.ID, "error", failed)
				continue
			}
			keys = append(keys, key)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("read signing keys: %w", err)
	}
	return s.useKeys(keys)
}

// useKeys makes the verifier use keys. If they have not changed, the current ring is kept,
// because a new ring would lose the cache of verified tokens.
func (s *Keys) useKeys(keys []claims.SigningKey) error {
	ring, err := claims.NewRing(keys)
	if err == nil && !s.verifier.Ring().Equal(ring) {
		s.verifier.SetRing(ring)
	}
	return err
}

// ReloadPeriodically reloads the signing keys periodically until ctx ends, so that all servers follow a
// rotation.
func (s *Keys) ReloadPeriodically(ctx context.Context) {
	ticker := time.NewTicker(s.PollInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := s.Load(ctx); err == nil {
				s.read.Set(s.now())
			} else if ctx.Err() == nil {
				s.log.ErrorContext(ctx, "reading signing keys failed", "error", err)
			}
		}
	}
}

// Stored is a signing key as stored in the database.
type Stored struct {
	ID, Algorithm string
	Created, From time.Time
	Until         *time.Time

	sealed string
}

func (k Stored) open(box *seal.Box) (claims.SigningKey, error) {
	plain, err := box.Open(k.sealed, sealContext(k.ID))
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

func readKeys(ctx context.Context, tx pgx.Tx, now time.Time) ([]Stored, error) {
	rows, err := tx.Query(ctx, keysInForce, now)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (Stored, error) {
		var k Stored
		err := row.Scan(&k.ID, &k.Algorithm, &k.sealed, &k.Created, &k.From, &k.Until)
		return k, err
	})
}
