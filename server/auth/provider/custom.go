package provider

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"plaza/server/openid"
	"plaza/server/secret"
)

// CustomPrefix is the prefix of the names of custom providers.
const CustomPrefix = "custom:"

// Custom is a provider that the project's admin added: an OpenID Connect provider if it has an
// issuer, else an OAuth 2.0 provider.
type Custom struct {
	Name                string // with CustomPrefix
	ClientID            string
	Secret              secret.Text
	AcceptableClientIDs []string // additional audiences of its ID tokens
	Scopes              []string
	PKCE                bool
	Mapping             map[string]any // claim → name of a field in the profile (a string), or a fixed value
	ClaimsAllowlist     []string       // other fields of the profile to store
	AuthorizationParams map[string]string
	EmailOptional       bool
	SkipNonceCheck      bool

	Issuer       string
	DiscoveryURL string // empty: the standard location

	AuthorizationURL, TokenURL, UserinfoURL string
}

// OpenCustom returns a custom provider, ready to use. scopes replace its own unless empty.
func (s *Set) OpenCustom(ctx context.Context, c Custom, scopes string) (*Provider, error) {
	p := &Provider{
		Name: c.Name, EmailOptional: c.EmailOptional, custom: &c, client: s.custom.client,
		kind: kind{pkce: c.PKCE, profile: fromCustom},
		oauth: oauth2.Config{
			ClientID: c.ClientID, ClientSecret: c.Secret.Reveal(), RedirectURL: s.options.Callback, Scopes: c.Scopes,
		},
	}
	if requested := splitScopes(scopes); len(requested) > 0 {
		p.oauth.Scopes = requested
	}
	p.endpoints = endpoints{c.AuthorizationURL, c.TokenURL, c.UserinfoURL}
	if c.Issuer != "" {
		p.oauth.Scopes = WithOpenID(p.oauth.Scopes)
		p.source = s.CustomSource(c)
		from, err := s.custom.find(ctx, c.Issuer, c.DiscoveryURL)
		if err != nil {
			return nil, err
		}
		p.endpoints = endpoints{from.AuthorizationEndpoint, from.TokenEndpoint, from.UserinfoEndpoint}
	}
	p.oauth.Endpoint = oauth2.Endpoint{AuthURL: p.endpoints.auth, TokenURL: p.endpoints.token}
	return p, nil
}

// WithOpenID returns scopes with the scope openid.
func WithOpenID(scopes []string) []string {
	if slices.Contains(scopes, "openid") {
		return scopes
	}
	return append([]string{"openid"}, scopes...)
}

// CustomSource returns the Source of a custom provider with an issuer.
func (s *Set) CustomSource(c Custom) *Source {
	return &Source{
		Provider: c.Name, EmailOptional: c.EmailOptional, issuer: c.Issuer, address: c.DiscoveryURL,
		audiences: append([]string{c.ClientID}, c.AcceptableClientIDs...), skipNonce: c.SkipNonceCheck,
		read: c.read, directory: s.custom, now: s.options.Now,
	}
}

// Discover fetches and checks the discovery document of a custom provider's issuer.
func (s *Set) Discover(ctx context.Context, issuer, address string) (openid.Discovery, error) {
	s.ClearCache()
	found, err := s.custom.find(ctx, issuer, address)
	if err != nil {
		return openid.Discovery{}, err
	}
	return found.Discovery, nil
}

// ClearCache clears the cache of custom providers' issuers. It must be called after a change.
func (s *Set) ClearCache() {
	s.custom.cache.Purge()
}

func fromCustom(ctx context.Context, p *Provider, tokens Tokens) (Profile, error) {
	if p.source != nil && tokens.id != "" {
		return fromIDToken(ctx, p, tokens)
	}
	if p.endpoints.api == "" {
		return Profile{}, errNoIDToken
	}
	profile, err := p.fetch(ctx, p.endpoints.api, tokens, nil)
	if err != nil {
		return Profile{}, err
	}
	return p.custom.read(p.custom.Issuer, profile), nil
}

// fixedClaims are never mapped, because they identify the user or state what was verified.
var fixedClaims = []string{"iss", "aud", "exp", "iat", "email_verified", "phone_verified", "provider_id", "custom_claims"}

// read maps a profile to a Profile. An email address mapped from another claim is not verified,
// because email_verified refers to the claim "email".
func (c Custom) read(issuer string, profile document) Profile {
	mapped := make(document, len(profile))
	for name, value := range profile {
		mapped[name] = value
	}
	for target, source := range c.Mapping {
		if slices.Contains(fixedClaims, target) || target == "sub" && c.Issuer != "" {
			continue
		}
		if name, ok := source.(string); !ok {
			mapped[target] = source
		} else if value, found := profile[name]; found {
			mapped[target] = value
		}
	}
	if !strings.EqualFold(mapped.text("email"), profile.text("email")) {
		delete(mapped, "email_verified")
	}
	found := readStandard(issuer, mapped)
	kept := claims{}
	for _, name := range c.ClaimsAllowlist {
		if value, ok := profile[name]; ok {
			kept[name] = value
		}
	}
	if len(kept) > 0 {
		found.claims["custom_claims"] = kept
	}
	return found
}

// ReservedParams are the parameters of an authorization request that only the server may set.
// Source: supabase/auth.
var ReservedParams = []string{
	"client_id", "client_secret", "redirect_uri", "response_type", "state", "code_challenge", "code_challenge_method", "code_verifier", "nonce",
}

// protectedFields are columns of an account that a mapping must not set. Source: supabase/auth.
var protectedFields = []string{
	"id", "aud", "role", "app_metadata", "created_at", "updated_at", "confirmed_at", "email_confirmed_at", "phone_confirmed_at",
	"email_verified", "phone_verified", "banned_until", "is_super_admin",
}

// Limits of the fields that an admin enters.
const (
	maxEntries = 50
	maxEntry   = 500 // characters
)

// Check validates the fields that an admin enters.
func (c Custom) Check() error {
	for name, value := range c.AuthorizationParams {
		if slices.Contains(ReservedParams, strings.ToLower(name)) {
			return fmt.Errorf("Cannot override reserved OAuth parameter: %s", Shorten(name))
		}
		if len(name)+len(value) > maxEntry {
			return errors.New("Authorization parameters are too long")
		}
	}
	for target, source := range c.Mapping {
		if slices.Contains(protectedFields, target) {
			return fmt.Errorf("Cannot map to protected system field: %s", target)
		}
		if encoded, err := json.Marshal(source); err != nil || len(target)+len(encoded) > maxEntry {
			return errors.New("attribute_mapping entries are too long")
		}
	}
	for _, name := range c.ClaimsAllowlist {
		if strings.TrimSpace(name) == "" {
			return errors.New("custom_claims_allowlist entries must be non-empty strings")
		}
	}
	for what, list := range map[string][]string{
		"acceptable_client_ids": c.AcceptableClientIDs, "scopes": c.Scopes, "custom_claims_allowlist": c.ClaimsAllowlist,
	} {
		if len(list) > maxEntries || slices.ContainsFunc(list, func(entry string) bool { return len(entry) > maxEntry }) {
			return fmt.Errorf("%s holds too much", what)
		}
	}
	if max(len(c.Mapping), len(c.AuthorizationParams)) > maxEntries {
		return errors.New("attribute_mapping and authorization_params hold 50 entries at most")
	}
	return nil
}
