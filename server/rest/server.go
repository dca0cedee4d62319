// Package rest is the data API: tables, views and functions of the exposed
// schemas over HTTP, as PostgREST serves them.
//
// A request passes request (headers, preferences) → query (URL) → plan (with
// the schema) → sqlgen → pg → respond. A bad one fails in the earliest stage
// that can tell.
package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/identify"
	"plaza/server/rest/request"
	"plaza/server/rest/settings"
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
	names   routeNames
	routes  http.Handler // of requests, whatever origin they are from
	bodies  *request.Bodies
	streams chan struct{} // one for each large answer on its way
	turns   transactionTurns
	zones   zones
	state   atomic.Pointer[state]
	reloads reloads
}

// New reads the schema and makes a server.
func New(ctx context.Context, config settings.Config, db *pg.DB, identify identify.Func, log *slog.Logger) (*Server, error) {
	first, err := newState(config, identify, nil)
	if err != nil {
		return nil, err
	}
	s := &Server{
		db: db, log: log,
		bodies:  request.NewBodies(config),
		streams: make(chan struct{}, max(1, config.Pool/2)), turns: newTransactionTurns(config), reloads: reloads{wanted: make(chan struct{}, 1)},
	}
	s.state.Store(first)
	if err := s.Reload(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// Routes serves the API under a prefix such as "/rest/v1".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	s.routes = adapter(func() string { return s.state.Load().config.ErrorVerbosity }).Handle(s.route)
	s.names = routeNames{root: prefix + "/", table: prefix + "/{table}", function: prefix + "/rpc/{function}"}
	origins := func() []string { return s.state.Load().config.Origins }
	return s.trace(httpx.CORSFrom(Exposed, origins, s.routes))
}

// routeNames are what the routes are called in metrics and traces, as a mux would
// call them.
type routeNames struct{ root, table, function string }

// route finds what a path is about. Paths are taken as they are; a mux would clean
// them, and answer "//table" with a redirect.
func (s *Server) route(w http.ResponseWriter, r *http.Request) error {
	path := strings.TrimPrefix(strings.TrimPrefix(r.URL.EscapedPath(), s.prefix), "/")
	first, rest, more := strings.Cut(path, "/")
	switch {
	case path == "":
		r.Pattern = s.names.root
		return s.serveRoot(w, r)
	case !more:
		r.Pattern = s.names.table
		return s.serveTable(w, r, segment(first))
	case first == "rpc" && rest != "" && !strings.Contains(rest, "/"):
		r.Pattern = s.names.function
		return s.serveFunction(w, r, segment(rest))
	}
	r.Pattern = s.names.root
	return s.serveUnknown(w, r)
}

// segment is one of a path, in plain text.
func segment(escaped string) string {
	if text, err := url.PathUnescape(escaped); err == nil {
		return text
	}
	return escaped // which net/url would not have let through
}

// trace repeats a header of the request, which a proxy follows it by.
func (s *Server) trace(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := s.state.Load().config.TraceHeader; name != "" {
			w.Header().Set(name, r.Header.Get(name))
		}
		next.ServeHTTP(w, r)
	})
}

// Starting answers while there is no schema yet.
func Starting(config settings.Config) http.Handler {
	return adapter(func() string { return config.ErrorVerbosity }).Handle(func(http.ResponseWriter, *http.Request) error {
		return apierr.New(http.StatusServiceUnavailable, "PGRST002", "Could not query the database for the schema cache. Retrying.")
	})
}
