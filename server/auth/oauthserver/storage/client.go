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

// Client implements fosite.Client.
type Client struct{ *oauth.Client }

// GetID returns the client_id. It is empty for a token without a client.
func (c Client) GetID() string { return c.ID }

// GetHashedSecret returns the stored hash. fosite does not check it, because Server authenticates
// the client before.
func (c Client) GetHashedSecret() []byte { return []byte(c.SecretHash) }

// GetRedirectURIs returns the registered redirect URIs.
func (c Client) GetRedirectURIs() []string { return c.RedirectURIs }

// GetGrantTypes returns the client's registered grant types.
func (c Client) GetGrantTypes() fosite.Arguments { return c.GrantTypes }

// GetResponseTypes returns the only supported response type.
func (c Client) GetResponseTypes() fosite.Arguments { return c.ResponseTypes }

// GetScopes returns all scopes, because every client may request any scope.
func (c Client) GetScopes() fosite.Arguments { return oauth.Scopes }

// IsPublic reports whether the client has no secret.
func (c Client) IsPublic() bool { return c.Type == oauth.Public }

// GetAudience returns nil: resources are not registered.
func (c Client) GetAudience() fosite.Arguments { return nil }

// clientFields returns the scan targets of clientColumns.
func clientFields(c *oauth.Client) []any {
	return []any{
		&c.ID, &c.RegistrationType, &c.Type, &c.AuthMethod, &c.RedirectURIs, &c.GrantTypes, &c.Name, &c.URI, &c.LogoURI,
		&c.CreatedAt, &c.UpdatedAt, &c.SecretHash,
	}
}

// readClient scans a client from a row, after the preceding columns into before.
func readClient(scan func(...any) error, before ...any) (*oauth.Client, error) {
	c := &oauth.Client{ResponseTypes: []string{"code"}}
	if err := scan(append(before, clientFields(c)...)...); err != nil {
		return nil, err
	}
	c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
	return c, nil
}

// FindClient returns a client by id, or nil if there is none.
func (s *Storage) FindClient(ctx context.Context, id string) (*oauth.Client, error) {
	if !store.IsUUID(id) {
		return nil, nil
	}
	c, err := readClient(func(dest ...any) error { return s.db.QueryRow(ctx, clientByID, []any{id}, dest...) })
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return c, err
}

// GetClient returns a client by id.
//
// Errors: 400 validation_failed for an invalid id; 404 oauth_client_not_found.
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

// AddClient sets the id of a new client and stores it.
func (s *Storage) AddClient(ctx context.Context, c *oauth.Client) error {
	c.ID, c.CreatedAt = store.NewID(), s.now().UTC()
	c.UpdatedAt = c.CreatedAt
	return s.db.InTx(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, insertClient, c.ID, c.RegistrationType, c.Type, c.AuthMethod, strings.Join(c.RedirectURIs, ","),
			strings.Join(c.GrantTypes, ","), c.Name, c.URI, c.LogoURI, c.SecretHash, c.CreatedAt)
		return err
	})
}

// Clients returns a page of the list of clients, newest first, and the total number.
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

// ChangeClient locks a client, applies change and stores the result.
//
// Errors: those of GetClient; 400 validation_failed with the error of change.
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
	if err := s.sessions.ReloadEndedSessions(ctx); err != nil { // sessions of many users have ended
		s.log.ErrorContext(ctx, "reading ended sessions failed, waiting for the notification", "error", err)
	}
	return nil
}
