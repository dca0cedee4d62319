package app

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
)

// serveAlone serves one service, in the place of its container, until ctx ends or
// it cannot go on. Running requests may end.
func serveAlone(ctx context.Context, name string, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	server := newHTTPServer(handler, log)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	log.InfoContext(ctx, name+" listens", "address", listener.Addr().String(), "version", ops.Version)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return server.Shutdown(grace)
}

// openAlone brings a service's schema up to date and connects.
func openAlone(ctx context.Context, schema migrate.Source, c pg.Config) (*pg.DB, error) {
	if err := checkServer(ctx, c.ServiceURL); err != nil {
		return nil, err
	}
	report, err := migrate.Up(ctx, c.ServiceURL, []migrate.Source{schema}, nil)
	if err != nil {
		return nil, err
	}
	for _, warning := range report.Warnings {
		c.Log.WarnContext(ctx, warning)
	}
	c.CallerURL, c.AcquireTimeout = c.ServiceURL, 10*time.Second
	return pg.Open(ctx, c)
}
