// Package pg is the only way to PostgreSQL. It sets the caller and the request for every
// transaction, so that policies decide and no identity stays on a pooled connection.
package pg

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"plaza/server/pg/queue"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Config says where the database is and how many connections may be used.
type Config struct {
	CallerURL      string            // signs in as authenticator: requests of clients
	ServiceURL     string            // signs in as the owner: migrations, auth, storage, named functions
	MaxCallers     int32             // connections for requests
	MaxService     int32             // connections for services
	AcquireTimeout time.Duration     // how long a request waits for a connection
	MaxLifetime    time.Duration     // after which a connection is replaced; 0: never
	MaxIdle        time.Duration     // after which an unused connection is closed; 0: five minutes
	Name           string            // application_name, unless a URL gives one; empty: plaza
	Settings       map[string]string // set in every caller's transaction
	SearchPath     []string          // schemas unqualified names are looked up in
	ReplicaURLs    []string          // streaming replicas of the database, for reads of callers
	MaxReplicaLag  time.Duration     // how far a replica may be behind
	Unprepared     bool              // prepare no statements, for a connection pooler in between
	AnswerTimeout  time.Duration     // without an answer for this long, the database is probed; 0: DefaultAnswerTimeout
	Trace          pgx.QueryTracer   // of the pools; nil: none
	Log            *slog.Logger

	// FailoverTimeout is how long requests wait while there is no primary, from the start of an outage; 0: they fail.
	FailoverTimeout time.Duration
}

// DB holds the connections of callers, to the primary and to its replicas, and
// those of services.
type DB struct {
	primary   *server
	replicas  *replicas // nil where there are none
	service   *pgxpool.Pool
	failover  *failover
	path      []string                          // the search path of callers' connections
	always    atomic.Pointer[map[string]string] // settings of every caller's transaction; see Set
	listening atomic.Bool                       // see Listening
	log       *slog.Logger
}

// Open connects both pools and reads the roles' settings.
func Open(ctx context.Context, c Config) (*DB, error) {
	c.AnswerTimeout = cmp.Or(c.AnswerTimeout, DefaultAnswerTimeout)
	failover, err := newFailover(c)
	if err != nil {
		return nil, err
	}
	failover.locate(ctx)
	callers, err := openPool(ctx, c, failover, c.CallerURL, c.MaxCallers, c.SearchPath)
	if err != nil {
		return nil, fmt.Errorf("connect as authenticator: %w", err)
	}
	service, err := openPool(ctx, c, failover, c.ServiceURL, c.MaxService, nil)
	if err != nil {
		callers.Close()
		return nil, fmt.Errorf("connect for services: %w", err)
	}
	db := &DB{service: service, failover: failover, path: c.SearchPath, log: c.Log, primary: &server{
		pool: callers, queue: queue.New[*job](c.MaxCallers, c.AcquireTimeout, ErrBusy), returnsPosition: len(c.ReplicaURLs) > 0, unprepared: c.Unprepared,
		failover: failover,
	}}
	if err := db.openReplicas(c); err != nil {
		db.Close()
		return nil, err
	}
	failover.begun = func() {
		callers.Reset() // their connections may hang
		service.Reset()
		db.replicas.primaryLost()
	}
	db.SetCallerSettings(c.Settings, c.SearchPath)
	if err := db.Reload(ctx); err != nil {
		db.Close()
		return nil, err
	}
	db.replicas.watch(service)
	return db, nil
}

func openPool(ctx context.Context, c Config, failover *failover, url string, limit int32, searchPath []string) (*pgxpool.Pool, error) {
	config, err := poolConfig(c, url, limit, searchPath)
	if err != nil {
		return nil, err
	}
	failover.apply(config)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}

func poolConfig(c Config, url string, limit int32, searchPath []string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = limit
	guard(&config.ConnConfig.Config, c.AnswerTimeout)
	if !strings.Contains(url, "connect_timeout") {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	config.MaxConnIdleTime = cmp.Or(c.MaxIdle, 5*time.Minute)
	config.MaxConnLifetime = cmp.Or(c.MaxLifetime, math.MaxInt64)
	config.ConnConfig.Tracer = c.Trace
	if c.Unprepared {
		config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	}
	// Each connection allocates its caches at their full size, also those that its mode does not use.
	if config.ConnConfig.DefaultQueryExecMode != pgx.QueryExecModeCacheStatement {
		config.ConnConfig.StatementCacheCapacity = 0
	}
	if config.ConnConfig.DefaultQueryExecMode != pgx.QueryExecModeCacheDescribe {
		config.ConnConfig.DescriptionCacheCapacity = 0
	}
	if params := config.ConnConfig.RuntimeParams; params["application_name"] == "" {
		params["application_name"] = cmp.Or(c.Name, "plaza")
	}
	if len(searchPath) > 0 {
		config.ConnConfig.RuntimeParams["search_path"] = quoteList(searchPath)
	}
	config.ConnConfig.OnNotice = noteUnreplicated
	config.ShouldPing = mayBeClosed
	config.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &cancelHandler{conn: conn}
	}
	return config, nil
}

func quoteList(names []string) string {
	quoted := ""
	for i, name := range names {
		if i > 0 {
			quoted += ", "
		}
		quoted += pgx.Identifier{name}.Sanitize()
	}
	return quoted
}

// SetCallerSettings changes the settings of every caller's transaction. It takes effect at the next
// Reload.
func (db *DB) SetCallerSettings(settings map[string]string, searchPath []string) {
	always := maps.Clone(settings)
	if !slices.Equal(searchPath, db.path) {
		if always == nil {
			always = make(map[string]string)
		}
		always["search_path"] = quoteList(searchPath)
	}
	db.always.Store(&always)
}

// AnnounceReload keeps reads of callers from the replicas until the next Reload: the schema may have changed, for example a
// policy, and they may lack that.
func (db *DB) AnnounceReload() { db.replicas.announceReload() }

// Reload reads the roles' settings again and invalidates all prepared statements. The
// connections of callers are replaced, each when it is released, so that the settings of
// the role that signs in take effect.
func (db *DB) Reload(ctx context.Context) error {
	roles, err := readRoleSettings(ctx, db.service, db.primary.pool.Config().ConnConfig.User, *db.always.Load())
	if err != nil {
		return err
	}
	db.primary.reload(roles)
	return db.replicas.reload(ctx, db.service, roles)
}

// ReplaceConnections replaces the connections of callers, each when it is released.
func (db *DB) ReplaceConnections() {
	db.primary.pool.Reset()
	if db.replicas != nil {
		for _, r := range db.replicas.all {
			r.pool.Reset()
		}
	}
}

// Ping returns an error if the primary does not answer.
func (db *DB) Ping(ctx context.Context) error { return db.primary.pool.Ping(ctx) }

// Close waits for running work and closes all connections.
func (db *DB) Close() {
	db.failover.close()
	db.replicas.close()
	db.primary.pool.Close()
	db.service.Close()
}
