package invoke

import (
	"bufio"
	"maps"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// responseWriter is the ResponseWriter of a function. A function that continues after its timeout can
// safely write to it.
type responseWriter struct {
	w      http.ResponseWriter
	header http.Header // set by the function before the response begins

	started  chan struct{} // closed when the response begins
	exceeded chan struct{} // closed when the response exceeds its limit
	closed   atomic.Bool   // writes are refused, also those that wait for mu

	mu    sync.Mutex
	left  int64 // bytes that may still be written
	begun bool
	ended error // why writes are refused
}

func newResponseWriter(w http.ResponseWriter, limit int64) *responseWriter {
	return &responseWriter{
		w: w, header: w.Header().Clone(), left: limit,
		started: make(chan struct{}), exceeded: make(chan struct{}),
	}
}

func (rw *responseWriter) Header() http.Header { return rw.header }

func (rw *responseWriter) WriteHeader(status int) {
	rw.mu.Lock()
	defer rw.mu.Unlock()
	rw.writeHeader(status)
}

// writeError returns why writes are refused, or nil if they are allowed.
func (rw *responseWriter) writeError() error {
	if rw.ended == nil && rw.closed.Load() {
		rw.ended = http.ErrHandlerTimeout
	}
	return rw.ended
}

// writeHeader sends status and headers. Informational responses (1xx except 101) do not begin the
// response.
func (rw *responseWriter) writeHeader(status int) {
	if rw.begun || rw.writeError() != nil {
		return
	}
	target := rw.w.Header()
	clear(target)
	maps.Copy(target, rw.header.Clone())
	if status >= 200 || status == http.StatusSwitchingProtocols {
		rw.begun = true
		close(rw.started)
	}
	rw.w.WriteHeader(status)
}

func (rw *responseWriter) Write(part []byte) (int, error) {
	rw.mu.Lock()
	defer rw.mu.Unlock()
	if err := rw.writeError(); err != nil {
		return 0, err
	}
	rw.writeHeader(http.StatusOK)
	if int64(len(part)) > rw.left {
		rw.ended = errResponseTooLarge
		close(rw.exceeded)
		return 0, rw.ended
	}
	rw.left -= int64(len(part))
	return rw.w.Write(part)
}

// FlushError flushes the response.
func (rw *responseWriter) FlushError() error {
	rw.mu.Lock()
	defer rw.mu.Unlock()
	if err := rw.writeError(); err != nil {
		return err
	}
	rw.writeHeader(http.StatusOK)
	return http.NewResponseController(rw.w).Flush()
}

// Flush is FlushError for callers that use http.Flusher.
func (rw *responseWriter) Flush() { _ = rw.FlushError() }

// Hijack takes over the connection, for example for a WebSocket.
func (rw *responseWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	rw.mu.Lock()
	defer rw.mu.Unlock()
	if err := rw.writeError(); err != nil {
		return nil, nil, err
	}
	conn, buffered, err := http.NewResponseController(rw.w).Hijack()
	if err == nil && !rw.begun {
		rw.begun = true
		close(rw.started)
	}
	return conn, buffered, err
}

// finish ends the response of a function that returned. It returns an error for the caller to
// render, or a *abortedError if the response had already begun.
func (rw *responseWriter) finish(err error) error {
	rw.mu.Lock()
	defer rw.mu.Unlock()
	if rw.ended != nil { // the response exceeded its limit
		err = rw.ended
	}
	if err == nil {
		rw.writeHeader(http.StatusOK)
	}
	rw.closed.Store(true)
	return rw.outcome(err)
}

// abort ends the response of a function that is still running.
func (rw *responseWriter) abort(err error) error {
	// A read from or write to a stalled client must not block this call.
	control := http.NewResponseController(rw.w)
	_ = control.SetReadDeadline(time.Unix(1, 0))
	select {
	case <-rw.started:
		_ = control.SetWriteDeadline(time.Unix(1, 0))
	default:
	}
	rw.mu.Lock()
	defer rw.mu.Unlock()
	if !rw.begun {
		rw.w.Header().Set("Connection", "close")
	}
	return rw.outcome(err)
}

func (rw *responseWriter) outcome(err error) error {
	if err != nil && rw.begun {
		return &abortedError{err}
	}
	return err
}

// abortedError is an error that occurred after the response had begun.
type abortedError struct{ cause error }

func (b *abortedError) Error() string { return "response aborted: " + b.cause.Error() }
func (b *abortedError) Unwrap() error { return b.cause }
