// Package rest implements the data API: tables, views and functions of the exposed
// schemas over HTTP, compatible with PostgREST.
//
// A request passes the stages request (headers, preferences) → query (URL) → plan
// (against the schema) → sqlgen → pg → respond. An invalid request fails in the
// earliest stage that can detect the error.
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

// ExposedHeaders lists the response headers that a page of another origin may read.
var ExposedHeaders = []string{
	"Content-Encoding", "Content-Location", "Content-Range", "Content-Type", "Date", "Location",
	"Server", "Transfer-Encoding", "Range-Unit",
}

// Server serves the data API.
type Server struct {
	*schemaCache

	db      *pg.DB
	log     *slog.Logger
	prefix  string // of the API's URL paths; SQL sees paths without it
	names   routeNames
	routes  http.Handler // without CORS handling
	bodies  *request.Bodies
	streams chan struct{} // semaphore for large responses in progress
	batches batch.Limiter
	zones   zoneCounter
}

// New loads the schema and returns a server.
func New(ctx context.Context, config settings.Config, db *pg.DB, identify identify.Func, log *slog.Logger) (*Server, error) {
	cache, err := newSchemaCache(ctx, config, db, identify, log)
	if err != nil {
		return nil, err
	}
	return &Server{
		schemaCache: cache, db: db, log: log, bodies: request.NewBodies(config),
		streams: make(chan struct{}, max(1, config.Pool/2)), batches: batch.NewLimiter(config),
	}, nil
}

// Routes returns the handler for the API under a prefix such as "/rest/v1".
func (s *Server) Routes(prefix string) http.Handler {
	s.prefix = prefix
	s.routes = answer.Adapter(func() string { return s.state.Load().config.ErrorVerbosity }).Handle(s.route)
	s.names = routeNames{root: prefix + "/", table: prefix + "/{table}", function: prefix + "/rpc/{function}"}
	origins := func() []string { return s.state.Load().config.Origins }
	return s.echoTraceHeader(httpx.CORSFrom(ExposedHeaders, origins, s.routes))
}

// routeNames holds the route patterns for metrics and traces, in the format of http.ServeMux.
type routeNames struct{ root, table, function string }

// route dispatches a request by its path. http.ServeMux cannot be used because it
// cleans paths and would redirect "//table".
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

// segment returns a path segment without percent-encoding.
func segment(escaped string) string {
	if text, err := url.PathUnescape(escaped); err == nil {
		return text
	}
	return escaped // unreachable: net/url rejects such paths
}

// echoTraceHeader copies the configured trace header of a request to its response.
func (s *Server) echoTraceHeader(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name := s.state.Load().config.TraceHeader; name != "" {
			w.Header().Set(name, r.Header.Get(name))
		}
		next.ServeHTTP(w, r)
	})
}

// Starting returns the handler to use until the schema is loaded. It responds with 503 PGRST002.
func Starting(config settings.Config) http.Handler {
	return answer.Adapter(func() string { return config.ErrorVerbosity }).Handle(func(http.ResponseWriter, *http.Request) error {
		return apierr.New(http.StatusServiceUnavailable, "PGRST002", "Could not query the database for the schema cache. Retrying.")
	})
}

// Stats holds statistics about schema loads and large responses.
type Stats struct {
	Loads, Failures uint64
	QueryTime       time.Duration // duration of the last successful load's queries
	Loaded          time.Time     // time of the last successful load
	Streams         int           // large responses in progress
	MaxStreams      int           // maximum of Streams
}

// Stats returns the current statistics.
func (s *Server) Stats() Stats {
	return Stats{
		s.loads.Load(), s.failures.Load(), time.Duration(s.queryTime.Load()), s.loaded.Get(),
		len(s.streams), cap(s.streams),
	}
}
