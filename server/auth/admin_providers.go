package auth

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/provider"
	"plaza/server/auth/store"
	"plaza/server/httpx"
)

// Limits of what an admin enters. Source: supabase/auth's table.
const (
	maxProviderName = 100 // characters
	maxClientID     = 512
	maxClientSecret = 4096 // bytes; Apple's are signed tokens
)

var customPattern = regexp.MustCompile(`^custom:[a-z0-9:-]{0,42}[a-z0-9]$`)

var (
	errNoCustom    = autherr.NotFound(autherr.CodeCustomNotFound, "Custom OAuth provider not found")
	errCustomTaken = autherr.BadRequest(autherr.CodeConflict, "A custom OAuth provider with this identifier already exists")
)

// listCustomProviders answers GET /admin/custom-providers, all or those of one
// type.
func (s *Server) listCustomProviders(w http.ResponseWriter, r *http.Request) error {
	kind := r.URL.Query().Get("type")
	if kind != "" && kind != customOAuth2 && kind != customOIDC {
		return autherr.BadRequest(autherr.CodeValidation, "type must be either 'oauth2' or 'oidc'")
	}
	found := []*customProvider{}
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(r.Context(), customList, kind)
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (*customProvider, error) {
			c := &customProvider{}
			err := row.Scan(c.fields()...)
			c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
			return c, err
		})
		return err
	})
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, map[string]any{"providers": found})
}

// namedCustom gives the provider of a request's path.
func (s *Server) namedCustom(r *http.Request) (*customProvider, error) {
	name := r.PathValue("identifier")
	if !strings.HasPrefix(name, provider.CustomPrefix) {
		return nil, autherr.BadRequest(autherr.CodeValidation, "identifier must start with 'custom:' prefix, e.g. 'custom:%s'", provider.Shorten(name))
	}
	if !customPattern.MatchString(name) {
		return nil, errNoCustom
	}
	c, err := s.findCustom(r.Context(), name)
	if err == nil && c == nil {
		err = errNoCustom
	}
	return c, err
}

// getCustomProvider answers GET /admin/custom-providers/{identifier}.
func (s *Server) getCustomProvider(w http.ResponseWriter, r *http.Request) error {
	c, err := s.namedCustom(r)
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// addCustomProvider answers POST /admin/custom-providers.
func (s *Server) addCustomProvider(w http.ResponseWriter, r *http.Request) error {
	var asked customChange
	if err := read(w, r, &asked); err != nil {
		return err
	}
	if err := asked.complete(); err != nil {
		return err
	}
	now := s.now()
	c := &customProvider{
		ID: store.NewID(), Type: asked.Type, Identifier: asked.Identifier, AcceptableClientIDs: []string{}, Scopes: []string{}, PKCE: true,
		Mapping: map[string]any{}, ClaimsAllowlist: []string{}, AuthorizationParams: map[string]string{}, Enabled: true,
		CreatedAt: now.UTC(), UpdatedAt: now.UTC(),
	}
	if err := s.change(r.Context(), c, asked); err != nil {
		return err
	}
	err := s.store.InTx(r.Context(), func(tx *store.Tx) error {
		if limit := s.config.CustomOAuth.MaxProviders; limit > 0 {
			var count int
			if err := tx.QueryRow(r.Context(), customCount).Scan(&count); err != nil {
				return err
			}
			if count >= limit {
				return autherr.BadRequest(autherr.CodeCustomQuota, "Maximum number of custom OAuth/OIDC providers reached")
			}
		}
		_, err := tx.Exec(r.Context(), insertCustom, c.values(now)...)
		return err
	})
	if store.ViolatesUnique(err) {
		return errCustomTaken.WithCause(err)
	}
	if err != nil {
		return err
	}
	return httpx.WriteJSON(w, http.StatusCreated, c)
}

// complete tells what a new provider cannot do without.
func (change customChange) complete() error {
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
	case !customPattern.MatchString(change.Identifier):
		return autherr.BadRequest(autherr.CodeValidation, "identifier must be lower-case letters, digits, hyphens and colons, 50 characters at most")
	}
	return nil
}

// change puts a request over a provider and looks whether that can work: an
// issuer is asked what it says of itself, so that a mistake shows now and not at
// somebody's sign-in.
func (s *Server) change(ctx context.Context, c *customProvider, asked customChange) error {
	if err := asked.apply(c); err != nil {
		return err
	}
	switch {
	case utf8.RuneCountInString(c.Name) > maxProviderName || strings.ContainsRune(c.Name, 0):
		return autherr.BadRequest(autherr.CodeValidation, "name must be 100 characters at most")
	case utf8.RuneCountInString(c.ClientID) > maxClientID || strings.ContainsRune(c.ClientID, 0):
		return autherr.BadRequest(autherr.CodeValidation, "client_id must be 512 characters at most")
	case len(asked.ClientSecret) > maxClientSecret:
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
	if asked.ClientSecret != "" {
		c.sealed = s.box.Seal([]byte(asked.ClientSecret), c.place())
	}
	if c.Type == customOIDC && (asked.Issuer != "" || asked.DiscoveryURL != nil) {
		said, err := s.providers.Discover(ctx, *c.Issuer, orEmpty(c.DiscoveryURL))
		if err != nil {
			return autherr.BadRequest(autherr.CodeValidation, "OIDC discovery failed: %s", provider.Shorten(err.Error())).WithCause(err)
		}
		c.Discovery = &said
	}
	return nil
}

// changeCustomProvider answers PUT /admin/custom-providers/{identifier}: what is
// not given stays.
func (s *Server) changeCustomProvider(w http.ResponseWriter, r *http.Request) error {
	var asked customChange
	if err := read(w, r, &asked); err != nil {
		return err
	}
	c, err := s.namedCustom(r)
	if err != nil {
		return err
	}
	if err := s.change(r.Context(), c, asked); err != nil {
		return err
	}
	now := s.now()
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		done, err := tx.Exec(r.Context(), updateCustom, c.values(now)...)
		if err == nil && done.RowsAffected() == 0 {
			return errNoCustom
		}
		return err
	})
	if err != nil {
		return err
	}
	s.providers.Forget()
	c.UpdatedAt = now.UTC()
	return httpx.WriteJSON(w, http.StatusOK, c)
}

// deleteCustomProvider answers DELETE /admin/custom-providers/{identifier}.
func (s *Server) deleteCustomProvider(w http.ResponseWriter, r *http.Request) error {
	c, err := s.namedCustom(r)
	if err != nil {
		return err
	}
	err = s.store.InTx(r.Context(), func(tx *store.Tx) error {
		done, err := tx.Exec(r.Context(), deleteCustom, c.Identifier)
		if err == nil && done.RowsAffected() == 0 {
			return errNoCustom
		}
		return err
	})
	if err != nil {
		return err
	}
	s.providers.Forget()
	w.WriteHeader(http.StatusNoContent)
	return nil
}
