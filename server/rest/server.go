// Package rest is the data API: tables, views and functions of the exposed
// schemas over HTTP, as PostgREST serves them.
//
// A request passes request (headers, preferences) → query (URL) → plan (with
// the schema) → sqlgen → pg → respond. A bad one fails in the earliest stage
// that can tell.
package rest

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/plan"
	"plaza/server/rest/schema"
	"plaza/server/rest/sqlgen"
)

// Exposed are the response headers a page of another origin may read.
var Exposed = []string{
	"Content-Encoding", "Content-Location", "Content-Range", "Content-Type", "Date", "Location",
	"Server", "Transfer-Encoding", "Range-Unit",
}

// Server serves the data API.
type Server struct {
	db      *pg.DB
	log     *slog.Logger
	prefix  string // of the API's addresses; SQL sees paths without it
	maxBody int64
	bodies  *bodyBudget
	streams chan struct{} // one for each large answer on its way
	state   atomic.Pointer[state]
}

// state is what requests work with: settings and schema that belong together. A
// request reads it once, so that a reload changes nothing under it.
type state struct {
	config     Config
	identify   Identify
	snapshot   *schema.Snapshot
	preRequest string    // the statement that runs before each request's own
	address    *url.URL  // of the API, for its description
	unplain    *shapeSet // reads whose rows PostgreSQL writes as JSON
}

func newState(config Config, identify Identify, snapshot *schema.Snapshot) (*state, error) {
	address, err := config.openAPIAddress()
	if err != nil {
		return nil, err
	}
	made := &state{config: config, identify: identify, snapshot: snapshot, address: address, unplain: new(shapeSet)}
	if name := config.PreRequest; name != "" {
		made.preRequest = "select " + sqlgen.QualifiedIdent(name) + "()"
	}
	return made, nil
}

// New reads the schema and makes a server.
func New(ctx context.Context, config Config, db *pg.DB, identify Identify, log *slog.Logger) (*Server, error) {
	first, err := newState(config, identify, nil)
	if err != nil {
		return nil, err
	}
	s := &Server{db: db, log: log, maxBody: config.MaxBody, bodies: newBodyBudget(time.Duration(config.AcquireTimeout)), streams: make(chan struct{}, max(1, config.Pool/2))}
	s.state.Store(first)
	if err := s.Reload(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Reload reads the schema anew. Requests go on with the old picture until the
// new one is complete, and for good where reading it fails.
func (s *Server) Reload(ctx context.Context) error {
	if err := s.db.Reload(ctx); err != nil {
		return fmt.Errorf("reload role settings: %w", err)
	}
	now := s.state.Load()
	snapshot, err := s.readSchema(ctx, now.config.Schemas)
	if err != nil {
		return fmt.Errorf("reload schema: %w", err)
	}
	next, err := newState(now.config, now.identify, snapshot)
	if err != nil {
		return err
	}
	s.state.Store(next)
	tables, relationships, functions := snapshot.Count()
	s.log.InfoContext(ctx, "schema cache loaded", "tables", tables, "relationships", relationships, "functions", functions)
	return nil
}

func (s *Server) readSchema(ctx context.Context, schemas []string) (*schema.Snapshot, error) {
	tx, err := s.db.Owner().BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	// Without a search path types are printed with their schema, which holds
	// whatever path a request has.
	if _, err := tx.Exec(ctx, "set local search_path = ''"); err != nil {
		return nil, err
	}
	return schema.Load(ctx, tx, schemas)
}

// query runs one statement as the request's caller.
func (s *Server) query(ctx context.Context, req *request, statement pg.Statement, scan func(row [][]byte) error) (pg.LSN, error) {
	req.watch.lap(partPlan)
	committed, err := s.db.QueryAsCaller(ctx, req.who, req.settings, statement, scan)
	req.watch.lap(partTransaction)
	req.committed = max(req.committed, committed)
	return committed, err
}

// Watch reloads whenever PostgreSQL says NOTIFY pgrst, 'reload schema'. It ends
// with ctx.
func (s *Server) Watch(ctx context.Context) {
	s.db.Listen(ctx, "pgrst", func([]string) {
		if err := s.Reload(ctx); err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "schema reload failed, the old schema stays in use", "error", err)
		}
	})
}

// Routes serves the API under a prefix such as "/rest/v1".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	routes := http.NewServeMux()
	routes.Handle(prefix+"/rpc/{function}", adapter.Handle(s.serveFunction))
	routes.Handle(prefix+"/{table}", adapter.Handle(s.serveTable))
	routes.Handle(prefix+"/{$}", adapter.Handle(s.serveRoot))
	routes.Handle(prefix+"/", adapter.Handle(s.serveUnknown))
	return httpx.CORS(Exposed, routes)
}

// Starting answers while there is no schema yet.
func Starting() http.Handler {
	return adapter.Handle(func(http.ResponseWriter, *http.Request) error {
		return apierr.New(http.StatusServiceUnavailable, "PGRST002", "Could not query the database for the schema cache. Retrying.")
	})
}

func (s *state) limits() plan.Limits {
	return plan.Limits{MaxRows: s.config.MaxRows, Aggregates: s.config.Aggregates}
}
