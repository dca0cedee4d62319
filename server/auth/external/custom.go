package external

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/auth/autherr"
	"plaza/server/auth/provider"
	"plaza/server/auth/seal"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/openid"
	"plaza/server/secret"
)

// Types of custom providers.
const (
	customOAuth2 = "oauth2"
	customOIDC   = "oidc"
)

// CustomProvider is a provider that the project's admin added, as shown by the API. Its JSON
// never contains the client secret.
type CustomProvider struct {
	ID                  string            `json:"id"`
	Type                string            `json:"provider_type"`
	Identifier          string            `json:"identifier"`
	Name                string            `json:"name"`
	ClientID            string            `json:"client_id"`
	AcceptableClientIDs []string          `json:"acceptable_client_ids"`
	Scopes              []string          `json:"scopes"`
	PKCE                bool              `json:"pkce_enabled"`
	Mapping             map[string]any    `json:"attribute_mapping"`
	ClaimsAllowlist     []string          `json:"custom_claims_allowlist"`
	AuthorizationParams map[string]string `json:"authorization_params"`
	Enabled             bool              `json:"enabled"`
	EmailOptional       bool              `json:"email_optional"`
	Issuer              *string           `json:"issuer,omitempty"`
	DiscoveryURL        *string           `json:"discovery_url,omitempty"`
	SkipNonceCheck      bool              `json:"skip_nonce_check"`
	Discovery           *openid.Discovery `json:"discovery_document,omitempty"`
	AuthorizationURL    *string           `json:"authorization_url,omitempty"`
	TokenURL            *string           `json:"token_url,omitempty"`
	UserinfoURL         *string           `json:"userinfo_url,omitempty"`
	JWKSURI             *string           `json:"jwks_uri,omitempty"`
	CreatedAt           time.Time         `json:"created_at"`
	UpdatedAt           time.Time         `json:"updated_at"`

	sealed string // client secret
}

// fields returns the scan targets of customColumns.
func (c *CustomProvider) fields() []any {
	return []any{
		&c.ID, &c.Type, &c.Identifier, &c.Name, &c.ClientID, &c.sealed, &c.AcceptableClientIDs, &c.Scopes, &c.PKCE, &c.Mapping,
		&c.ClaimsAllowlist, &c.AuthorizationParams, &c.Enabled, &c.EmailOptional, &c.Issuer, &c.DiscoveryURL, &c.SkipNonceCheck, &c.Discovery,
		&c.AuthorizationURL, &c.TokenURL, &c.UserinfoURL, &c.JWKSURI, &c.CreatedAt, &c.UpdatedAt,
	}
}

// values returns the arguments of insertCustom and updateCustom.
func (c *CustomProvider) values(now time.Time) []any {
	return []any{
		c.ID, c.Type, c.Identifier, c.Name, c.ClientID, c.sealed, c.AcceptableClientIDs, c.Scopes, c.PKCE, c.Mapping, c.ClaimsAllowlist,
		c.AuthorizationParams, c.Enabled, c.EmailOptional, c.Issuer, c.DiscoveryURL, c.SkipNonceCheck, c.Discovery, c.AuthorizationURL,
		c.TokenURL, c.UserinfoURL, c.JWKSURI, now,
	}
}

// settings returns the settings of the provider for package provider.
func (c *CustomProvider) settings(clientSecret secret.Text) provider.Custom {
	return provider.Custom{
		Name: c.Identifier, ClientID: c.ClientID, Secret: clientSecret, AcceptableClientIDs: c.AcceptableClientIDs, Scopes: c.Scopes,
		PKCE: c.PKCE, Mapping: c.Mapping, ClaimsAllowlist: c.ClaimsAllowlist, AuthorizationParams: c.AuthorizationParams,
		EmailOptional: c.EmailOptional, SkipNonceCheck: c.SkipNonceCheck, Issuer: orEmpty(c.Issuer), DiscoveryURL: orEmpty(c.DiscoveryURL),
		AuthorizationURL: orEmpty(c.AuthorizationURL), TokenURL: orEmpty(c.TokenURL), UserinfoURL: orEmpty(c.UserinfoURL),
	}
}

func orEmpty(optional *string) string {
	if optional == nil {
		return ""
	}
	return *optional
}

// sealContext returns the additional data that binds the sealed secret to its row.
func (c *CustomProvider) sealContext() string { return "auth.custom_oauth_providers/" + c.ID }

// CustomProviders manages the providers that a project's admin adds.
type CustomProviders struct {
	config    settings.Config
	db        *store.Store
	now       func() time.Time
	box       *seal.Box
	providers *provider.Set
}

// find returns a custom provider by name, or nil if there is none.
func (s *CustomProviders) find(ctx context.Context, name string) (*CustomProvider, error) {
	c := &CustomProvider{}
	err := s.db.QueryRow(ctx, customByName, []any{name}, c.fields()...)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c.CreatedAt, c.UpdatedAt = c.CreatedAt.UTC(), c.UpdatedAt.UTC()
	return c, nil
}

// enabled returns an enabled custom provider. Errors: provider.ErrUnknown,
// provider.ErrDisabled.
func (s *CustomProviders) enabled(ctx context.Context, name string) (*CustomProvider, error) {
	if !s.config.CustomOAuth.Enabled {
		return nil, provider.ErrDisabled
	}
	if !customPattern().MatchString(name) {
		return nil, fmt.Errorf("%w: %s", provider.ErrUnknown, provider.Shorten(name))
	}
	c, err := s.find(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case c == nil:
		return nil, fmt.Errorf("%w: %s", provider.ErrUnknown, provider.Shorten(name))
	case !c.Enabled:
		return nil, provider.ErrDisabled
	}
	return c, nil
}

// open returns a custom provider, ready to use. Errors: those of enabled.
func (s *CustomProviders) open(ctx context.Context, name, scopes string) (*provider.Provider, error) {
	c, err := s.enabled(ctx, name)
	if err != nil {
		return nil, err
	}
	plain, err := s.box.Open(c.sealed, c.sealContext())
	if err != nil {
		return nil, fmt.Errorf("open the client secret of %s: %w", c.Identifier, err)
	}
	return s.providers.OpenCustom(ctx, c.settings(secret.Text(plain)), scopes)
}

// CustomChange is the body of a request that adds or changes a custom provider.
type CustomChange struct {
	Type                string                     `json:"provider_type"`
	Identifier          string                     `json:"identifier"`
	Name                string                     `json:"name"`
	ClientID            string                     `json:"client_id"`
	ClientSecret        string                     `json:"client_secret"`
	AcceptableClientIDs []string                   `json:"acceptable_client_ids"`
	Scopes              []string                   `json:"scopes"`
	PKCE                *bool                      `json:"pkce_enabled"`
	Mapping             map[string]any             `json:"attribute_mapping"`
	ClaimsAllowlist     []string                   `json:"custom_claims_allowlist"`
	AuthorizationParams map[string]json.RawMessage `json:"authorization_params"`
	Enabled             *bool                      `json:"enabled"`
	EmailOptional       *bool                      `json:"email_optional"`
	Issuer              string                     `json:"issuer"`
	DiscoveryURL        *string                    `json:"discovery_url"`
	SkipNonceCheck      *bool                      `json:"skip_nonce_check"`
	AuthorizationURL    string                     `json:"authorization_url"`
	TokenURL            string                     `json:"token_url"`
	UserinfoURL         string                     `json:"userinfo_url"`
	JWKSURI             *string                    `json:"jwks_uri"`
}

// apply sets the fields of c that are present in the request.
func (change CustomChange) apply(c *CustomProvider) error {
	setText(&c.Name, change.Name)
	setText(&c.ClientID, change.ClientID)
	setList(&c.AcceptableClientIDs, change.AcceptableClientIDs)
	setList(&c.Scopes, change.Scopes)
	setList(&c.ClaimsAllowlist, change.ClaimsAllowlist)
	setFlag(&c.PKCE, change.PKCE)
	setFlag(&c.Enabled, change.Enabled)
	setFlag(&c.EmailOptional, change.EmailOptional)
	if change.Mapping != nil {
		c.Mapping = change.Mapping
	}
	if change.AuthorizationParams != nil {
		c.AuthorizationParams = map[string]string{}
		for name, raw := range change.AuthorizationParams {
			var value string
			if json.Unmarshal(raw, &value) != nil {
				return autherr.BadRequest(autherr.CodeValidation, "Authorization parameter %q must be a string", provider.Shorten(name))
			}
			c.AuthorizationParams[name] = value
		}
	}
	if c.Type == customOIDC {
		c.Scopes = provider.WithOpenID(c.Scopes)
		setOptional(&c.Issuer, change.Issuer)
		if change.DiscoveryURL != nil {
			c.DiscoveryURL = nil
			setOptional(&c.DiscoveryURL, *change.DiscoveryURL)
		}
		setFlag(&c.SkipNonceCheck, change.SkipNonceCheck)
		return nil
	}
	setOptional(&c.AuthorizationURL, change.AuthorizationURL)
	setOptional(&c.TokenURL, change.TokenURL)
	setOptional(&c.UserinfoURL, change.UserinfoURL)
	if change.JWKSURI != nil {
		c.JWKSURI = nil
		setOptional(&c.JWKSURI, *change.JWKSURI)
	}
	return nil
}

func setText(field *string, value string) {
	if value != "" {
		*field = value
	}
}

func setList(field *[]string, value []string) {
	if value != nil {
		*field = value
	}
}

func setFlag(field *bool, value *bool) {
	if value != nil {
		*field = *value
	}
}

func setOptional(field **string, value string) {
	if value != "" {
		*field = &value
	}
}
