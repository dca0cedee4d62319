// Package password hashes and checks passwords.
package password

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/bcrypt"

	"plaza/server/tracing"
)

// Cost is bcrypt's work factor. Source: supabase/auth hashes with 10, which
// takes about 50 ms of a core.
const Cost = 10

// MaxLength is the maximum length of a password for bcrypt, in bytes.
const MaxLength = 72

// A burst of sign-ins must not starve the rest of the API of CPU. At most one hash per slot
// runs at a time, a bounded number waits for a short time, and all others are refused.
const (
	waitersPerSlot = 16
	maxWait        = 3 * time.Second
)

// ErrBusy means that too many passwords are already being hashed.
var ErrBusy = errors.New("too many passwords are being checked")

// Hasher hashes passwords with bounded concurrency.
type Hasher struct {
	cost        int
	unmatchable string // a hash that no password matches
	slots       chan struct{}
	waiting     atomic.Int32

	hashed, refused atomic.Uint64
	spent           atomic.Int64 // nanoseconds
}

// Stats are the current load and the counters of a Hasher.
type Stats struct {
	Slots, Running, Waiting int
	Hashed, Refused         uint64
	Spent                   time.Duration // total time of all hashes
}

// Stats returns the current load and the counters.
func (h *Hasher) Stats() Stats {
	return Stats{
		Slots: cap(h.slots), Running: len(h.slots), Waiting: int(h.waiting.Load()),
		Hashed: h.hashed.Load(), Refused: h.refused.Load(), Spent: time.Duration(h.spent.Load()),
	}
}

// NewHasher returns a Hasher that runs at most parallel hashes at once.
func NewHasher(cost, parallel int) *Hasher {
	const saltAndHash = "abcdefghijklmnopqrstuuAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	return &Hasher{cost: cost, unmatchable: fmt.Sprintf("$2a$%02d$%s", cost, saltAndHash), slots: make(chan struct{}, parallel)}
}

// UnmatchableHash returns a hash that no password matches.
func (h *Hasher) UnmatchableHash() string { return h.unmatchable }

// Hash returns the hash to store. Errors: ErrBusy.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	_, span := tracing.Start(ctx, "hash password")
	defer span.End(nil)
	if err := h.acquire(ctx); err != nil {
		return "", err
	}
	span.Event("slot acquired")
	defer h.release(time.Now())
	hash, err := bcrypt.GenerateFromPassword([]byte(password), h.cost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return string(hash), nil
}

// Matches reports whether password matches hash. An empty hash, for an account without a
// password or a missing account, takes the same time and matches nothing. Errors: ErrBusy.
func (h *Hasher) Matches(ctx context.Context, hash, password string) (bool, error) {
	_, span := tracing.Start(ctx, "check password")
	defer span.End(nil)
	if err := h.acquire(ctx); err != nil {
		return false, err
	}
	span.Event("slot acquired")
	defer h.release(time.Now())
	known, err := parse(hash)
	if err != nil || len(password) > MaxLength {
		if len(password) > MaxLength {
			password = password[:MaxLength]
		}
		bcryptHash(h.unmatchable).matches([]byte(password))
		return false, nil
	}
	return known.matches([]byte(password)), nil
}

func (h *Hasher) acquire(ctx context.Context) error {
	select {
	case h.slots <- struct{}{}:
		return nil
	default:
	}
	if h.waiting.Add(1) > int32(cap(h.slots)*waitersPerSlot) {
		h.waiting.Add(-1)
		h.refused.Add(1)
		return ErrBusy
	}
	defer h.waiting.Add(-1)
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		return nil
	case <-timer.C:
		h.refused.Add(1)
		return ErrBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (h *Hasher) release(began time.Time) {
	h.hashed.Add(1)
	h.spent.Add(int64(time.Since(began)))
	<-h.slots
}
