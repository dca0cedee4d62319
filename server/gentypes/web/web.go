// Package web serves generated types over HTTP, as postgres-meta does for the tools of
// Supabase.
package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"

	"plaza/server/claims"
	"plaza/server/gentypes"
	"plaza/server/httpx"
)

// Generate writes the types of the server's database.
type Generate func(ctx context.Context, out io.Writer, o gentypes.Options) error

// Handler answers with the types of the schemas that a request's parameters name. Only the
// service role may ask, by its API key or a bearer token.
func Handler(auth *claims.Authenticator, generate Generate, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, problem := authorize(auth, r)
		if problem != "" {
			respond(w, r, log, status, map[string]string{"message": problem})
			return
		}
		var types bytes.Buffer
		if err := generate(r.Context(), &types, options(r)); err != nil {
			log.ErrorContext(r.Context(), "cannot generate types", "error", err)
			respond(w, r, log, http.StatusInternalServerError, map[string]string{"error": "cannot generate types"})
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if _, err := types.WriteTo(w); err != nil {
			log.DebugContext(r.Context(), "cannot send types", "error", err)
		}
	})
}

func respond(w http.ResponseWriter, r *http.Request, log *slog.Logger, status int, body any) {
	if err := httpx.WriteJSON(w, status, body); err != nil {
		log.DebugContext(r.Context(), "cannot send an error", "error", err)
	}
}

// authorize returns the problem of a request that is not the service role's.
func authorize(auth *claims.Authenticator, r *http.Request) (status int, problem string) {
	who, err := auth.Key(r)
	if bearer, ok, _ := auth.Bearer(r); err != nil && ok {
		who, err = bearer, nil
	}
	switch {
	case err != nil:
		return http.StatusUnauthorized, err.Error()
	case who.Role != claims.ServiceRole:
		return http.StatusForbidden, "only the service role may read the types"
	}
	return http.StatusOK, ""
}

// options reads the parameters of postgres-meta, and exact.
func options(r *http.Request) gentypes.Options {
	query := r.URL.Query()
	return gentypes.Options{
		Schemas:          list(query.Get("included_schemas")),
		Excluded:         list(query.Get("excluded_schemas")),
		Exact:            query.Get("exact") == "true",
		WithoutOneToOne:  query.Get("detect_one_to_one_relationships") != "true",
		PostgrestVersion: query.Get("postgrest_version"),
	}
}

func list(text string) (names []string) {
	for name := range strings.SplitSeq(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}
