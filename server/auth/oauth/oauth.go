// Package oauth validates the clients and requests of an OAuth 2.1 and OpenID Connect
// provider. It uses neither the network nor the database.
package oauth

import (
	"slices"
	"strings"

	"plaza/server/claims"
)

// Error is an OAuth error response. Source: RFC 6749, sections 4.1.2.1 and 5.2; RFC 8707 for
// invalid_target; OpenID Connect Core, section 3.1.2.6.
type Error struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

// Error returns code and description, for logs.
func (e *Error) Error() string { return e.Code + ": " + e.Description }

// Error codes.
const (
	InvalidRequest          = "invalid_request"
	InvalidClient           = "invalid_client"
	InvalidGrant            = "invalid_grant"
	InvalidScope            = "invalid_scope"
	InvalidTarget           = "invalid_target"
	UnauthorizedClient      = "unauthorized_client"
	UnsupportedGrantType    = "unsupported_grant_type"
	UnsupportedResponseType = "unsupported_response_type"
	RequestNotSupported     = "request_not_supported"
	RequestURINotSupported  = "request_uri_not_supported"
	AccessDenied            = "access_denied"
	ServerError             = "server_error"
)

// Scopes that a client may request. Source: supabase/auth.
const (
	OpenID        = "openid"
	Profile       = "profile"
	Email         = "email"
	Phone         = "phone"
	OfflineAccess = "offline_access"
)

// Scopes are all supported scopes. The last one is not in upstream: without it a client can
// only read.
var Scopes = []string{OpenID, Profile, Email, Phone, OfflineAccess, claims.WriteScope}

// Scope is a list of scope names without duplicates.
type Scope []string

// ParseScope parses names separated by spaces.
func ParseScope(text string) Scope {
	var scope Scope
	for _, name := range strings.Fields(text) {
		if !slices.Contains(scope, name) {
			scope = append(scope, name)
		}
	}
	return scope
}

// String returns the names separated by spaces.
func (s Scope) String() string { return strings.Join(s, " ") }

// Has reports whether s contains a name.
func (s Scope) Has(name string) bool { return slices.Contains(s, name) }

// ContainsAll reports whether s contains all names of other.
func (s Scope) ContainsAll(other Scope) bool {
	return !slices.ContainsFunc(other, func(name string) bool { return !s.Has(name) })
}

// Union returns the union of s and other.
func (s Scope) Union(other Scope) Scope { return ParseScope(s.String() + " " + other.String()) }

// Grant types.
const (
	AuthorizationCode = "authorization_code"
	RefreshToken      = "refresh_token"
)

// GrantTypes are all supported grant types.
var GrantTypes = []string{AuthorizationCode, RefreshToken}

// Authentication methods of clients at the token endpoint.
const (
	Basic = "client_secret_basic"
	Post  = "client_secret_post"
	None  = "none"
)

// AuthMethods are all supported authentication methods.
var AuthMethods = []string{Basic, Post, None}
