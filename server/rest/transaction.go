package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	gopath "path"
	"slices"
	"strconv"
	"strings"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/rest/request"
)

// Several requests that succeed or fail together: POST to the API's root a list
// of them, as bodyTransaction. They run in order, as the caller, in one
// transaction; what a later one takes from the answers of earlier ones, it names
// by references. The answer is the list of theirs, or the error of the first that
// failed, and nothing was done. docs/transactions.md tells it to users.

// Bounds of a transaction.
const (
	maxParts      = 100      // requests
	maxPartAnswer = 16 << 20 // bytes of all answers together

	// Bytes of a request's path and of its headers, as a server takes them of one
	// that comes alone.
	maxPartPath    = 64 << 10
	maxPartHeaders = 64 << 10
)

// errAnswersTooLarge says that a transaction would take too much memory or time.
var errAnswersTooLarge = apierr.New(http.StatusBadRequest, "PLZ006", "The answers of the requests are too large together")

// partRequest is one of the requests.
type partRequest struct {
	ID      string          `json:"id"`      // a name for references, beside its number
	Method  string          `json:"method"`  // GET where empty
	Path    string          `json:"path"`    // below the API's root, with its query: "/films?id=eq.1"
	Headers partHeaders     `json:"headers"` // such as Prefer
	Body    json.RawMessage `json:"body"`
}

// ownHeaders are those that say how a request is read and answered. All others
// are the outer request's: what a proxy has written into them stays true.
var ownHeaders = []string{"Accept", "Accept-Profile", "Content-Profile", "Content-Type", "Prefer", "Range"}

type partHeaders map[string]string

// UnmarshalJSON refuses what is too large before it is read.
func (h *partHeaders) UnmarshalJSON(text []byte) error {
	if len(text) > maxPartHeaders {
		return fmt.Errorf("headers of more than %d bytes", maxPartHeaders)
	}
	return json.Unmarshal(text, (*map[string]string)(h))
}

// partAnswer is what a request gave.
type partAnswer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    json.RawMessage   `json:"body,omitempty"`
}

// transaction is what its parts share.
type transaction struct {
	*state
	who     claims.Caller
	tx      *pg.Tx
	answers []partAnswer
	places  map[string]int // of names
	size    int            // of the answers, in bytes

	resolved         map[string][]byte // what references lead to
	filled, followed int               // bytes that they put in and looked through
}

// partKey is where the context of a part carries its transaction.
type partKey struct{}

// partError is a part's failure, as it is answered.
type partError struct {
	number int
	answer *partRecorder
}

func (e *partError) Error() string { return fmt.Sprintf("request %d failed", e.number) }

// serveTransaction answers a list of requests.
//
// Errors: 400 PLZ004 for what is no such list, PLZ005 for a reference that leads
// nowhere; 503 PLZ012 while too many others run, 504 PLZ011 where they take too
// long; those of the first request that fails, with its number.
func (s *Server) serveTransaction(w http.ResponseWriter, r *http.Request) error {
	req, err := s.understand(r)
	if err != nil {
		return err
	}
	if req.within != nil {
		return badTransaction("a transaction cannot be a part of one")
	}
	parts, err := s.readParts(w, r)
	if err != nil {
		return err
	}
	all := &transaction{state: req.state, who: req.who, places: make(map[string]int), resolved: make(map[string][]byte)}
	anonymous := req.who.Role == req.config.AnonRole
	end, err := s.turns.take(r.Context(), anonymous)
	if err != nil {
		return err
	}
	err = s.timed(r.Context(), req, func(ctx context.Context) error { return s.runParts(r.WithContext(ctx), req, all, parts) })
	end()
	var failed *partError
	if errors.As(err, &failed) {
		return failed.write(w)
	}
	if err != nil {
		return pg.APIError(err, anonymous)
	}
	body, err := json.Marshal(all.answers)
	if err != nil {
		return err
	}
	answer := newAnswer()
	defer answer.release()
	answer.body.Write(body)
	req.form = jsonForm
	return req.write(w, r, answer, http.StatusOK)
}

// runParts runs the requests in one transaction.
func (s *Server) runParts(r *http.Request, req *apiRequest, all *transaction, parts []partRequest) (err error) {
	req.committed, err = s.db.AsCaller(r.Context(), req.who, req.settings, func(tx *pg.Tx) error {
		all.tx = tx
		for number, part := range parts {
			if err := s.servePart(r, all, number, part); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

func badTransaction(format string, values ...any) error {
	return apierr.New(http.StatusBadRequest, "PLZ004", "The body is no list of requests").WithDetail(format, values...)
}

func (s *Server) readParts(w http.ResponseWriter, r *http.Request) ([]partRequest, error) {
	source := s.bodies.Of(w, r)
	defer source.Close()
	body, _, err := source.Read(request.TypeTransaction)
	if err != nil {
		return nil, err
	}
	parts, err := decodeParts(json.NewDecoder(bytes.NewReader(body)))
	switch {
	case err != nil:
		return nil, badTransaction("%s", strings.TrimPrefix(err.Error(), "json: "))
	case len(parts) == 0:
		return nil, badTransaction("it is empty")
	}
	for number, part := range parts {
		if !strings.HasPrefix(part.Path, "/") {
			return nil, badTransaction(`request %d has the path %q: it has to begin with "/"`, number, part.Path)
		}
	}
	return parts, nil
}

// decodeParts reads no more requests than are allowed.
func decodeParts(decoder *json.Decoder) (parts []partRequest, err error) {
	decoder.DisallowUnknownFields()
	switch start, err := decoder.Token(); {
	case err != nil:
		return nil, err
	case start != json.Delim('['):
		return nil, errors.New("it is no list")
	}
	for decoder.More() {
		if len(parts) == maxParts {
			return nil, fmt.Errorf("it has more than %d requests", maxParts)
		}
		var part partRequest
		if err := decoder.Decode(&part); err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows the list")
	}
	return parts, nil
}

// servePart runs one request and keeps its answer.
func (s *Server) servePart(outer *http.Request, all *transaction, number int, part partRequest) error {
	if part.ID != "" {
		if _, twice := all.places[part.ID]; twice {
			return badTransaction("two requests are called %q", part.ID)
		}
		all.places[part.ID] = number
	}
	inner, err := s.partOf(outer, all, part)
	if err != nil {
		return err
	}
	recorder := &partRecorder{header: make(http.Header), status: http.StatusOK}
	s.routes.ServeHTTP(recorder, inner)
	if all.tx.Failed() { // SQL may raise an error with the status of a success
		recorder.status = max(recorder.status, http.StatusBadRequest)
	}
	if recorder.status >= http.StatusBadRequest {
		return &partError{number, recorder}
	}
	if all.size += recorder.body.Len(); all.size > maxPartAnswer {
		return errAnswersTooLarge.WithDetail("They have more than %d bytes.", maxPartAnswer)
	}
	all.answers = append(all.answers, recorder.answer())
	return nil
}

// partOf makes the HTTP request of a part, its references filled in.
func (s *Server) partOf(outer *http.Request, all *transaction, part partRequest) (*http.Request, error) {
	path, err := all.fillPath(part.Path)
	if err != nil {
		return nil, err
	}
	if len(path) > maxPartPath {
		return nil, badTransaction("a path has more than %d bytes", maxPartPath)
	}
	body, err := all.fillBody(part.Body)
	if err != nil {
		return nil, err
	}
	ctx := context.WithValue(outer.Context(), partKey{}, all)
	inner, err := http.NewRequestWithContext(ctx, part.Method, s.prefix+path, request.NewMemoryBody(body))
	if err != nil {
		return nil, badTransaction("%s", err)
	}
	if clean := gopath.Clean(inner.URL.Path); clean != inner.URL.Path && clean+"/" != inner.URL.Path {
		return nil, badTransaction("the path %q is not a plain one", part.Path)
	}
	inner.ContentLength = int64(len(body))
	inner.Header = outer.Header.Clone()
	inner.Header.Del("Content-Length")
	for _, own := range ownHeaders {
		inner.Header.Del(own)
	}
	for name, value := range part.Headers {
		if slices.Contains(ownHeaders, http.CanonicalHeaderKey(name)) {
			inner.Header.Set(name, value)
		}
	}
	return inner, nil
}

// partRecorder keeps the answer of a part.
type partRecorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (p *partRecorder) Header() http.Header            { return p.header }
func (p *partRecorder) WriteHeader(status int)         { p.status = status }
func (p *partRecorder) Write(text []byte) (int, error) { return p.body.Write(text) }

func (p *partRecorder) answer() partAnswer {
	found := partAnswer{Status: p.status, Headers: make(map[string]string), Body: bytes.TrimSpace(p.body.Bytes())}
	for name := range p.header {
		found.Headers[strings.ToLower(name)] = strings.Join(p.header.Values(name), ", ")
	}
	if len(found.Body) > 0 && !json.Valid(found.Body) {
		found.Body, _ = json.Marshal(p.body.String()) // a text, such as CSV
	}
	return found
}

// write answers with a part's error and its number.
func (e *partError) write(w http.ResponseWriter) error {
	for name, values := range e.answer.header {
		w.Header()[name] = values
	}
	body := e.answer.body.Bytes()
	if bytes.HasPrefix(body, []byte("{")) && bytes.HasSuffix(body, []byte("}")) {
		body = append(body[:len(body)-1], `,"request":`...)
		body = append(strconv.AppendInt(body, int64(e.number), 10), '}')
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.answer.status)
	_, _ = w.Write(body)
	return nil
}
