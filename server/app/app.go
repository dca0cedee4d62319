// Package app is the composition root: it creates the connection pools, the services
// and the router, and starts and stops them in order.
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
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/claims"
	"plaza/server/config"
	"plaza/server/freespace"
	"plaza/server/gc"
	"plaza/server/http1"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/project"
	"plaza/server/realtime"
	"plaza/server/rest"
	"plaza/server/rest/identify"
	restsettings "plaza/server/rest/settings"
	"plaza/storage"
)

// Limits of client connections, against clients that keep them open.
const (
	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
)

// stopTimeout is how long running requests may take to finish during shutdown.
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
	stop     context.CancelFunc // cancels background work
	running  sync.WaitGroup     // of background work
	jobs     *jobs.Runner
	draining atomic.Bool // see Drain
	failed   chan error  // see Failed

	storage       *storage.Server  // nil until it is created
	realtime      *realtime.Server // nil if it is disabled
	meters        *meters
	stopAdmin     []func() // one for each listener of the admin server
	stopFunctions func()   // nil until the functions' runtime is created
}

// Start starts all components in order, and calls progress with a description of each long step. After an
// error nothing is running.
//
// Errors are for operators: they state what is wrong and what to do.
func Start(ctx context.Context, cfg config.Config, served project.Project, log *slog.Logger, progress func(string)) (*App, error) {
	gc.TuneStart()
	exposed, err := checkExposure(cfg, served)
	if err != nil {
		return nil, err
	}
	// Listen first: an occupied port is the most likely failure, and is found immediately.
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
	if exposed != "" {
		log.WarnContext(ctx, exposed)
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
		AnswerTimeout: a.cfg.AnswerTimeout, FailoverTimeout: a.cfg.FailoverTimeout, SearchPath: searchPath(a.cfg.Rest), Trace: a.meters.statements(), Log: log,
	}); err != nil {
		return err
	}
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	a.stop = stop
	if peer := a.database.peer; peer != nil {
		a.meters.add(peerMetrics(peer))
		a.running.Go(func() { peer.Run(background, a.db.Owner()) })
	}
	a.jobs = jobs.New(jobs.Options{DB: a.db, Name: a.name(), Log: log, Now: time.Now})
	handler, err := a.routes(background, log)
	if err != nil {
		return err
	}
	if err := a.archive(background, log); err != nil {
		return err
	}
	if err := a.standIns(background, log); err != nil {
		return err
	}
	a.running.Go(func() { a.jobs.Run(background) })
	a.http = newWebServer(a.endConnections(a.meters.observe(log, handler)), a.cfg.NetHTTP, log)
	go func() {
		if err := a.http.Serve(a.listener); !errors.Is(err, http.ErrServerClosed) {
			a.failed <- err
		}
	}()
	if a.watches() {
		a.running.Go(func() { a.watchMigrations(background, log, progress) })
	}
	if a.cfg.Env == config.Development && len(a.cfg.Storage.Buckets) > 0 {
		a.running.Go(func() { a.followResets(background, log) })
	}
	go gc.Tune()
	return nil
}

// webServer is implemented by http.Server and http1.Server.
type webServer interface {
	Serve(listener net.Listener) error
	Shutdown(ctx context.Context) error
	Close() error
}

// newWebServer returns a server with limits for client connections. If netHTTP is set,
// net/http serves all requests. Otherwise package http1 serves simple requests, with
// the same responses.
func newWebServer(handler http.Handler, netHTTP bool, log *slog.Logger) webServer {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: readHeaderTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug),
	}
	if netHTTP || !http1.Supported {
		return server
	}
	return http1.New(server)
}

// servicePool is the maximum number of connections of auth, storage and functions.
const servicePool = 10

// name returns the server's name among those of a cluster: its host and port.
func (a *App) name() string {
	host, err := os.Hostname()
	if err != nil {
		host = a.cfg.Host
	}
	_, port, _ := net.SplitHostPort(a.listener.Addr().String()) // the address of a listener has a port
	return net.JoinHostPort(host, port)
}

// URL returns the server's address.
func (a *App) URL() string { return "http://" + a.listener.Addr().String() }

// Failed returns a channel that receives the error of a component that fails. The caller then calls Stop.
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

// Stop waits for running requests, up to stopTimeout, then stops all components in reverse order.
func (a *App) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, stopTimeout)
	defer cancel()
	var failed error
	if a.realtime != nil {
		a.realtime.Close(ctx)
	}
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

// Authenticator returns the authenticator for the project's API keys and tokens. now is the clock by which tokens expire.
func (s Secrets) Authenticator(now func() time.Time) *claims.Authenticator {
	return &claims.Authenticator{Verifier: claims.NewVerifier([]byte(s.JWTSecret), now), Keys: s.Keys}
}

// restServer creates the data API server and starts watching for reload requests.
func (a *App) restServer(ctx context.Context, auth *claims.Authenticator, log *slog.Logger) (*rest.Server, error) {
	settings := func(ctx context.Context) (restsettings.Config, identify.Func, error) {
		c, err := a.restConfig(ctx)
		if err == nil {
			a.db.SetCallerSettings(nil, searchPath(c))
		}
		return c.At(a.cfg.PublicURL + "/rest/v1/"), identify.Gateway(auth, a.cfg.RequireKey), err
	}
	c, identify, err := settings(ctx)
	if err != nil {
		log.ErrorContext(ctx, "cannot use the settings in the database", "error", err)
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

// restConfig returns the data API's settings, including those in the database.
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

// serveAdmin starts the admin server on the addresses of PLAZA_ADMIN_ADDR and
// PGRST_ADMIN_SERVER_PORT, if they are set.
func (a *App) serveAdmin(server *rest.Server, auth *claims.Authenticator, log *slog.Logger) error {
	tokens := auth.Verifier.CacheStats
	a.meters.add(poolMetrics(a.db), restMetrics(server), tokenMetrics(tokens),
		postgrestMetrics(func() (pg.PoolStats, rest.Stats, claims.CacheStats) {
			return a.db.Stats().Callers, server.Stats(), tokens()
		}))
	admin := ops.Admin{Address: a.listener.Addr, Ready: a.readyWith(server.Ready), Schema: func() any { return server.Snapshot() }, Metrics: a.meters.registry}
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

// Drain makes proxies use other servers before Stop: /ready responds with 503, and each response closes its
// connection. Requests are still served. It returns after PLAZA_DRAIN.
func (a *App) Drain() {
	if a.cfg.Drain <= 0 {
		return
	}
	a.draining.Store(true)
	time.Sleep(a.cfg.Drain)
}

// endConnections adds "Connection: close" to the responses of a draining server. Otherwise a proxy might send
// a request on an idle connection just as the server closes it, and could not know whether the request was
// handled.
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
