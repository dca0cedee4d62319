package app

import (
	"context"
	"net/http"
	"time"
)

// Drain tells proxies to use other servers: /ready responds with 503, and each response ends its
// connection. Requests are served meanwhile. It returns after PLAZA_DRAIN.
func (a *App) Drain() {
	if a.cfg.Drain <= 0 {
		return
	}
	a.draining.Store(true)
	time.Sleep(a.cfg.Drain)
}

// endConnections makes the responses of a draining server the last ones of their connections. A proxy
// that sends a request on a kept connection while that is closed cannot know whether the request
// was handled.
func (a *App) endConnections(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.draining.Load() {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// readyWith returns a check for the admin server that fails while the server is draining.
func (a *App) readyWith(check func(context.Context) bool) func(context.Context) bool {
	return func(ctx context.Context) bool { return !a.draining.Load() && check(ctx) }
}
