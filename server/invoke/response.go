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

func (a *responseWriter) Header() http.Header { return a.header }

func (a *responseWriter) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(status)
}

// writeError returns why writes are refused, or nil if they are allowed.
func (a *responseWriter) writeError() error {
	if a.ended == nil && a.closed.Load() {
		a.ended = http.ErrHandlerTimeout
	}
	return a.ended
}

// writeHeader sends status and headers. Informational responses (1xx except 101) do not begin the
// response.
func (a *responseWriter) writeHeader(status int) {
	if a.begun || a.writeError() != nil {
		return
	}
	target := a.w.Header()
	clear(target)
	maps.Copy(target, a.header.Clone())
	if status >= 200 || status == http.StatusSwitchingProtocols {
		a.begun = true
		close(a.started)
	}
	a.w.WriteHeader(status)
}

func (a *responseWriter) Write(part []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.writeError(); err != nil {
		return 0, err
	}
	a.writeHeader(http.StatusOK)
	if int64(len(part)) > a.left {
		a.ended = errResponseTooLarge
		close(a.exceeded)
		return 0, a.ended
	}
	a.left -= int64(len(part))
	return a.w.Write(part)
}

// FlushError flushes the response.
func (a *responseWriter) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.writeError(); err != nil {
		return err
	}
	a.writeHeader(http.StatusOK)
	return http.NewResponseController(a.w).Flush()
}

// Flush is FlushError for callers that use http.Flusher.
func (a *responseWriter) Flush() { _ = a.FlushError() }

// Hijack takes over the connection, for example for a WebSocket.
func (a *responseWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.writeError(); err != nil {
		return nil, nil, err
	}
	conn, buffered, err := http.NewResponseController(a.w).Hijack()
	if err == nil && !a.begun {
		a.begun = true
		close(a.started)
	}
	return conn, buffered, err
}

// finish ends the response of a function that returned. It returns an error for the caller to
// render, or a *abortedError if the response had already begun.
func (a *responseWriter) finish(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended != nil { // the response exceeded its limit
		err = a.ended
	}
	if err == nil {
		a.writeHeader(http.StatusOK)
	}
	a.closed.Store(true)
	return a.outcome(err)
}

// abort ends the response of a function that is still running.
func (a *responseWriter) abort(err error) error {
	// A read from or write to a stalled client must not block this call.
	control := http.NewResponseController(a.w)
	_ = control.SetReadDeadline(time.Unix(1, 0))
	select {
	case <-a.started:
		_ = control.SetWriteDeadline(time.Unix(1, 0))
	default:
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begun {
		a.w.Header().Set("Connection", "close")
	}
	return a.outcome(err)
}

func (a *responseWriter) outcome(err error) error {
	if err != nil && a.begun {
		return &abortedError{err}
	}
	return err
}

// abortedError is an error that occurred after the response had begun.
type abortedError struct{ cause error }

func (b *abortedError) Error() string { return "response aborted: " + b.cause.Error() }
func (b *abortedError) Unwrap() error { return b.cause }
