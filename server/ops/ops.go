// Package ops provides health checks, metrics and traces for operators.
package ops

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"plaza/server/httpx"
)

// Version is set at build time: -ldflags "-X plaza/server/ops.Version=v1.2.3".
var Version = "dev"

// readyTimeout is the timeout of the database check.
const readyTimeout = 2 * time.Second

// Pinger checks whether the database is reachable.
type Pinger interface {
	Ping(ctx context.Context) error
}

// Health returns a handler that reports that the process is running.
func Health() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = httpx.WriteJSON(w, http.StatusOK, map[string]string{"name": "plaza", "version": Version})
	})
}

// Ready returns a handler that responds with 200 if requests can be served, and with
// 503 while the database is unreachable or the server is about to stop. parts has
// functions that return the state of a part of the server, by name. The states are in the
// body and do not change the status.
func Ready(db Pinger, stopping func() bool, parts map[string]func() string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		status, state := http.StatusOK, "ready"
		if stopping() {
			status, state = http.StatusServiceUnavailable, "stopping"
		} else if err := db.Ping(ctx); err != nil {
			status, state = http.StatusServiceUnavailable, "database unreachable"
		}
		body := map[string]string{"status": state}
		for part, stateOf := range parts {
			body[part] = stateOf()
		}
		_ = httpx.WriteJSON(w, status, body)
	})
}

// Landing returns the handler of the start page for a project without a client. It
// lists the paths of the API and of pages that mux serves now.
func Landing(project string, mux *http.ServeMux) http.Handler {
	var served []string
	for _, path := range []string{"/rest/v1", "/auth/v1", "/docs", "/inbox", "/health", "/ready"} {
		if _, pattern := mux.Handler(&http.Request{Method: http.MethodGet, URL: &url.URL{Path: path}}); pattern != "" {
			served = append(served, path)
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		_ = httpx.WriteJSON(w, http.StatusOK, map[string]any{
			"name": "plaza", "version": Version, "project": project,
			"api": served,
		})
	})
}
