package oauth

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Types of clients.
const (
	Public       = "public"
	Confidential = "confidential"
)

// Limits of a client. Source: supabase/auth.
const (
	maxRedirects  = 10
	maxClientName = 1024
)

// Client is an OAuth client: an app that users sign in to with their account here.
type Client struct {
	ID               string    `json:"client_id"`
	Secret           string    `json:"client_secret,omitempty"` // only in the response that created it
	SecretExpires    *int64    `json:"client_secret_expires_at,omitempty"`
	Type             string    `json:"client_type"`
	RedirectURIs     []string  `json:"redirect_uris"`
	AuthMethod       string    `json:"token_endpoint_auth_method"`
	GrantTypes       []string  `json:"grant_types"`
	ResponseTypes    []string  `json:"response_types"`
	Name             string    `json:"client_name,omitempty"`
	URI              string    `json:"client_uri,omitempty"`
	LogoURI          string    `json:"logo_uri,omitempty"`
	RegistrationType string    `json:"registration_type"`
	CreatedAt        time.Time `json:"created_at"`
	UpdatedAt        time.Time `json:"updated_at"`

	SecretHash string `json:"-"` // empty for a public client
}

// Registration has the fields of a new client, or the fields of a client to change.
type Registration struct {
	Type         string    `json:"client_type"`
	AuthMethod   *string   `json:"token_endpoint_auth_method"`
	RedirectURIs *[]string `json:"redirect_uris"`
	GrantTypes   *[]string `json:"grant_types"`
	Name         *string   `json:"client_name"`
	URI          *string   `json:"client_uri"`
	LogoURI      *string   `json:"logo_uri"`
}

// Empty reports whether the registration changes nothing.
func (r Registration) Empty() bool {
	return r.AuthMethod == nil && r.RedirectURIs == nil && r.GrantTypes == nil && r.Name == nil && r.URI == nil && r.LogoURI == nil
}

// NewClient returns a client for a registration. The caller sets its id, and its secret with
// SetNewSecret.
func NewClient(params Registration) (*Client, error) {
	c := &Client{Type: params.Type, GrantTypes: GrantTypes, ResponseTypes: []string{"code"}}
	method := ""
	if params.AuthMethod != nil {
		method = *params.AuthMethod
	}
	switch {
	case params.RedirectURIs == nil:
		return nil, fmt.Errorf("redirect_uris is required")
	case c.Type == "" && method == None:
		c.Type = Public
	case c.Type == "":
		c.Type = Confidential
	case c.Type != Public && c.Type != Confidential:
		return nil, fmt.Errorf("client_type must be 'public' or 'confidential'")
	}
	if method == "" {
		method = Basic // RFC 7591, section 2
		if c.Type == Public {
			method = None
		}
	}
	if params.GrantTypes != nil && len(*params.GrantTypes) == 0 {
		params.GrantTypes = nil
	}
	params.AuthMethod = &method
	return c, c.Change(params)
}

// Change applies a registration to the client. Absent fields keep their values. The type never
// changes.
func (c *Client) Change(params Registration) error {
	if params.RedirectURIs != nil {
		if err := checkRedirects(*params.RedirectURIs); err != nil {
			return err
		}
		c.RedirectURIs = *params.RedirectURIs
	}
	if params.GrantTypes != nil {
		if err := checkGrantTypes(*params.GrantTypes); err != nil {
			return err
		}
		c.GrantTypes = *params.GrantTypes
	}
	if method := params.AuthMethod; method != nil {
		switch {
		case !slices.Contains(AuthMethods, *method):
			return fmt.Errorf("token_endpoint_auth_method must be one of: %s", strings.Join(AuthMethods, ", "))
		case (*method == None) != (c.Type == Public):
			return fmt.Errorf("token_endpoint_auth_method '%s' is not valid for client_type '%s'", *method, c.Type)
		}
		c.AuthMethod = *method
	}
	if params.Name != nil {
		if utf8.RuneCountInString(*params.Name) > maxClientName || !isPlainText(*params.Name) {
			return fmt.Errorf("client_name cannot exceed 1024 characters or contain control characters")
		}
		c.Name = *params.Name
	}
	for _, address := range []struct {
		name  string
		asked *string
		into  *string
	}{{"client_uri", params.URI, &c.URI}, {"logo_uri", params.LogoURI, &c.LogoURI}} {
		if address.asked == nil {
			continue
		}
		if err := checkPage(*address.asked); err != nil {
			return fmt.Errorf("%s %w", address.name, err)
		}
		*address.into = *address.asked
	}
	return nil
}

func checkRedirects(addresses []string) error {
	switch {
	case len(addresses) == 0:
		return fmt.Errorf("redirect_uris cannot be empty")
	case len(addresses) > maxRedirects:
		return fmt.Errorf("redirect_uris cannot exceed %d items", maxRedirects)
	}
	for i, address := range addresses {
		if err := CheckRedirect(address); err != nil {
			return fmt.Errorf("invalid redirect_uri at position %d: %w", i+1, err)
		}
	}
	return nil
}

func checkGrantTypes(types []string) error {
	if len(types) == 0 {
		return fmt.Errorf("grant_types cannot be empty")
	}
	for i, name := range types {
		if !slices.Contains(GrantTypes, name) || slices.Contains(types[:i], name) {
			return fmt.Errorf("grant_types must only contain 'authorization_code' and/or 'refresh_token'")
		}
	}
	return nil
}

// checkPage checks a URL that users are shown as a link or a picture. Only http and https are
// allowed, so that the URL cannot run a script; upstream does not check this.
func checkPage(address string) error {
	if address == "" {
		return nil
	}
	if utf8.RuneCountInString(address) > maxURI {
		return fmt.Errorf("cannot exceed %d characters", maxURI)
	}
	parsed, err := url.Parse(address)
	if err != nil || !isPlainText(address) || parsed.Scheme != "https" && parsed.Scheme != "http" || parsed.Host == "" {
		return fmt.Errorf("must be a valid URL")
	}
	return nil
}

// HasRedirectURI reports whether an address is exactly one of the client's registered redirect URIs.
func (c *Client) HasRedirectURI(address string) bool { return slices.Contains(c.RedirectURIs, address) }

// secretBytes is the number of random bytes in a secret.
const secretBytes = 32

// NewSecret returns a random secret of 43 base64url characters.
func NewSecret() string {
	var random [secretBytes]byte
	rand.Read(random[:])
	return base64.RawURLEncoding.EncodeToString(random[:])
}

// Hash returns the stored hash of a secret made by NewSecret.
func Hash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// SetNewSecret sets a new secret for a confidential client. It is shown once.
func (c *Client) SetNewSecret() {
	never := int64(0)
	c.Secret, c.SecretExpires = NewSecret(), &never
	c.SecretHash = Hash(c.Secret)
}

// errCredentials is the error for an unknown client and for a wrong secret.
var errCredentials = &Error{InvalidClient, "Invalid client credentials"}

// Authenticate checks a client's credentials and that they use its registered authentication
// method. A nil client means an unknown one; the check takes the same time.
func (c *Client) Authenticate(credentials Credentials) error {
	known := c
	if known == nil {
		known = &Client{AuthMethod: credentials.Method, Type: Confidential}
	}
	matches := subtle.ConstantTimeCompare([]byte(Hash(credentials.Secret)), []byte(known.SecretHash)) == 1
	switch {
	case c == nil:
		return errCredentials
	case credentials.Method != c.AuthMethod:
		return &Error{InvalidClient, "The client is registered for another authentication method than '" + credentials.Method + "'"}
	case c.Type == Confidential && !matches:
		return errCredentials
	}
	return nil
}
