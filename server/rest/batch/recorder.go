package batch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// Recorder is an http.ResponseWriter that stores the response to a part.
type Recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// NewRecorder returns an empty Recorder.
func NewRecorder() *Recorder { return &Recorder{header: make(http.Header), status: http.StatusOK} }

// Header returns the response headers.
func (r *Recorder) Header() http.Header { return r.header }

// WriteHeader sets the response status.
func (r *Recorder) WriteHeader(status int) { r.status = status }

// Write appends to the response body.
func (r *Recorder) Write(text []byte) (int, error) { return r.body.Write(text) }

func (r *Recorder) response() response {
	stored := response{Status: r.status, Headers: make(map[string]string), Body: bytes.TrimSpace(r.body.Bytes())}
	for name := range r.header {
		stored.Headers[strings.ToLower(name)] = strings.Join(r.header.Values(name), ", ")
	}
	if len(stored.Body) > 0 && !json.Valid(stored.Body) {
		stored.Body, _ = json.Marshal(r.body.String()) // text such as CSV
	}
	return stored
}

// Fail marks the response as failed by raising its status to at least 400.
func (r *Recorder) Fail() { r.status = max(r.status, http.StatusBadRequest) }

// Error is the failure of a part.
type Error struct {
	number   int
	response *Recorder
}

func (e *Error) Error() string { return fmt.Sprintf("request %d failed", e.number) }

// Write sends the part's error response, with the part's number added to a JSON object.
func (e *Error) Write(w http.ResponseWriter) {
	for name, values := range e.response.header {
		w.Header()[name] = values
	}
	body := e.response.body.Bytes()
	if bytes.HasPrefix(body, []byte("{")) && bytes.HasSuffix(body, []byte("}")) {
		body = append(body[:len(body)-1], `,"request":`...)
		body = append(strconv.AppendInt(body, int64(e.number), 10), '}')
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(e.response.status)
	_, _ = w.Write(body)
}
