// Package claims says who calls: it verifies and mints the JSON Web Tokens of
// the API and carries the result, the caller, through a request's context.
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

// Caller is who a request acts for. The zero value is nobody and may do nothing.
type Caller struct {
	Role      string    // database role the request runs as
	Subject   string    // sub: the user's id, empty for anon and service_role
	SessionID string    // session_id: the auth session behind the token, if any
	JSON      string    // all claims as a JSON object, as policies read them
	Expires   time.Time // zero: never
	ReadOnly  bool      // an OAuth client without the scope that lets it write
}

// WriteScope is the OAuth scope without which a client reads only.
const WriteScope = "write"

// ForRole is a caller without a user, as an API key alone makes.
func ForRole(role string) Caller {
	if known, ok := ofKeys[role]; ok {
		return known
	}
	return withoutUser(role)
}

// ofKeys are the callers that most requests come from.
var ofKeys = map[string]Caller{Anon: withoutUser(Anon), ServiceRole: withoutUser(ServiceRole)}

func withoutUser(role string) Caller {
	encoded, err := json.Marshal(map[string]string{"role": role})
	if err != nil {
		panic("claims: a string map always encodes: " + err.Error())
	}
	return Caller{Role: role, JSON: string(encoded)}
}

type contextKey struct{}

// WithCaller returns a context that carries the caller.
func WithCaller(ctx context.Context, who Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, who)
}

// FromContext returns the request's caller; ok is false where no key was checked.
func FromContext(ctx context.Context) (who Caller, ok bool) {
	who, ok = ctx.Value(contextKey{}).(Caller)
	return who, ok
}
