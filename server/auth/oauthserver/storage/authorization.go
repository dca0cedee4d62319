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

// Authorization is a client's request for a user's consent, and its state.
type Authorization struct {
	ID            string // of the row
	Name          string // in the URL of the consent page
	Status        string
	UserID        string // empty: the consent page has not been opened
	RedirectURI   string
	Scope         string
	State, Nonce  string
	Resource      string
	Challenge     string
	Method        string // token.S256 or token.Plain
	Expires       time.Time
	Approved      *time.Time
	Authenticated *time.Time // when the user last authenticated
	SessionID     string     // of the session issued for its code
}

const statusPending = "pending"

// fields returns the scan targets of authorizationColumns.
func (a *Authorization) fields() []any {
	return []any{
		&a.ID, &a.Name, &a.Status, &a.UserID, &a.RedirectURI, &a.Scope, &a.State, &a.Nonce, &a.Resource, &a.Challenge, &a.Method,
		&a.Expires, &a.Approved, &a.Authenticated, &a.SessionID,
	}
}

// AddAuthorization stores a request for its lifetime. name is secret; only the browser that sent
// the request gets it.
func (s *Storage) AddAuthorization(ctx context.Context, name string, a *oauth.AuthorizeRequest, lifetime time.Duration) error {
	now := s.now()
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		batch := &pgx.Batch{}
		batch.Queue(insertAuthorization, name, a.ClientID, a.RedirectURI, a.Scope.String(), pg.OrNull(a.State), pg.OrNull(a.Nonce), pg.OrNull(a.Resource),
			a.Challenge, a.Method, now, now.Add(lifetime))
		return tx.ExecBatch(ctx, batch)
	})
}

// Decide runs fn with a pending authorization, its client and the storage of the request. It locks
// the authorization, so that decisions are serialized.
//
// Errors: 404 oauth_authorization_not_found for an authorization that is unknown, expired or
// whose redirect URI is no longer registered; 400 validation_failed for a decided one.
func (s *Storage) Decide(ctx context.Context, name string, fn func(*Request, *Authorization, *oauth.Client) error) error {
	expired := false
	err := s.InTx(ctx, Origin{}, func(r *Request) error {
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
		case !client.HasRedirectURI(a.RedirectURI):
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

// BindUser binds the authorization to the user who decides.
func (r *Request) BindUser(ctx context.Context, userID string) error {
	_, err := r.tx.Exec(ctx, bindAuthorization, r.authorization.ID, userID)
	return err
}

// Deny stores that the user denied the request.
func (r *Request) Deny(ctx context.Context) error {
	_, err := r.tx.Exec(ctx, denyAuthorization, r.authorization.ID)
	return err
}

// Consent returns the scopes that a user has consented to for the client. It is empty without a
// consent.
func (r *Request) Consent(ctx context.Context, userID string) (oauth.Scope, error) {
	var scopes string
	err := r.tx.QueryRow(ctx, consentOf, userID, r.from.Client.ID).Scan(&scopes)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return oauth.ParseScope(scopes), err
}

// SaveConsent stores the scopes that a user consents to for the client.
func (r *Request) SaveConsent(ctx context.Context, userID string, scope oauth.Scope) error {
	_, err := r.tx.Exec(ctx, saveConsent, userID, r.from.Client.ID, scope.String(), r.storage.now())
	return err
}
