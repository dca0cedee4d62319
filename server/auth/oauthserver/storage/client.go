package storage

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/ory/fosite"

	"plaza/server/auth/autherr"
	"plaza/server/auth/oauth"
	"plaza/server/auth/store"
)

// Errors about clients.
var (
	errNoClient = autherr.NotFound(autherr.CodeClientNotFound, "OAuth client not found")
	errClientID = autherr.BadRequest(autherr.CodeValidation, "invalid client_id format")
)

// Client is a client of ours as fosite sees it.
type Client struct{ *oauth.Client }

// GetID returns the client_id; empty where a token is of no client.
func (c Client) GetID() string { return c.ID }

// GetHashedSecret returns the stored hash. fosite compares no secret: rules of ours
// authenticate the client before.
func (c Client) GetHashedSecret() []byte { return []byte(c.SecretHash) }

// GetRedirectURIs returns the registered addresses.
func (c Client) GetRedirectURIs() []string { return c.RedirectURIs }

// GetGrantTypes returns the grant types that the client registered for.
func (c Client) GetGrantTypes() fosite.Arguments { return c.GrantTypes }

// GetResponseTypes returns the one response type that there is.
func (c Client) GetResponseTypes() fosite.Arguments { return c.ResponseTypes }

// GetScopes returns all scopes: every client may ask for each.
func (c Client) GetScopes() fosite.Arguments { return oauth.Scopes }

// IsPublic reports whether the client has no secret.
func (c Client) IsPublic() bool { return c.Type == oauth.Public }

// GetAudience returns none: resources are not registered.
func (c Client) GetAudience() fosite.Arguments { return nil }

// clientFields are where clientColumns go, in their order.
func clientFields(c *oauth.Client) []any {
	return []any{
		&c.ID, &c.RegistrationType, &c.Type, &c.AuthMethod, &c.RedirectURIs, &c.GrantTypes, &c.Name, &c.URI, &c.LogoURI,
		&c.CreatedAt, &c.UpdatedAt, &c.SecretHash,
	}
}

// readClient reads a client from a row, and into before what stands before it.
func readClient(scan func(...any) error, before ...any) (*oauth.Client, error) {
	c := &oauth.Client{ResponseTypes: []string{"code"}}
	if err := scan(append(before, clientFields(c)...)...); err != nil {
		return nil, err
	}
	c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
	return c, nil
}

// FindClient returns the client of an id; nil where there is none.
func (s *Storage) FindClient(ctx context.Context, id string) (*oauth.Client, error) {
	if !store.IsUUID(id) {
		return nil, nil
	}
	c, err := readClient(func(into ...any) error { return s.db.QueryRow(ctx, clientByID, []any{id}, into...) })
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return c, err
}

// GetClient returns the client of an id.
//
// Errors: 400 validation_failed for an id that is none; 404 oauth_client_not_found.
func (s *Storage) GetClient(ctx context.Context, id string) (*oauth.Client, error) {
	if !store.IsUUID(id) {
		return nil, errClientID
	}
	c, err := s.FindClient(ctx, id)
	if err == nil && c == nil {
		return nil, errNoClient
	}
	return c, err
}

// AddClient stores a new client under an id that it gives it.
func (s *Storage) AddClient(ctx context.Context, c *oauth.Client) error {
	c.ID, c.CreatedAt = store.NewID(), s.now().UTC()
	c.UpdatedAt = c.CreatedAt
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, insertClient, c.ID, c.RegistrationType, c.Type, c.AuthMethod, strings.Join(c.RedirectURIs, ","),
			strings.Join(c.GrantTypes, ","), c.Name, c.URI, c.LogoURI, c.SecretHash, c.CreatedAt)
		return err
	})
}

// Clients returns a part of the list of clients, newest first, and how many there are
// in all.
func (s *Storage) Clients(ctx context.Context, limit, offset int64) (clients []*oauth.Client, total int64, err error) {
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, clientsPage, limit, offset)
		if err != nil {
			return err
		}
		clients, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*oauth.Client, error) { return readClient(row.Scan, &total) })
		if err == nil && len(clients) == 0 && offset > 0 {
			err = tx.QueryRow(ctx, countClients).Scan(&total)
		}
		return err
	})
	return clients, total, err
}

// ChangeClient stores what change makes of a client. Nobody else changes it meanwhile.
//
// Errors: those of GetClient; 400 validation_failed with what change refused.
func (s *Storage) ChangeClient(ctx context.Context, id string, change func(*oauth.Client) error) (c *oauth.Client, err error) {
	if !store.IsUUID(id) {
		return nil, errClientID
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		var err error
		c, err = readClient(tx.QueryRow(ctx, clientLocked, id).Scan)
		if errors.Is(err, pgx.ErrNoRows) {
			return errNoClient
		}
		if err != nil {
			return err
		}
		if err := change(c); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "%s", err).WithCause(err)
		}
		c.UpdatedAt = s.now().UTC()
		_, err = tx.Exec(ctx, updateClient, c.ID, c.AuthMethod, strings.Join(c.RedirectURIs, ","), strings.Join(c.GrantTypes, ","),
			c.Name, c.URI, c.LogoURI, c.SecretHash, c.UpdatedAt)
		return err
	})
	return c, err
}

// DeleteClient deletes a client and ends all its sessions.
//
// Errors: those of GetClient.
func (s *Storage) DeleteClient(ctx context.Context, id string) error {
	if !store.IsUUID(id) {
		return errClientID
	}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		done, err := tx.Exec(ctx, deleteClient, id, s.now())
		if err == nil && done.RowsAffected() == 0 {
			return errNoClient
		}
		if err == nil {
			_, err = tx.Exec(ctx, endClientSessions, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.sessions.ReadEnded(ctx); err != nil { // of many users
		s.log.ErrorContext(ctx, "ended sessions are refused only when their notification comes", "error", err)
	}
	return nil
}
