package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"plaza/server/gc"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/migrate"
)

// service is a single service that runs in place of its upstream container.
type service struct {
	name            string
	listener, admin net.Listener // admin is nil if there is no admin server
	db              *pg.DB
	meters          *meters
	netHTTP         bool // as config.Config.NetHTTP
}

// listenService listens on the addresses of a service and of its admin server, which is
// not started if admin is empty. port is the name of the service's port setting, for errors.
func listenService(name, address, admin, port string, tracer *ops.Tracer) (service, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return service{}, fmt.Errorf("cannot listen: %w; stop what uses the port or set %s", err, port)
	}
	s := service{name: name, listener: listener, meters: newMeters(tracer)}
	if s.admin, err = listenAdmin(admin); err != nil {
		return service{}, errors.Join(err, s.close())
	}
	return s, nil
}

// close closes the listeners, if the service does not start.
func (s service) close() error {
	err := s.listener.Close()
	if s.admin != nil {
		err = errors.Join(err, s.admin.Close())
	}
	return err
}

// open migrates the service's schema and connects to the database.
func (s *service) open(ctx context.Context, schema migrate.Source, c pg.Config) (err error) {
	c.Name, c.Trace = "plaza "+s.name, s.meters.statements()
	if s.db, err = openServiceDB(ctx, schema, c); err == nil {
		s.meters.add(poolMetrics(s.db))
	}
	return err
}

// serve serves the service until ctx ends or the server fails. It then waits for
// running requests, up to stopTimeout.
func (s service) serve(ctx context.Context, handler http.Handler, log *slog.Logger) error {
	server := newWebServer(s.meters.observe(log, handler), s.netHTTP, log)
	defer s.meters.tracer.Close(ctx)
	if s.admin != nil {
		defer serveAdmin(s.admin, ops.Admin{Address: s.listener.Addr, Ready: pingReady(s.db), Metrics: s.meters.registry}, log)()
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(s.listener) }()
	go gc.Tune()
	log.InfoContext(ctx, s.name+" listening", "address", s.listener.Addr().String(), "version", ops.Version)
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	return server.Shutdown(grace)
}

// runJobs returns a function that runs the service's background jobs until its context ends. The database
// has no table for leaders of jobs, so each server runs them. Row locks keep two servers from processing the
// same row.
func (s service) runJobs(log *slog.Logger, all []jobs.Job) func(context.Context) {
	runner := jobs.New(jobs.Options{Log: log, Now: time.Now})
	runner.Add(all...)
	s.meters.add(jobMetrics(runner))
	return runner.Run
}

// openServiceDB migrates a service's schema and connects to the database.
func openServiceDB(ctx context.Context, schema migrate.Source, c pg.Config) (*pg.DB, error) {
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
