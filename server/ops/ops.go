// Package ops answers what operators ask: is it alive, is it ready, what is it.
package ops

import (
	"context"
	"net/http"
	"time"

	"plaza/server/httpx"
)

// Version is set at build time: -ldflags "-X plaza/server/ops.Version=v1.2.3".
var Version = "dev"

// readyTimeout bounds the question to the database.
const readyTimeout = 2 * time.Second

// Pinger is what readiness asks.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Health says that the process answers.
func Health() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = httpx.WriteJSON(w, http.StatusOK, map[string]string{"name": "plaza", "version": Version})
	})
}

// Ready says whether requests can be served: 200, or 503 while the database
// does not answer.
func Ready(db Pinger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		status, state := http.StatusOK, "ready"
		if err := db.Ping(ctx); err != nil {
			status, state = http.StatusServiceUnavailable, "database unreachable"
		}
		_ = httpx.WriteJSON(w, status, map[string]string{"status": state})
	})
}

// Landing is the start page of a project without a client: where its API is.
func Landing(project string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_ = httpx.WriteJSON(w, http.StatusOK, map[string]any{
			"name": "plaza", "version": Version, "project": project,
			"api": []string{"/rest/v1", "/auth/v1", "/inbox", "/health", "/ready"},
		})
	})
}
