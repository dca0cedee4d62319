// Package oauth holds the rules of OAuth 2.1 and OpenID Connect for a server
// that signs people in to other apps: what a client may be, ask for and show.
// It touches neither network nor database.
package oauth

import (
	"slices"
	"strings"

	"plaza/server/claims"
)

// Error is a refusal in the words of OAuth. Source: RFC 6749, sections 4.1.2.1
// and 5.2; RFC 8707 for invalid_target; OpenID Connect Core, section 3.1.2.6.
type Error struct {
	Code        string `json:"error"`
	Description string `json:"error_description,omitempty"`
}

// Error joins code and description, for logs.
func (e *Error) Error() string { return e.Code + ": " + e.Description }

// Codes of errors.
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

// Scopes that a client may ask for. Source: supabase/auth.
const (
	OpenID        = "openid"
	Profile       = "profile"
	Email         = "email"
	Phone         = "phone"
	OfflineAccess = "offline_access"
)

// Scopes are all that there are. The last one is ours: without it a client only reads.
var Scopes = []string{OpenID, Profile, Email, Phone, OfflineAccess, claims.WriteScope}

// Scope is what a client was granted, each one once.
type Scope []string

// ParseScope reads names separated by spaces.
func ParseScope(text string) Scope {
	var scope Scope
	for _, name := range strings.Fields(text) {
		if !slices.Contains(scope, name) {
			scope = append(scope, name)
		}
	}
	return scope
}

// String separates the names by spaces.
func (s Scope) String() string { return strings.Join(s, " ") }

// Has reports whether a name is among them.
func (s Scope) Has(name string) bool { return slices.Contains(s, name) }

// Covers reports whether all of other are among them.
func (s Scope) Covers(other Scope) bool {
	return !slices.ContainsFunc(other, func(name string) bool { return !s.Has(name) })
}

// With are these and those of other.
func (s Scope) With(other Scope) Scope { return ParseScope(s.String() + " " + other.String()) }

// Grant types.
const (
	AuthorizationCode = "authorization_code"
	RefreshToken      = "refresh_token"
)

// GrantTypes are all that there are.
var GrantTypes = []string{AuthorizationCode, RefreshToken}

// Ways for a client to authenticate at the token endpoint.
const (
	Basic = "client_secret_basic"
	Post  = "client_secret_post"
	None  = "none"
)

// AuthMethods are all that there are.
var AuthMethods = []string{Basic, Post, None}
