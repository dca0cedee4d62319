package external

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/provider"
	"plaza/server/auth/store"
	"plaza/server/lazyregexp"
)

// Limits of the fields that an admin enters. Source: supabase/auth's table.
const (
	maxProviderName = 100 // characters
	maxClientID     = 512
	maxClientSecret = 4096 // bytes; Apple's are signed tokens
)

var customPattern = lazyregexp.New(`^custom:[a-z0-9:-]{0,42}[a-z0-9]$`)

var (
	errNoCustom    = autherr.NotFound(autherr.CodeCustomNotFound, "Custom OAuth provider not found")
	errCustomTaken = autherr.BadRequest(autherr.CodeConflict, "A custom OAuth provider with this identifier already exists")
)

// List returns all providers, or those of one type.
//
// Errors: 400 validation_failed for another type.
func (s *CustomProviders) List(ctx context.Context, kind string) (found []*CustomProvider, err error) {
	if kind != "" && kind != customOAuth2 && kind != customOIDC {
		return nil, autherr.BadRequest(autherr.CodeValidation, "type must be either 'oauth2' or 'oidc'")
	}
	err = s.db.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, customList, kind)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*CustomProvider, error) {
			c := &CustomProvider{}
			err := row.Scan(c.fields()...)
			c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
			return c, err
		})
		return err
	})
	return found, err
}

// Get returns the provider with a name.
//
// Errors: 400 validation_failed for a name without its prefix; 404
// custom_provider_not_found.
func (s *CustomProviders) Get(ctx context.Context, name string) (*CustomProvider, error) {
	if !strings.HasPrefix(name, provider.CustomPrefix) {
		return nil, autherr.BadRequest(autherr.CodeValidation, "identifier must start with 'custom:' prefix, e.g. 'custom:%s'", provider.Shorten(name))
	}
	if !customPattern().MatchString(name) {
		return nil, errNoCustom
	}
	c, err := s.find(ctx, name)
	if err == nil && c == nil {
		err = errNoCustom
	}
	return c, err
}

// Add adds a provider.
//
// Errors: 400 validation_failed, conflict, over_custom_provider_quota.
func (s *CustomProviders) Add(ctx context.Context, params CustomChange) (*CustomProvider, error) {
	if err := params.checkRequired(); err != nil {
		return nil, err
	}
	now := s.now()
	c := &CustomProvider{
		ID: store.NewID(), Type: params.Type, Identifier: params.Identifier, AcceptableClientIDs: []string{}, Scopes: []string{}, PKCE: true,
		Mapping: map[string]any{}, ClaimsAllowlist: []string{}, AuthorizationParams: map[string]string{}, Enabled: true,
		CreatedAt: now.UTC(), UpdatedAt: now.UTC(),
	}
	if err := s.change(ctx, c, params); err != nil {
		return nil, err
	}
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		if limit := s.config.CustomOAuth.MaxProviders; limit > 0 {
			var count int
			if err := tx.QueryRow(ctx, customCount).Scan(&count); err != nil {
				return err
			}
			if count >= limit {
				return autherr.BadRequest(autherr.CodeCustomQuota, "Maximum number of custom OAuth/OIDC providers reached")
			}
		}
		_, err := tx.Exec(ctx, insertCustom, c.values(now)...)
		return err
	})
	if store.ViolatesUnique(err) {
		return nil, errCustomTaken.WithCause(err)
	}
	return c, err
}

// checkRequired checks that a new provider has all required fields.
func (change CustomChange) checkRequired() error {
	needed := [][2]string{{"identifier", change.Identifier}, {"name", change.Name}, {"client_id", change.ClientID}, {"client_secret", change.ClientSecret}}
	switch change.Type {
	case customOIDC:
		needed = append(needed, [2]string{"issuer", change.Issuer})
	case customOAuth2:
		needed = append(needed, [2]string{"authorization_url", change.AuthorizationURL}, [2]string{"token_url", change.TokenURL}, [2]string{"userinfo_url", change.UserinfoURL})
	default:
		return autherr.BadRequest(autherr.CodeValidation, "provider_type must be either 'oauth2' or 'oidc'")
	}
	for _, field := range needed {
		if field[1] == "" {
			return autherr.BadRequest(autherr.CodeValidation, "%s is required", field[0])
		}
	}
	switch {
	case !strings.HasPrefix(change.Identifier, provider.CustomPrefix):
		return autherr.BadRequest(autherr.CodeValidation, "identifier must start with 'custom:' prefix, e.g. 'custom:%s'", provider.Shorten(change.Identifier))
	case !customPattern().MatchString(change.Identifier):
		return autherr.BadRequest(autherr.CodeValidation, "identifier must be lower-case letters, digits, hyphens and colons, 50 characters at most")
	}
	return nil
}

// change applies a request to a provider and validates the result. It fetches the discovery
// document of a new issuer, so that a mistake is reported now and not at a sign-in.
func (s *CustomProviders) change(ctx context.Context, c *CustomProvider, params CustomChange) error {
	if err := params.apply(c); err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(c.Name) > maxProviderName || strings.ContainsRune(c.Name, 0):
		return autherr.BadRequest(autherr.CodeValidation, "name must be 100 characters at most")
	case utf8.RuneCountInString(c.ClientID) > maxClientID || strings.ContainsRune(c.ClientID, 0):
		return autherr.BadRequest(autherr.CodeValidation, "client_id must be 512 characters at most")
	case len(params.ClientSecret) > maxClientSecret:
		return autherr.BadRequest(autherr.CodeValidation, "client_secret must be 4096 bytes at most")
	}
	if err := c.settings("").Check(); err != nil {
		return autherr.BadRequest(autherr.CodeValidation, "%v", err)
	}
	for _, address := range []*string{c.Issuer, c.DiscoveryURL, c.AuthorizationURL, c.TokenURL, c.UserinfoURL, c.JWKSURI} {
		if address == nil {
			continue
		}
		if err := s.providers.CheckAddress(*address); err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "%v", err)
		}
	}
	if params.ClientSecret != "" {
		c.sealed = s.box.Seal([]byte(params.ClientSecret), c.sealContext())
	}
	if c.Type == customOIDC && (params.Issuer != "" || params.DiscoveryURL != nil) {
		discovery, err := s.providers.Discover(ctx, *c.Issuer, orEmpty(c.DiscoveryURL))
		if err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "OIDC discovery failed: %s", provider.Shorten(err.Error())).WithCause(err)
		}
		c.Discovery = &discovery
	}
	return nil
}

// Change changes a provider. Fields that are absent from the request keep their values.
//
// Errors: those of Get; 400 validation_failed.
func (s *CustomProviders) Change(ctx context.Context, name string, params CustomChange) (*CustomProvider, error) {
	c, err := s.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	if err := s.change(ctx, c, params); err != nil {
		return nil, err
	}
	now := s.now()
	if err := s.exec(ctx, updateCustom, c.values(now)...); err != nil {
		return nil, err
	}
	c.UpdatedAt = now.UTC()
	return c, nil
}

// Delete removes a provider.
//
// Errors: those of Get.
func (s *CustomProviders) Delete(ctx context.Context, name string) error {
	c, err := s.Get(ctx, name)
	if err != nil {
		return err
	}
	return s.exec(ctx, deleteCustom, c.Identifier)
}

// exec runs a statement that changes one provider, and clears the cache of discovered issuers.
func (s *CustomProviders) exec(ctx context.Context, sql string, args ...any) error {
	err := s.db.InTx(ctx, func(tx *store.Tx) error {
		done, err := tx.Exec(ctx, sql, args...)
		if err == nil && done.RowsAffected() == 0 {
			return errNoCustom
		}
		return err
	})
	if err == nil {
		s.providers.ClearCache()
	}
	return err
}
