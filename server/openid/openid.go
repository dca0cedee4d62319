// Package openid fetches the documents that OpenID providers publish.
package openid

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxDocument is the largest document that is read, in bytes.
const maxDocument = 1 << 20

// Discovery is the discovery document of an OpenID provider.
// Source: OpenID Connect Discovery 1.0, section 3.
type Discovery struct {
	Issuer                 string   `json:"issuer"`
	AuthorizationEndpoint  string   `json:"authorization_endpoint"`
	TokenEndpoint          string   `json:"token_endpoint"`
	UserinfoEndpoint       string   `json:"userinfo_endpoint,omitempty"`
	JWKSURI                string   `json:"jwks_uri"`
	ScopesSupported        []string `json:"scopes_supported,omitempty"`
	ResponseTypesSupported []string `json:"response_types_supported,omitempty"`
	GrantTypesSupported    []string `json:"grant_types_supported,omitempty"`
	SubjectTypesSupported  []string `json:"subject_types_supported,omitempty"`
	Algorithms             []string `json:"id_token_signing_alg_values_supported,omitempty"`
}

// DiscoveryURL returns the standard address of an issuer's discovery document.
func DiscoveryURL(issuer string) string {
	return strings.TrimSuffix(issuer, "/") + "/.well-known/openid-configuration"
}

// Get fetches a JSON document and decodes it into value. Any status but 200 is an error.
func Get(ctx context.Context, client *http.Client, address string, value any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", address, err)
	case len(body) > maxDocument:
		return fmt.Errorf("%s has more than %d bytes", address, maxDocument)
	}
	if err := json.Unmarshal(body, value); err != nil {
		return fmt.Errorf("read %s: %w", address, err)
	}
	return nil
}
