// Package functions serves the project's named functions under
// /functions/v1/{name}, as supabase.functions.invoke calls them. A function is
// one file in a feature's folder and one line in the list that the project
// passes to Handler.
package functions

import (
	"context"
	"net/http"

	"github.com/jackc/pgx/v5"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/invoke"
	"plaza/server/pg"
	"plaza/server/project"
)

// Func is one named function. It handles any method, also on paths below its name
// (/functions/v1/{name}/{rest...}), and may stream its response. An *apierr.Error that it
// returns is shown to the client; any other error and a panic become a 500 without details.
type Func struct {
	Name  string
	Serve httpx.Handler
	// Open allows calls without a token. Their caller is anon.
	Open bool
	// Limits are the function's own limits. A zero field means the default.
	Limits invoke.Limits
}

// Handler serves a list of functions under a prefix such as "/functions/v1". Names that
// are not in the list are looked up in parts.Functions.
func Handler(prefix string, parts project.Parts, list ...Func) http.Handler {
	byName := make(map[string]invoke.Function, len(list))
	for _, f := range list {
		byName[f.Name] = f.invocable(parts.DB)
	}
	find := []invoke.Find{func(name string) (invoke.Function, bool) {
		f, ok := byName[name]
		return f, ok
	}}
	if parts.Functions != nil {
		find = append(find, parts.Functions)
	}
	return invoke.New(parts.Auth, parts.Log, parts.Now, find...).Counted(parts.Calls).Routes(prefix)
}

func (f Func) invocable(db *pg.DB) invoke.Function {
	access := invoke.Required
	if f.Open {
		access = invoke.Optional
	}
	return invoke.Function{Access: access, Limits: f.Limits, Serve: func(w http.ResponseWriter, r *http.Request) error {
		who, _ := claims.FromContext(r.Context())
		return f.Serve(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, Clients{db: db, who: who})))
	}}
}

type contextKey struct{}

// Clients gives a function access to the database, as its caller or as the service.
type Clients struct {
	db  *pg.DB
	who claims.Caller
}

// ClientsOf returns the Clients of a call, from its request's context.
func ClientsOf(ctx context.Context) Clients {
	clients, _ := ctx.Value(contextKey{}).(Clients)
	return clients
}

// Caller returns the caller of the function.
func (c Clients) Caller() claims.Caller { return c.who }

// Query runs one statement as the caller, so row-level security applies. args are in text
// form; nil is NULL. scan is called for each row, with values in text form that are valid
// only during the call.
//
// Errors: *apierr.Error from the database.
func (c Clients) Query(ctx context.Context, sql string, args [][]byte, scan func(row [][]byte) error) error {
	_, err := c.db.QueryAsCaller(ctx, c.who, pg.Settings{}, pg.Statement{SQL: sql, Args: args}, scan)
	return err
}

// AsService runs fn in a transaction as service_role, which bypasses row-level security.
func (c Clients) AsService(ctx context.Context, fn func(tx pgx.Tx) error) error {
	return c.db.AsService(ctx, pg.ServiceRole, fn)
}
