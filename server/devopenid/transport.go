package devopenid

import (
	"bytes"
	"io"
	"net/http"
)

// NewTransport returns a transport that passes requests to handler within the process, so that the server
// can call its own provider at any URL.
func NewTransport(handler http.Handler) http.RoundTripper { return handlerTransport{handler} }

type handlerTransport struct{ handler http.Handler }

func (d handlerTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body == nil {
		request = request.Clone(request.Context())
		request.Body = http.NoBody
	}
	defer func() { _ = request.Body.Close() }()
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	d.handler.ServeHTTP(answer, request)
	return &http.Response{
		Status: http.StatusText(answer.status), StatusCode: answer.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()), Request: request,
	}, nil
}

// recorder records a response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header            { return r.header }
func (r *recorder) WriteHeader(status int)         { r.status = status }
func (r *recorder) Write(text []byte) (int, error) { return r.body.Write(text) }
