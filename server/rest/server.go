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
	"time"

	"plaza/server/apierr"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/batch"
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
	*schemaCache

	db      *pg.DB
	log     *slog.Logger
	prefix  string // of the API's addresses; SQL sees paths without it
	names   routeNames
	routes  http.Handler // of requests, whatever origin they are from
	bodies  *request.Bodies
	streams chan struct{} // one for each large answer on its way
	turns   batch.Turns
	zones   zones
}

// New reads the schema and makes a server.
func New(ctx context.Context, config settings.Config, db *pg.DB, identify identify.Func, log *slog.Logger) (*Server, error) {
	cache, err := newSchemaCache(ctx, config, db, identify, log)
	if err != nil {
		return nil, err
	}
	return &Server{
		schemaCache: cache, db: db, log: log, bodies: request.NewBodies(config),
		streams: make(chan struct{}, max(1, config.Pool/2)), turns: batch.NewTurns(config),
	}, nil
}

// Routes serves the API under a prefix such as "/rest/v1".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	s.routes = answer.Adapter(func() string { return s.state.Load().config.ErrorVerbosity }).Handle(s.route)
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
	return answer.Adapter(func() string { return config.ErrorVerbosity }).Handle(func(http.ResponseWriter, *http.Request) error {
		return apierr.New(http.StatusServiceUnavailable, "PGRST002", "Could not query the database for the schema cache. Retrying.")
	})
}

// Stats counts readings of the schema.
type Stats struct {
	Loads, Failures uint64
	QueryTime       time.Duration // of the last that was complete …
	Loaded          time.Time     // … and when it was
	Streams         int           // large answers on their way …
	MaxStreams      int           // … and how many there may be
}

// Stats tells how reading the schema went so far.
func (s *Server) Stats() Stats {
	return Stats{
		s.loads.Load(), s.failures.Load(), time.Duration(s.queryTime.Load()), s.loaded.Get(),
		len(s.streams), cap(s.streams),
	}
}
