// Package claims identifies the caller of a request. It verifies and mints the JSON Web Tokens of
// the API and carries the caller through the request's context.
package claims

import (
	"context"
	"encoding/json"
	"time"
)

// The roles of the API. A token may name another role of the database, too.
const (
	Anon          = "anon"
	Authenticated = "authenticated"
	ServiceRole   = "service_role"
)

// Caller is the identity that a request acts for. The zero value has no permissions.
type Caller struct {
	Role      string    // database role the request runs as
	Subject   string    // sub: the user's id, empty for anon and service_role
	SessionID string    // session_id: the auth session behind the token, if any
	JSON      string    // all claims as a JSON object, for row-level security policies
	Expires   time.Time // zero: never
	ReadOnly  bool      // an OAuth client without WriteScope
	Issuer    string    // of a token of a third-party issuer; empty: the token is the project's own
}

// WriteScope is the OAuth scope that allows a client to write.
const WriteScope = "write"

// ForRole returns a caller without a user, as for a request with only an API key.
func ForRole(role string) Caller {
	if known, ok := keyCallers[role]; ok {
		return known
	}
	return newRoleCaller(role)
}

// keyCallers are the callers of API keys, encoded once because most requests use them.
var keyCallers = map[string]Caller{Anon: newRoleCaller(Anon), ServiceRole: newRoleCaller(ServiceRole)}

func newRoleCaller(role string) Caller {
	encoded, err := json.Marshal(map[string]string{"role": role})
	if err != nil {
		panic("claims: cannot encode role: " + err.Error())
	}
	return Caller{Role: role, JSON: string(encoded)}
}

type contextKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, who Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, who)
}

// FromContext returns the request's caller. ok is false if no key was checked.
func FromContext(ctx context.Context) (who Caller, ok bool) {
	who, ok = ctx.Value(contextKey{}).(Caller)
	return who, ok
}
