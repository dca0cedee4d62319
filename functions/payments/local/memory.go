package local

import (
	"bytes"
	"io"
	"net/http"
)

// memory takes an answer that does not leave the process.
type memory struct {
	status int
	header http.Header
	body   bytes.Buffer
}

// ask has a handler answer a request.
func ask(handler http.Handler, r *http.Request) *http.Response {
	answer := &memory{header: http.Header{}}
	handler.ServeHTTP(answer, r)
	answer.WriteHeader(http.StatusOK)
	return &http.Response{
		Status: http.StatusText(answer.status), StatusCode: answer.status, Proto: r.Proto, ProtoMajor: r.ProtoMajor, ProtoMinor: r.ProtoMinor,
		Header: answer.header, Body: io.NopCloser(&answer.body), ContentLength: int64(answer.body.Len()), Request: r,
	}
}

func (m *memory) Header() http.Header { return m.header }

func (m *memory) WriteHeader(status int) {
	if m.status == 0 {
		m.status = status
	}
}

func (m *memory) Write(text []byte) (int, error) {
	m.WriteHeader(http.StatusOK)
	return m.body.Write(text)
}
