// Package pg is the only door to PostgreSQL. It sets who calls and what the
// request is for every transaction, so that policies decide and a pooled
// connection never carries an identity over.
package pg

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/pgxpool"
)

// cancelGrace is how long a cancelled query may take to end after PostgreSQL
// was asked to cancel it; then the connection is given up.
const cancelGrace = 2 * time.Second

// Config says where the database is and how many connections may be used.
type Config struct {
	CallerURL      string            // signs in as authenticator: requests of clients
	ServiceURL     string            // signs in as the owner: migrations, auth, storage, named functions
	MaxCallers     int32             // connections for requests
	MaxService     int32             // connections for services
	AcquireTimeout time.Duration     // how long a request waits for a connection
	Settings       map[string]string // set in every caller's transaction
	SearchPath     []string          // schemas unqualified names are looked up in
	Log            *slog.Logger
}

// DB holds the two pools: one for callers, one for services.
type DB struct {
	callers  *pgxpool.Pool
	service  *pgxpool.Pool
	settings map[string]string
	line     *line // for the connections of callers
	roles    atomic.Pointer[roleSettings]
	epoch    atomic.Uint64 // grows when the schema changes: older prepared statements are dropped
	log      *slog.Logger
}

// Open connects both pools and reads the roles' settings.
func Open(ctx context.Context, c Config) (*DB, error) {
	callers, err := openPool(ctx, c.CallerURL, c.MaxCallers, c.SearchPath)
	if err != nil {
		return nil, fmt.Errorf("connect as authenticator: %w", err)
	}
	service, err := openPool(ctx, c.ServiceURL, c.MaxService, nil)
	if err != nil {
		callers.Close()
		return nil, fmt.Errorf("connect for services: %w", err)
	}
	db := &DB{settings: c.Settings, callers: callers, service: service, line: newLine(c.MaxCallers, c.AcquireTimeout), log: c.Log}
	if err := db.Reload(ctx); err != nil {
		db.Close()
		return nil, err
	}
	return db, nil
}

func openPool(ctx context.Context, url string, limit int32, searchPath []string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = limit
	config.MaxConnIdleTime = 5 * time.Minute
	config.ConnConfig.RuntimeParams["application_name"] = "plaza"
	if len(searchPath) > 0 {
		config.ConnConfig.RuntimeParams["search_path"] = quoteList(searchPath)
	}
	config.ConnConfig.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: cancelGrace}
	}
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

// Reload takes in what may have changed in the database: the roles' settings,
// and the plans of all statements prepared so far.
func (db *DB) Reload(ctx context.Context) error {
	roles, err := readRoleSettings(ctx, db.service, db.settings)
	if err != nil {
		return err
	}
	db.roles.Store(roles)
	db.epoch.Add(1)
	return nil
}

// Ping tells whether the database answers.
func (db *DB) Ping(ctx context.Context) error { return db.callers.Ping(ctx) }

// Close waits for running work and closes all connections.
func (db *DB) Close() {
	db.callers.Close()
	db.service.Close()
}
