// Package storage implements fosite's storage in the auth server's tables: OAuth clients,
// authorization codes, consents and the sessions of clients.
package storage

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/auth/audit"
	"plaza/server/auth/oauth"
	"plaza/server/auth/session"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/claims"
)

// Storage reads and writes the tables of the OAuth server.
type Storage struct {
	db       *store.Store
	now      func() time.Time
	sessions *session.Sessions
	trail    *audit.Trail
	verify   func(token string) (claims.Caller, error)
	log      *slog.Logger
}

// Options are the dependencies of a Storage.
type Options struct {
	DB       *store.Store
	Now      func() time.Time
	Sessions *session.Sessions
	Trail    *audit.Trail
	Verify   func(token string) (claims.Caller, error) // of access tokens
	Log      *slog.Logger
}

// New returns a Storage.
func New(o Options) *Storage {
	return &Storage{db: o.DB, now: o.Now, sessions: o.Sessions, trail: o.Trail, verify: o.Verify, log: o.Log}
}

// Origin is the sender of a request.
type Origin struct {
	Client   *oauth.Client // nil: unknown
	Info     users.RequestInfo
	LimitKey string // identifies the address for rate limits; empty: no limit
}

// Request returns the storage of a request that makes at most one change, in one statement.
func (s *Storage) Request(from Origin) *Request { return &Request{storage: s, from: from} }

// InTx runs fn with the storage of a request in a transaction. fn may run again after a
// deadlock, with a new Request. An error of fn rolls back the transaction. Only if the
// request has ended a session, which must not be undone, the transaction commits despite an OAuth
// error.
func (s *Storage) InTx(ctx context.Context, from Origin, fn func(*Request) error) error {
	var refused error
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		r := &Request{storage: s, from: from, tx: tx}
		refused = fn(r)
		if refused != nil && r.ended && r.internalErr == nil {
			return nil
		}
		if r.internalErr != nil {
			return r.internalErr
		}
		return refused
	})
	if err != nil {
		return err
	}
	return refused
}
