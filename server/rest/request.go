package rest

import (
	"net/http"
	"slices"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/answer"
	"plaza/server/rest/query"
	"plaza/server/rest/request"
	"plaza/server/rest/sqlgen"
)

// apiRequest is a data API request with its parsed headers.
type apiRequest struct {
	*state
	who      claims.Caller
	schema   string
	prefer   request.Preferences
	form     answer.Form
	query    *query.Query
	settings pg.Settings
	watch    *stopwatch
	isCall   bool   // the request calls a function
	batchTx  *pg.Tx // the transaction of the batch that contains the request; nil otherwise
	warning  string // value of the response's Warning header; may be empty
	tx       string // "rollback" or "commit" if the client's preference was applied

	onArgSent func(arg []byte) // called for each sent part of a large argument; may be nil

	committed pg.LSN // log position of the request's commit
}

// readRequest authenticates the caller and parses the headers. It reads neither the
// query string nor the body.
func (s *Server) readRequest(r *http.Request) (*apiRequest, error) {
	req, err := s.authenticate(r)
	if err != nil {
		return nil, err
	}
	current := req.state
	if req.schema, err = current.schemaOf(r); err != nil {
		return nil, err
	}
	if req.prefer, err = request.ReadPreferences(r.Header, current.config.TxIsolation); err != nil {
		return nil, err
	}
	if s.zones.add(req.prefer.TimeZone) {
		s.db.ReplaceConnections()
	}
	req.settings = pg.Settings{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.EscapedPath(), s.prefix), Headers: request.HeadersJSON(r), Cookies: request.CookiesJSON(r),
		TimeZone: req.prefer.TimeZone, Isolation: req.prefer.Isolation, Before: current.preRequest, AtLeast: requiredLSN(r),
	}
	if req.schema != current.config.Schemas[0] {
		req.settings.SearchPath = searchPath(req.schema, current.config.ExtraSearchPath)
	}
	req.setTransactionEnd()
	req.watch.lap(partParse)
	return req, nil
}

// parse parses the query string and the Range header, which is equivalent to limit and offset.
func (req *apiRequest) parse(r *http.Request, options query.Options) (err error) {
	if req.query, err = query.Parse(r.URL.RawQuery, options); err == nil && r.Method == http.MethodGet {
		err = request.AddRange(req.query, r.Header)
	}
	req.watch.lap(partParse)
	return err
}

// authenticate determines the caller. A request inside a batch has the batch's caller.
func (s *Server) authenticate(r *http.Request) (*apiRequest, error) {
	if part, ok := r.Context().Value(transactionKey{}).(*transaction); ok {
		return &apiRequest{state: part.state, who: part.who, batchTx: part.tx}, nil
	}
	current := s.state.Load()
	watch := newStopwatch(current.config.ServerTiming)
	who, err := current.identify(r)
	if err != nil {
		return nil, err
	}
	watch.lap(partJWT)
	httpx.RecordRole(r.Context(), who.Role)
	return &apiRequest{state: current, who: who, watch: watch}, nil
}

func (s *state) schemaOf(r *http.Request) (string, error) {
	name := "Accept-Profile"
	switch r.Method {
	case http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete:
		name = "Content-Profile"
	}
	wanted := r.Header.Get(name)
	if wanted == "" {
		return s.config.Schemas[0], nil
	}
	if !slices.Contains(s.config.Schemas, wanted) {
		return "", apierr.New(http.StatusNotAcceptable, "PGRST106", "Invalid schema: %s", wanted).
			WithHint("Only the following schemas are exposed: %s", strings.Join(s.config.Schemas, ", "))
	}
	return wanted, nil
}

func (req *apiRequest) acceptable() answer.Offer {
	return answer.Offer{Snapshot: req.snapshot, Plans: req.config.PlanEnabled}
}

// setTransactionEnd decides whether the transaction is committed or rolled back.
func (req *apiRequest) setTransactionEnd() {
	if req.batchTx != nil { // the batch's transaction decides
		req.prefer.Isolation = ""
		return
	}
	end, override := strings.CutSuffix(req.config.TxEnd, "-allow-override")
	if override && req.prefer.Tx != "" {
		end, req.tx = req.prefer.Tx, req.prefer.Tx
	}
	req.settings.Rollback = end == "rollback"
}

func searchPath(first string, extra []string) string {
	quoted := []string{sqlgen.Ident(first)}
	for _, name := range extra {
		if name != first {
			quoted = append(quoted, sqlgen.Ident(name))
		}
	}
	return strings.Join(quoted, ", ")
}
