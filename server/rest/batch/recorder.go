package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Recorder keeps the answer of a part.
type Recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// NewRecorder returns one that nothing was written to.
func NewRecorder() *Recorder { return &Recorder{header: make(http.Header), status: http.StatusOK} }

// Header returns the headers to be.
func (r *Recorder) Header() http.Header { return r.header }

// WriteHeader sets the status.
func (r *Recorder) WriteHeader(status int) { r.status = status }

// Write adds to the body.
func (r *Recorder) Write(text []byte) (int, error) { return r.body.Write(text) }

func (r *Recorder) answer() answer {
	found := answer{Status: r.status, Headers: make(map[string]string), Body: bytes.TrimSpace(r.body.Bytes())}
	for name := range r.header {
		found.Headers[strings.ToLower(name)] = strings.Join(r.header.Values(name), ", ")
	}
	if len(found.Body) > 0 && !json.Valid(found.Body) {
		found.Body, _ = json.Marshal(r.body.String()) // a text, such as CSV
	}
	return found
}

// Fail makes the answer one of a failure, whatever status it has.
func (r *Recorder) Fail() { r.status = max(r.status, http.StatusBadRequest) }

// Error is the failure of a part.
type Error struct {
	number int
	answer *Recorder
}

func (e *Error) Error() string { return fmt.Sprintf("request %d failed", e.number) }

// Write answers with a part's error and its number.
func (e *Error) Write(w http.ResponseWriter) {
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
}
