// Package app is the composition root: it builds the pools, the services and
// the router, and starts and stops them in order. It is the one list of all
// that exists.
package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/freespace"
	"plaza/server/http1"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/project"
	"plaza/server/rest"
	"plaza/server/rest/identify"
	restsettings "plaza/server/rest/settings"
	"plaza/storage"
)

// Limits of a connection, against clients that hold one open.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
)

// stopTimeout is how long running requests may take to end at a stop.
const stopTimeout = 10 * time.Second

// App is a running server.
type App struct {
	cfg      config.Config
	project  project.Project
	secrets  Secrets
	database *database
	db       *pg.DB
	http     webServer
	listener net.Listener
	stop     context.CancelFunc // ends background work …
	running  sync.WaitGroup     // … which is over when this is
	failed   chan error

	storage       *storage.Server // nil until it is made
	meters        *meters
	stopAdmin     []func() // of the admin server, by each of its names
	stopFunctions func()   // nil before there are any
}

// Start brings up everything, in order, and tells progress of long steps.
//
// Errors are for a person: what is wrong and what to do.
func Start(ctx context.Context, cfg config.Config, served project.Project, log *slog.Logger, progress func(string)) (*App, error) {
	open, err := openToOthers(cfg, served)
	if err != nil {
		return nil, err
	}
	// The port is taken first: it is the likeliest failure and costs nothing.
	address := net.JoinHostPort(cfg.Host, strconv.Itoa(cfg.Port))
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s: %w; stop what uses it or set PLAZA_PORT", address, err)
	}
	tracer, err := ops.NewTracer(ctx, cfg.Tracing, log)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	log = tracer.Log(log)
	if open != "" {
		log.WarnContext(ctx, open)
	}
	for _, ignored := range cfg.Ignored {
		log.WarnContext(ctx, ignored)
	}
	a := &App{cfg: cfg, project: served, listener: listener, failed: make(chan error, 1), meters: newMeters(tracer)}
	if err := a.start(ctx, log, progress); err != nil {
		return nil, errors.Join(err, a.Stop(context.WithoutCancel(ctx)))
	}
	return a, nil
}

func (a *App) start(ctx context.Context, log *slog.Logger, progress func(string)) error {
	var err error
	if a.database, a.secrets, err = openDatabase(ctx, a.cfg, log, progress); err != nil {
		return err
	}
	if err := a.database.prepare(ctx, a.cfg, a.project, a.secrets, log, progress); err != nil {
		return err
	}
	if a.db, err = pg.Open(ctx, pg.Config{
		CallerURL: CallerURL(a.database.url, a.secrets), ServiceURL: a.database.url,
		ReplicaURLs: replicaURLs(a.cfg.Replicas, a.secrets), MaxReplicaLag: time.Duration(a.cfg.Replicas.MaxLag),
		MaxCallers: a.cfg.Rest.Pool, MaxService: servicePool,
		AcquireTimeout: time.Duration(a.cfg.Rest.AcquireTimeout),
		MaxLifetime:    time.Duration(a.cfg.Rest.MaxLifetime), MaxIdle: time.Duration(a.cfg.Rest.MaxIdle),
		AnswerTimeout: a.cfg.AnswerTimeout, SearchPath: searchPath(a.cfg.Rest), Trace: a.meters.statements(), Log: log,
	}); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop = stop
	handler, err := a.routes(background, log)
	if err != nil {
		return err
	}
	a.http = newWebServer(a.meters.watch(log, handler), a.cfg.NetHTTP, log)
	go func() {
		if err := a.http.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- err
		}
	}()
	go debug.FreeOSMemory() // a start needs several times what a server at rest holds
	return nil
}

// webServer is what net/http's server and ours have in common.
type webServer interface {
	Serve(listener net.Listener) error
	Shutdown(ctx context.Context) error
	Close() error
}

// newWebServer serves a handler with bounds on what a client may hold open. netHTTP
// has net/http serve all requests, for operators who want no other code between the
// network and the handlers; package http1 holds itself to answering alike.
func newWebServer(handler http.Handler, netHTTP bool, log *slog.Logger) webServer {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	if netHTTP {
		return server
	}
	return http1.New(server)
}

// servicePool bounds the connections of auth, storage and functions.
const servicePool = 10

// URL is where the server answers.
func (a *App) URL() string { return "http://" + a.listener.Addr().String() }

// Failed tells when a part ended that should not have.
func (a *App) Failed() <-chan error {
	if a.database != nil && a.database.embedded != nil {
		go func() {
			<-a.database.embedded.Done()
			if err := a.database.embedded.Err(); err != nil {
				a.failed <- fmt.Errorf("PostgreSQL ended: %w", err)
			}
		}()
	}
	return a.failed
}

// Stop lets running requests end, then closes everything in reverse order.
func (a *App) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	var failed error
	if a.http != nil {
		failed = a.http.Shutdown(ctx)
	} else {
		failed = a.listener.Close()
	}
	if a.stopFunctions != nil {
		a.stopFunctions()
	}
	for _, stop := range a.stopAdmin {
		stop()
	}
	if a.stop != nil {
		a.stop()
		a.running.Wait()
	}
	if a.storage != nil {
		failed = errors.Join(failed, a.storage.Close())
	}
	if a.db != nil {
		a.db.Close()
	}
	if a.database != nil {
		failed = errors.Join(failed, a.database.close(ctx))
	}
	a.meters.tracer.Close(ctx)
	return failed
}

// Authenticator makes the check of keys and tokens from the project's secrets.
func (s Secrets) Authenticator() *claims.Authenticator {
	return &claims.Authenticator{Verifier: claims.NewVerifier([]byte(s.JWTSecret), time.Now), Keys: s.Keys}
}

// restServer is kept apart from routes so that its schema watch is seen to end.
func (a *App) restServer(ctx context.Context, auth *claims.Authenticator, log *slog.Logger) (*rest.Server, error) {
	settings := func(ctx context.Context) (restsettings.Config, identify.Func, error) {
		c, err := a.restConfig(ctx)
		if err == nil {
			a.db.Set(nil, searchPath(c))
		}
		return c.At(a.cfg.PublicURL + "/rest/v1/"), identify.Gateway(auth, a.cfg.RequireKey), err
	}
	c, identify, err := settings(ctx)
	if err != nil {
		log.ErrorContext(ctx, "the settings in the database are not followed", "error", err)
	}
	c.Reread = true
	c.SpoolFolder, c.MinFree = filepath.Join(a.cfg.DataDir, "tmp"), freespace.Floor(a.cfg.Storage.MinFree)
	if err := os.MkdirAll(c.SpoolFolder, 0o700); err != nil {
		return nil, err
	}
	server, err := rest.New(ctx, c, a.db, identify, log)
	if err != nil {
		return nil, err
	}
	server.SetSource(settings)
	a.running.Go(func() {
		if err := server.Watch(ctx); err != nil {
			a.failed <- err
		}
	})
	return server, nil
}

// restConfig is the data API's configuration with what the database sets.
func (a *App) restConfig(ctx context.Context) (restsettings.Config, error) {
	if !a.cfg.Rest.InDatabase {
		return a.cfg.Rest, nil
	}
	found, err := restsettings.FromDatabase(ctx, a.db.Owner(), "authenticator", a.cfg.Rest.PreConfig)
	if err != nil {
		return a.cfg.Rest, err
	}
	changed, err := config.Override(a.cfg.Rest, found)
	if err != nil {
		return a.cfg.Rest, err
	}
	return changed, nil
}

// serveAdmin serves the admin server by both of its names.
func (a *App) serveAdmin(server *rest.Server, auth *claims.Authenticator, log *slog.Logger) error {
	tokens := auth.Verifier.CacheStats
	a.meters.add(poolNumbers(a.db), dataNumbers(server), tokenNumbers(tokens),
		postgrestNumbers(func() (pg.PoolStats, rest.Stats, claims.CacheStats) {
			return a.db.Stats().Callers, server.Stats(), tokens()
		}))
	admin := ops.Admin{Address: a.listener.Addr, Ready: server.Ready, Schema: func() any { return server.Snapshot() }, Metrics: a.meters.registry}
	listener, err := listenAdmin(a.cfg.Admin)
	if err != nil {
		return err
	}
	if listener != nil {
		a.stopAdmin = append(a.stopAdmin, serveAdmin(listener, admin, log))
	}
	c := a.cfg.Rest
	if c.AdminPort == 0 {
		return nil
	}
	if listener, err = config.ListenOn(cmp.Or(c.AdminHost, a.cfg.Host), c.AdminPort); err != nil {
		return fmt.Errorf("the admin server cannot listen: %w; stop what uses the port or set PGRST_ADMIN_SERVER_PORT", err)
	}
	a.stopAdmin = append(a.stopAdmin, serveAdmin(listener, admin, log))
	return nil
}
