package storage

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
	"plaza/server/pg"
)

// Errors about authorizations.
var (
	ErrNoAuthorization = autherr.NotFound(autherr.CodeAuthorizationNotFound, "authorization not found")
	errNotPending      = autherr.BadRequest(autherr.CodeValidation, "authorization request cannot be processed")
)

// Authorization is what a client asked a user for, and how far that got.
type Authorization struct {
	ID            string // of the row
	Name          string // in the address of the consent page
	Status        string
	UserID        string // empty: nobody opened the consent page
	RedirectURI   string
	Scope         string
	State, Nonce  string
	Resource      string
	Challenge     string
	Method        string // token.S256 or token.Plain
	Expires       time.Time
	Approved      *time.Time
	Authenticated *time.Time // when the user last showed who they are
	SessionID     string     // of the session that its code was exchanged for
}

const statusPending = "pending"

// fields are where authorizationColumns go, in their order.
func (a *Authorization) fields() []any {
	return []any{
		&a.ID, &a.Name, &a.Status, &a.UserID, &a.RedirectURI, &a.Scope, &a.State, &a.Nonce, &a.Resource, &a.Challenge, &a.Method,
		&a.Expires, &a.Approved, &a.Authenticated, &a.SessionID,
	}
}

// AddAuthorization stores a request for some time under a name that only the browser
// gets that brought it.
func (s *Storage) AddAuthorization(ctx context.Context, name string, a *oauth.AuthorizeRequest, lifetime time.Duration) error {
	now := s.now()
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(insertAuthorization, name, a.ClientID, a.RedirectURI, a.Scope.String(), pg.OrNull(a.State), pg.OrNull(a.Nonce), pg.OrNull(a.Resource),
			a.Challenge, a.Method, now, now.Add(lifetime))
		return tx.ExecBatch(ctx, batch)
	})
}

// Decide runs fn with the authorization of a name that waits for a decision, its client,
// and the storage of the request. No other decision on it is made meanwhile.
//
// Errors: 404 oauth_authorization_not_found for an unknown one, one that expired, and one
// whose client no longer has its address; 400 validation_failed for one that is decided.
func (s *Storage) Decide(ctx context.Context, name string, fn func(*Request, *Authorization, *oauth.Client) error) error {
	expired := false
	err := s.InTx(ctx, Asker{}, func(r *Request) error {
		a := &Authorization{}
		client, err := readClient(r.tx.QueryRow(ctx, authorizationByName, name).Scan, a.fields()...)
		if errors.Is(err, pgx.ErrNoRows) {
			return ErrNoAuthorization
		}
		if err != nil {
			return err
		}
		switch expired = !s.now().Before(a.Expires); {
		case a.Status != statusPending:
			return errNotPending
		case expired:
			_, err := r.tx.Exec(ctx, expireAuthorization, a.ID)
			return err
		case !client.Redirects(a.RedirectURI):
			return ErrNoAuthorization
		}
		r.from.Client, r.authorization = client, a
		return fn(r, a, client)
	})
	if err == nil && expired {
		return ErrNoAuthorization
	}
	return err
}

// Bind makes a user the one who decides.
func (r *Request) Bind(ctx context.Context, userID string) error {
	_, err := r.tx.Exec(ctx, bindAuthorization, r.authorization.ID, userID)
	return err
}

// Deny stores that the user refused.
func (r *Request) Deny(ctx context.Context) error {
	_, err := r.tx.Exec(ctx, denyAuthorization, r.authorization.ID)
	return err
}

// Consent returns the scopes that a user lets the client have; none without a consent.
func (r *Request) Consent(ctx context.Context, userID string) (oauth.Scope, error) {
	var scopes string
	err := r.tx.QueryRow(ctx, consentOf, userID, r.from.Client.ID).Scan(&scopes)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return oauth.ParseScope(scopes), err
}

// SaveConsent stores the scopes that a user lets the client have.
func (r *Request) SaveConsent(ctx context.Context, userID string, scope oauth.Scope) error {
	_, err := r.tx.Exec(ctx, saveConsent, userID, r.from.Client.ID, scope.String(), r.storage.now())
	return err
}
