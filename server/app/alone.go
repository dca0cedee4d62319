package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
)

// alone is one service, in the place of its container.
type alone struct {
	name            string
	listener, admin net.Listener // admin is nil where there is no admin server
	db              *pg.DB
	meters          *meters
	netHTTP         bool // as config.Config.NetHTTP
}

// listenAlone takes the addresses of a service and of its admin server, which may
// be none. port names the setting of the former.
func listenAlone(name, address, admin, port string, tracer *ops.Tracer) (alone, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return alone{}, fmt.Errorf("cannot listen: %w; stop what uses the port or set %s", err, port)
	}
	s := alone{name: name, listener: listener, meters: newMeters(tracer)}
	if s.admin, err = listenAdmin(admin); err != nil {
		return alone{}, errors.Join(err, s.close())
	}
	return s, nil
}

// close gives the addresses back, where nothing is served.
func (s alone) close() error {
	err := s.listener.Close()
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	return err
}

// open brings the service's schema up to date and connects.
func (s *alone) open(ctx context.Context, schema migrate.Source, c pg.Config) (err error) {
	c.Name, c.Trace = "plaza "+s.name, s.meters.statements()
	if s.db, err = openAlone(ctx, schema, c); err == nil {
		s.meters.add(poolNumbers(s.db))
	}
	return err
}

// serveAlone serves one service until ctx ends or
// it cannot go on. Running requests may end.
func serveAlone(ctx context.Context, s alone, handler http.Handler, log *slog.Logger) error {
	server := newWebServer(s.meters.watch(log, handler), s.netHTTP, log)
	defer s.meters.tracer.Close(ctx)
	if s.admin != nil {
		defer serveAdmin(s.admin, ops.Admin{Address: s.listener.Addr, Ready: pinged(s.db), Metrics: s.meters.registry}, log)()
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.listener) }()
	go debug.FreeOSMemory() // as App.start
	log.InfoContext(ctx, s.name+" listens", "address", s.listener.Addr().String(), "version", ops.Version)
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
