package app

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"plaza/server/app/restlog"
	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/httpx"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/rest"
)

// listen opens the API's listener and serves requests on it.
func (s *standalone) listen(server webServer, cfg config.Standalone) error {
	listener, err := cfg.Listen()
	if err != nil {
		return fmt.Errorf("cannot listen: %w; stop what uses the address or set PGRST_SERVER_PORT", err)
	}
	address := listener.Addr()
	s.address.Store(&address)
	s.log.Info("API listening", "address", address.String())
	go func() { s.failed <- server.Serve(listener) }()
	return nil
}

// listenWhenLoaded listens once the schema is loaded. Before that, the kernel would
// send this process requests that others on the shared port could handle.
func (s *standalone) listenWhenLoaded(ctx context.Context, server webServer, cfg config.Standalone) {
	select {
	case <-ctx.Done():
		return
	case <-s.loaded:
	}
	if err := s.listen(server, cfg); err != nil {
		s.failed <- err
	}
}

// listenAddress returns the address on which the API listens, or nil.
func (s *standalone) listenAddress() net.Addr {
	if address := s.address.Load(); address != nil {
		return *address
	}
	return nil
}

func (s *standalone) webServer(cfg config.Standalone) webServer {
	access := &restlog.Access{Out: os.Stdout, Notices: restlog.New(os.Stderr, slog.LevelDebug), Level: &s.level}
	name := "postgrest/" + postgREST()
	timeout := time.Duration(cfg.Rest.AcquireTimeout)
	var api http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Server", name)
		s.current(r.Context(), timeout).ServeHTTP(w, r)
	})
	api = s.meters.requests.Instrument("rest", api)
	tracer := s.meters.tracer
	return newWebServer(tracer.Wrap(httpx.ObserveWith(s.log, time.Now, api, access.Write, s.meters.requests.Count, tracer.Record)), cfg.NetHTTP, s.log)
}

// current returns the handler for a request: the API, or 503 until the schema is
// loaded. Requests that arrive during the first attempt to load it wait for the result.
func (s *standalone) current(ctx context.Context, timeout time.Duration) http.Handler {
	if api := s.handler.Load(); api != nil {
		return *api
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-s.tried:
	case <-s.loaded:
	case <-timer.C:
	case <-ctx.Done():
	}
	if api := s.handler.Load(); api != nil {
		return *api
	}
	return s.starting
}

// warnDeprecated logs a warning about settings with a deprecated syntax.
func (s *standalone) warnDeprecated(cfg config.Standalone) {
	if path := cfg.RoleClaim; path.IsDeprecated() {
		s.log.Warn("deprecated role claim key", "path", path.String())
		s.log.Warn("deprecated role claim key to change", "path", path.String())
	}
}

// serveAdmin starts the admin server, if it is configured. stop stops it.
func (s *standalone) serveAdmin(cfg config.Standalone) (stop func(), err error) {
	if !cfg.HasAdmin() {
		return func() {}, nil
	}
	listener, err := cfg.ListenAdmin()
	if err != nil {
		return nil, fmt.Errorf("the admin server cannot listen: %w; stop what uses the port or set PGRST_ADMIN_SERVER_PORT", err)
	}
	s.meters.add(postgrestMetrics(func() (pg.PoolStats, rest.Stats, claims.CacheStats) {
		if api := s.api.Load(); api != nil {
			return s.db.Stats().Callers, api.Stats(), s.cache.Load().Stats()
		}
		return pg.PoolStats{Max: int(cfg.Rest.Pool)}, rest.Stats{}, claims.CacheStats{} // not connected yet
	}))
	return serveAdmin(listener, ops.Admin{
		Address: s.listenAddress,
		Ready: func(ctx context.Context) bool {
			api := s.api.Load()
			return api != nil && api.Ready(ctx)
		},
		Schema: func() any {
			if api := s.api.Load(); api != nil {
				return api.Snapshot()
			}
			return nil
		},
		Metrics: s.meters.registry,
	}, s.log), nil
}
