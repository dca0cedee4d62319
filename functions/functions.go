// Package functions serves named server functions under /functions/v1/{name},
// as supabase.functions.invoke calls them. A function is one file in a feature's
// folder and one line in the list that the project gives to Handler.
package functions

import (
	"net/http"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
)

// maxBody is the largest request body a function is given, in bytes.
const maxBody = 6 << 20

// Func is one named function.
type Func struct {
	Name  string
	Serve httpx.Handler
	// Open lets it be called without a token. The caller is anon then.
	Open bool
}

var adapter = httpx.Adapter{
	Render: func(w http.ResponseWriter, _ *http.Request, e *apierr.Error) {
		_ = httpx.WriteJSON(w, e.Status, map[string]string{"code": e.Code, "message": e.Message})
	},
	Internal: apierr.New(http.StatusInternalServerError, "function_failed", "The function failed. The details are in the server's log."),
}

// Handler serves a list of functions under a prefix such as "/functions/v1".
func Handler(prefix string, auth *claims.Authenticator, list ...Func) http.Handler {
	byName := make(map[string]Func, len(list))
	for _, f := range list {
		byName[f.Name] = f
	}
	routes := http.NewServeMux()
	routes.Handle(prefix+"/{name}", adapter.Handle(func(w http.ResponseWriter, r *http.Request) error {
		f, ok := byName[r.PathValue("name")]
		if !ok {
			return apierr.New(http.StatusNotFound, "function_not_found", "Requested function was not found")
		}
		who, err := caller(r, auth, f.Open)
		if err != nil {
			return err
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		return f.Serve(w, httpx.SetCaller(r, who))
	}))
	return httpx.CORS([]string{"X-Request-Id"}, routes)
}

// caller is the bearer token's, or the API key's, or for an open function anon.
func caller(r *http.Request, auth *claims.Authenticator, open bool) (claims.Caller, error) {
	who, ok, err := auth.Bearer(r)
	if err != nil {
		return who, apierr.New(http.StatusUnauthorized, "invalid_jwt", "Invalid JWT").WithCause(err)
	}
	if ok {
		return who, nil
	}
	if who, err = auth.Key(r); err == nil {
		return who, nil
	}
	if open {
		return claims.ForRole(claims.Anon), nil
	}
	return who, apierr.New(http.StatusUnauthorized, "missing_authorization", "Missing authorization header").WithCause(err)
}
