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

// answer stands between a function and the client, so that a function which is
// given up on can write to it without harm.
type answer struct {
	w      http.ResponseWriter
	header http.Header // the function's, until the answer begins

	begins  chan struct{} // closed when the answer begins
	flooded chan struct{} // closed when it is too long
	closed  atomic.Bool   // nothing more may be written, whoever waits for mu

	mu    sync.Mutex
	left  int64 // bytes that may still be written
	begun bool
	ended error // why nothing may be written any more
}

func newAnswer(w http.ResponseWriter, most int64) *answer {
	return &answer{
		w: w, header: w.Header().Clone(), left: most,
		begins: make(chan struct{}), flooded: make(chan struct{}),
	}
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(status)
}

// over tells why nothing may be written any more; nil where it may.
func (a *answer) over() error {
	if a.ended == nil && a.closed.Load() {
		a.ended = http.ErrHandlerTimeout
	}
	return a.ended
}

// writeHeader sends status and headers. Those between 100 and 199, except 101,
// come before the answer.
func (a *answer) writeHeader(status int) {
	if a.begun || a.over() != nil {
		return
	}
	target := a.w.Header()
	clear(target)
	maps.Copy(target, a.header.Clone())
	if status >= 200 || status == http.StatusSwitchingProtocols {
		a.begun = true
		close(a.begins)
	}
	a.w.WriteHeader(status)
}

func (a *answer) Write(part []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.over(); err != nil {
		return 0, err
	}
	a.writeHeader(http.StatusOK)
	if int64(len(part)) > a.left {
		a.ended = errTooMuch
		close(a.flooded)
		return 0, a.ended
	}
	a.left -= int64(len(part))
	return a.w.Write(part)
}

// FlushError sends what was written so far.
func (a *answer) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.over(); err != nil {
		return err
	}
	a.writeHeader(http.StatusOK)
	return http.NewResponseController(a.w).Flush()
}

// Flush is FlushError for callers that look for http.Flusher.
func (a *answer) Flush() { _ = a.FlushError() }

// Hijack hands the connection over, as a WebSocket needs it.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.over(); err != nil {
		return nil, nil, err
	}
	conn, buffered, err := http.NewResponseController(a.w).Hijack()
	if err == nil && !a.begun {
		a.begun = true
		close(a.begins)
	}
	return conn, buffered, err
}

// finish ends the answer of a function that returned. An error after the answer
// began breaks the connection; before, it is the caller's to render.
func (a *answer) finish(err error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended != nil { // it was flooded
		err = a.ended
	}
	if err == nil {
		a.writeHeader(http.StatusOK)
	}
	a.closed.Store(true)
	return a.outcome(err)
}

// cut ends the answer of a function that still runs.
func (a *answer) cut(err error) error {
	// A write to, or a read from, a client that has stopped must not hold us up.
	control := http.NewResponseController(a.w)
	_ = control.SetReadDeadline(time.Unix(1, 0))
	select {
	case <-a.begins:
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

func (a *answer) outcome(err error) error {
	if err != nil && a.begun {
		return &brokenOff{err}
	}
	return err
}

// brokenOff is an error that came when the answer was on its way.
type brokenOff struct{ cause error }

func (b *brokenOff) Error() string { return "the answer was broken off: " + b.cause.Error() }
func (b *brokenOff) Unwrap() error { return b.cause }
