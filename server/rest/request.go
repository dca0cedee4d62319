package rest

import (
	"encoding/json"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/rest/query"
	"plaza/server/rest/sqlgen"
)

// request is a data API request with its headers understood.
type request struct {
	*state
	who      claims.Caller
	schema   string
	prefer   preferences
	form     form
	query    *query.Query
	settings pg.Settings
	watch    *stopwatch
	isCall   bool   // of a function
	within   *pg.Tx // the transaction that the request is a part of, if any
	warning  string // of the answer's Warning header; may be empty
	tx       string // "rollback" or "commit" where the client's wish was followed

	sent func(arg []byte) // told of parts of large arguments that were sent; may be nil

	committed pg.LSN // of what the request wrote
}

// understand reads all of a request but its query and body.
func (s *Server) understand(r *http.Request) (*request, error) {
	req, err := s.admit(r)
	if err != nil {
		return nil, err
	}
	now := req.state
	if req.schema, err = now.schemaOf(r); err != nil {
		return nil, err
	}
	if req.prefer, err = readPreferences(r.Header); err != nil {
		return nil, err
	}
	if s.zones.note(req.prefer.TimeZone) {
		s.db.Renew()
	}
	req.settings = pg.Settings{
		Method: r.Method, Path: strings.TrimPrefix(r.URL.EscapedPath(), s.prefix), Headers: headersJSON(r), Cookies: cookiesJSON(r),
		TimeZone: req.prefer.TimeZone, Isolation: req.prefer.Isolation, Before: now.preRequest, AtLeast: seenBy(r),
	}
	if req.schema != now.config.Schemas[0] {
		req.settings.SearchPath = searchPath(req.schema, now.config.ExtraSearchPath)
	}
	req.decideEnd()
	req.watch.lap(partParse)
	return req, nil
}

// parse reads the query string, and the Range header that stands for a part of it.
func (req *request) parse(r *http.Request, options query.Options) (err error) {
	if req.query, err = query.Parse(r.URL.RawQuery, options); err == nil && r.Method == http.MethodGet {
		err = addRange(req.query, r.Header)
	}
	req.watch.lap(partParse)
	return err
}

// admit finds out who asks.
func (s *Server) admit(r *http.Request) (*request, error) {
	if part, ok := r.Context().Value(partKey{}).(*transaction); ok {
		return &request{state: part.state, who: part.who, within: part.tx}, nil
	}
	now := s.state.Load()
	watch := newStopwatch(now.config.ServerTiming)
	who, err := now.identify(r)
	if err != nil {
		return nil, err
	}
	watch.lap(partJWT)
	httpx.NoteRole(r.Context(), who.Role)
	return &request{state: now, who: who, watch: watch}, nil
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

// decideEnd decides how the transaction ends.
func (req *request) decideEnd() {
	if req.within != nil {
		req.prefer.Isolation = ""
		return // as its transaction does
	}
	end, override := strings.CutSuffix(req.config.TxEnd, "-allow-override")
	if override && req.prefer.Tx != "" {
		end, req.tx = req.prefer.Tx, req.prefer.Tx
	}
	req.settings.Rollback = end == "rollback"
}

// rowRange is a range of rows; what looks otherwise asks for all of them.
// Source: PostgREST's RangeQuery.
var rowRange = regexp.MustCompile(`^([0-9]+)-([0-9]*)$`)

// addRange reads the header form of limit and offset: Range: 0-24.
func addRange(q *query.Query, header http.Header) error {
	text := header.Get("Range")
	if text == "" {
		return nil
	}
	bounds := rowRange.FindStringSubmatch(text)
	if bounds == nil {
		return nil
	}
	offset, err := strconv.ParseInt(bounds[1], 10, 64)
	if err != nil {
		return nil // more than PostgreSQL can count
	}
	cut := query.PathRange{Offset: &offset}
	if last, err := strconv.ParseInt(bounds[2], 10, 64); err == nil {
		if last < offset {
			return apierr.New(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").
				WithDetail("The lower boundary must be lower than or equal to the upper boundary in the Range header.")
		}
		if limit := last - offset + 1; limit > 0 { // else also more than that
			cut.Limit = &limit
		}
	}
	return intersect(q, cut)
}

// intersect leaves, of the rows that limit and offset name, those of a range.
//
// Errors: 416 PGRST103 where there are none.
func intersect(q *query.Query, cut query.PathRange) error {
	lower, limit := int64(0), int64(-1)
	for _, given := range q.Ranges {
		switch {
		case len(given.Path) > 0:
		case given.Limit != nil:
			limit = *given.Limit
			if limit <= 0 {
				return nil // none, or an error that is found later
			}
		case given.Offset != nil:
			lower = max(0, *given.Offset)
		}
	}
	from := max(lower, *cut.Offset)
	end := int64(math.MaxInt64) // one past the last row
	if limit > 0 {
		end = lower + min(limit, end-lower)
	}
	if cut.Limit != nil {
		end = min(end, *cut.Offset+min(*cut.Limit, math.MaxInt64-*cut.Offset))
	}
	if end <= from {
		return apierr.New(http.StatusRequestedRangeNotSatisfiable, "PGRST103", "Requested range not satisfiable").
			WithDetail("Limit should be greater than or equal to zero.")
	}
	cut.Offset = &from
	if rows := end - from; end < math.MaxInt64 {
		cut.Limit = &rows
	}
	q.Ranges = append(q.Ranges, cut)
	return nil
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

// headersJSON writes the request's headers, names in lower case, as SQL reads
// them from request.headers.
func headersJSON(r *http.Request) string {
	out := make([]byte, 0, 512)
	out = append(out, `{"host":`...)
	out = appendJSON(out, r.Host)
	for name, values := range r.Header {
		if name == "Cookie" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = appendJSON(out, strings.ToLower(name))
		out = append(out, ':')
		out = appendJSON(out, strings.Join(values, ", "))
	}
	return string(append(out, '}'))
}

func cookiesJSON(r *http.Request) string {
	if r.Header.Get("Cookie") == "" {
		return ""
	}
	out := []byte{'{'}
	for _, cookie := range r.Cookies() {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = appendJSON(out, cookie.Name)
		out = append(out, ':')
		out = appendJSON(out, cookie.Value)
	}
	return string(append(out, '}'))
}

// appendJSON writes a JSON string; plain text, the usual case, without detours.
func appendJSON(out []byte, text string) []byte {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char > '~' || char == '"' || char == '\\' {
			encoded, err := json.Marshal(text)
			if err != nil {
				return append(out, `""`...)
			}
			return append(out, encoded...)
		}
	}
	out = append(out, '"')
	out = append(out, text...)
	return append(out, '"')
}
