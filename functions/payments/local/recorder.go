package local

import (
	"bytes"
	"io"
	"net/http"
)

// recorder is an http.ResponseWriter that keeps the response in memory.
type recorder struct {
	status int
	header http.Header
	body   bytes.Buffer
}

// serveInMemory calls a handler and returns its response.
func serveInMemory(handler http.Handler, r *http.Request) *http.Response {
	w := &recorder{header: http.Header{}}
	handler.ServeHTTP(w, r)
	w.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: r.Proto, ProtoMajor: r.ProtoMajor, ProtoMinor: r.ProtoMinor,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *recorder) Write(data []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(data)
}
