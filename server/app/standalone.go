package app

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/app/reload"
	"plaza/server/app/restlog"
	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/gc"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/pg/embedded"
	"plaza/server/rest"
	"plaza/server/rest/identify"
	"plaza/server/rest/schema"
	restsettings "plaza/server/rest/settings"
)

// schemaPool is the maximum number of connections that load the schema and listen.
const schemaPool = 2

// postgREST returns the compatible PostgREST version and the version of Plaza.
func postgREST() string { return restsettings.Version + " (plaza " + ops.Version + ")" }

// standalone is the data API without other services, in place of a postgrest binary.
type standalone struct {
	from   config.Sources
	log    *slog.Logger
	failed chan error // receives fatal errors
	level  slog.LevelVar

	tried    chan struct{} // closed after the first attempt to load the schema has failed
	loaded   chan struct{} // closed when the schema is loaded
	starting http.Handler  // handles requests until then
	handler  atomic.Pointer[http.Handler]
	address  atomic.Pointer[net.Addr] // where the API listens; nil before that

	cache  atomic.Pointer[claims.Cache]
	api    atomic.Pointer[rest.Server] // nil until the database is available
	db     *pg.DB
	meters *meters
}

// ServeRest serves only the data API, at /, until ctx ends or the server fails. It
// responds with 503 until the database is available.
//
// SIGUSR1 reloads the schema, SIGUSR2 the settings.
func ServeRest(ctx context.Context, from config.Sources) error {
	cfg, err := config.LoadStandalone(from)
	if err != nil {
		return err
	}
	from.URI = cfg.URI
	s := newStandalone(from, cfg)
	s.log.Info("starting", "version", postgREST())
	tracer, err := ops.NewTracer(ctx, cfg.Tracing, s.log)
	if err != nil {
		return err
	}
	defer tracer.Close(ctx)
	s.meters = newMeters(tracer)
	for _, ignored := range cfg.Ignored {
		s.log.Warn(ignored)
	}
	s.warnDeprecated(cfg)
	return s.serve(ctx, cfg)
}

func newStandalone(from config.Sources, cfg config.Standalone) *standalone {
	s := &standalone{
		from: from, failed: make(chan error, 3), tried: make(chan struct{}), loaded: make(chan struct{}), starting: rest.Starting(cfg.Rest),
	}
	s.level.Set(cfg.Level())
	s.log = restlog.New(os.Stderr, &s.level)
	return s
}

// serve listens, connects and serves requests until shutdown. It then accepts no new
// connections, closes idle ones and waits for running requests, up to stopTimeout.
func (s *standalone) serve(ctx context.Context, cfg config.Standalone) error {
	server := s.webServer(cfg)
	if !cfg.ReusePort {
		if err := s.listen(server, cfg); err != nil {
			return err
		}
	}
	admin, err := s.serveAdmin(cfg)
	if err != nil {
		return errors.Join(err, server.Close())
	}
	defer admin()
	background, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.run(background, cfg); err != nil {
			s.failed <- err
		}
	})
	if cfg.ReusePort {
		running.Go(func() { s.listenWhenLoaded(background, server, cfg) })
	}
	err = s.wait(ctx)
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTimeout)
	defer cancel()
	stopErr := server.Shutdown(grace)
	stop()
	running.Wait()
	return errors.Join(err, stopErr)
}

// wait handles signals until the server must stop.
func (s *standalone) wait(ctx context.Context) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, reload.Schema, reload.Config, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(signals)
	for {
		select {
		case err := <-s.failed:
			return err
		case <-ctx.Done():
			select {
			case received := <-signals:
				s.handleSignal(received)
			default:
			}
			return nil
		case received := <-signals:
			s.handleSignal(received)
			if received == syscall.SIGTERM || received == syscall.SIGINT {
				return nil
			}
		}
	}
}

func (s *standalone) handleSignal(received os.Signal) {
	api := s.api.Load()
	switch {
	case received == syscall.SIGTERM:
		s.log.Info("termination signal received", "signal", "SIGTERM")
	case received == syscall.SIGINT:
		s.log.Info("termination signal received", "signal", "SIGINT")
	case api == nil: // schema and settings are still to be loaded
	case received == reload.Schema:
		api.RequestSchema()
	case received == reload.Config:
		api.RequestConfig()
	}
}

// run connects, serves requests, and keeps schema and settings up to date until ctx ends.
func (s *standalone) run(ctx context.Context, cfg config.Standalone) error {
	api, err := s.open(ctx, cfg)
	if api == nil || err != nil {
		return err
	}
	defer s.db.Close()
	routes := api.Routes("")
	s.meters.add(poolMetrics(s.db), restMetrics(api))
	s.api.Store(api)
	go gc.Tune()
	s.handler.Store(&routes)
	close(s.loaded)
	err = api.Watch(ctx)
	if errors.Is(err, rest.ErrLost) {
		s.log.Error("no recovery")
	}
	return err
}

// maxReconnectWait is the maximum delay between attempts to connect to the database.
// Source: PostgREST doubles the delay from one second to 32.
const maxReconnectWait = 32 * time.Second

// open connects and loads the schema. It retries until it succeeds or ctx ends; in the
// latter case it returns neither a server nor an error.
func (s *standalone) open(ctx context.Context, cfg config.Standalone) (*rest.Server, error) {
	var first sync.Once
	for wait := time.Second; ; wait = min(2*wait, maxReconnectWait) {
		api, err := s.tryOpen(ctx, cfg)
		if err != nil {
			first.Do(func() { close(s.tried) })
		}
		switch {
		case err == nil:
			return api, nil
		case ctx.Err() != nil:
			return nil, nil
		case isAuthError(err):
			s.log.Error("database login failed", "error", err)
			return nil, errors.New("the database refuses the user or password of PGRST_DB_URI")
		case errors.Is(err, embedded.ErrVersion), errors.As(err, new(*pgconn.ParseConfigError)):
			return nil, err
		}
		s.log.Error("cannot connect", "error", err)
		if !cfg.Rest.Recovery {
			s.log.Error("no recovery")
			return nil, errors.New("the database cannot be used, and automatic recovery is disabled")
		}
		s.log.Error("reconnecting", "retry_in_seconds", wait.Seconds())
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return nil, nil
		}
	}
}

// isAuthError reports whether PostgreSQL rejected the user or password, so that a
// retry is useless.
func isAuthError(err error) bool {
	var pgErr *pgconn.PgError
	return errors.As(err, &pgErr) && (pgErr.Code == "28P01" || pgErr.Code == "28000")
}

func (s *standalone) tryOpen(ctx context.Context, cfg config.Standalone) (*rest.Server, error) {
	cfg, err := s.settingsAtStart(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s.log.Info("pool created", "connections", cfg.Rest.Pool)
	db, err := pg.Open(ctx, pg.Config{
		CallerURL: cfg.URI.Reveal(), ServiceURL: cfg.URI.Reveal(), MaxCallers: cfg.Rest.Pool, MaxService: schemaPool,
		ReplicaURLs: cfg.Replicas.Addresses(), MaxReplicaLag: time.Duration(cfg.Replicas.MaxLag),
		AcquireTimeout: time.Duration(cfg.Rest.AcquireTimeout), MaxLifetime: time.Duration(cfg.Rest.MaxLifetime), MaxIdle: time.Duration(cfg.Rest.MaxIdle),
		Unprepared: !cfg.Prepared, Name: "PostgREST " + postgREST(), Settings: cfg.AppSettings, SearchPath: searchPath(cfg.Rest), Trace: s.meters.statements(), Log: s.log,
	})
	if err != nil {
		return nil, err
	}
	api, err := rest.New(ctx, cfg.Rest.At(cfg.Address()), db, s.identify(cfg), s.log)
	if err != nil {
		db.Close()
		return nil, err
	}
	s.db = db
	api.SetSource(func(ctx context.Context) (restsettings.Config, identify.Func, error) {
		cfg, err := s.settings(ctx, db.Owner(), cfg)
		if err != nil {
			return restsettings.Config{}, nil, err
		}
		db.SetCallerSettings(cfg.AppSettings, searchPath(cfg.Rest))
		s.level.Set(cfg.Level())
		s.warnDeprecated(cfg)
		return cfg.Rest.At(cfg.Address()), s.identify(cfg), nil
	})
	return api, nil
}

func searchPath(c restsettings.Config) []string {
	return append([]string{c.Schemas[0]}, c.ExtraSearchPath...)
}

func (s *standalone) identify(cfg config.Standalone) identify.Func {
	identify, cache := identify.Tokens(identify.Config{
		Keys: cfg.Keys, Audience: cfg.JWTAudience, RoleClaim: cfg.RoleClaim, AnonRole: cfg.Rest.AnonRole, CacheSize: cfg.JWTCache,
	}, time.Now)
	s.cache.Store(cache)
	return identify
}

// settingsAtStart connects once to check the server's version and read the settings
// in the database.
func (s *standalone) settingsAtStart(ctx context.Context, cfg config.Standalone) (config.Standalone, error) {
	conn, err := pgx.Connect(ctx, cfg.URI.Reveal())
	if err != nil {
		return cfg, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var version string
	var number int
	if err := conn.QueryRow(ctx, "select version(), current_setting('server_version_num')::int").Scan(&version, &number); err != nil {
		return cfg, err
	}
	if err := embedded.CheckVersion(number); err != nil {
		return cfg, err
	}
	s.log.Info("connected", "server", version)
	if !cfg.Rest.InDatabase {
		return cfg, nil
	}
	changed, err := s.settings(ctx, conn, cfg)
	if err != nil {
		s.log.Error("settings are invalid", "error", err)
		return cfg, nil
	}
	return changed, nil
}

// settings reloads all settings. current holds those in use.
func (s *standalone) settings(ctx context.Context, db schema.Beginner, current config.Standalone) (config.Standalone, error) {
	from := s.from
	if current.Rest.InDatabase {
		found, err := restsettings.FromDatabase(ctx, db, "", current.Rest.PreConfig)
		if err != nil {
			s.log.ErrorContext(ctx, "database settings unreadable", "error", err)
		}
		from.Database = found
	}
	return config.LoadStandalone(from)
}
