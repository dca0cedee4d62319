package edge

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"plaza/server/apierr"
)

// A function that fails to start, or ends shortly after its start, is restarted after a pause that
// doubles with each failure, unless its files change.
const (
	firstPause = 250 * time.Millisecond
	maxPause   = 15 * time.Second
	shortLife  = 2 * time.Second
)

// worker manages the process of one function.
type worker struct {
	runtime *Runtime
	spec    spec

	mu          sync.Mutex
	child       *child
	plan        plan
	planError   error
	fingerprint uint64 // of the planned files; 0: nothing is planned yet
	failures    int
	retryAt     time.Time
	closed      bool
}

// serve forwards a call to the function's process. It starts the process if there is none.
//
// Errors: 503 BOOT_ERROR, 503 functions_busy, 500 WORKER_ERROR, 546 WORKER_LIMIT; the cause of a cancelled request.
func (w *worker) serve(out http.ResponseWriter, r *http.Request) error {
	c, err := w.acquire()
	if err != nil {
		return err
	}
	defer c.release(w.runtime)
	select {
	case <-c.ready:
	case <-r.Context().Done():
		return context.Cause(r.Context())
	}
	if c.serve == nil {
		return startError(c.failure)
	}
	err = forward(c.serve, out, r)
	switch {
	case err == nil:
		return nil
	case r.Context().Err() != nil:
		c.probe()
		return context.Cause(r.Context())
	}
	return c.callError(err)
}

// acquire returns a process, which may still be starting, and counts this call.
//
// Errors: 503 BOOT_ERROR during a restart pause, after close, or if the function cannot be planned.
func (w *worker) acquire() (*child, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.checkFiles()
	if w.child != nil && !changed && !w.ended() && w.child.acquire() {
		return w.child, nil
	}
	if w.child != nil {
		w.child.retire(w.runtime.cfg.WallClock)
		w.child = nil
	}
	if w.closed || w.runtime.Now().Before(w.retryAt) {
		busy := bootError()
		busy.Headers["Retry-After"] = "1"
		return nil, busy
	}
	if w.planError != nil {
		w.recordFailure()
		return nil, bootError().WithCause(w.planError)
	}
	c := w.runtime.launch(w.plan, w.fingerprint)
	c.acquire()
	w.child = c
	return c, nil
}

// checkFiles plans the function at its first call and, in development, when its files have changed. It
// reports whether it did. A change ends a restart pause.
func (w *worker) checkFiles() bool {
	r := w.runtime
	if w.fingerprint != 0 && (!r.Development || r.fingerprint(w.plan.readable) == w.fingerprint) {
		return false
	}
	if s, ok := r.spec(w.spec.name, r.folder.Declared[w.spec.name]); ok {
		w.spec = s
	}
	w.plan, w.planError = r.plan(w.spec)
	w.fingerprint, w.failures, w.retryAt = r.fingerprint(w.plan.readable), 0, time.Time{}
	return true
}

// ended reports whether the process has ended. An early end counts as a failure.
func (w *worker) ended() bool {
	if !w.child.hasEnded() && !w.child.hasFailed() {
		return false
	}
	var refused *apierr.Error
	switch {
	case w.child.isStopped(), errors.As(w.child.failure, &refused): // the server ended it, or did not start it
	case w.child.hasFailed() || w.runtime.Now().Sub(w.child.began) < shortLife:
		w.recordFailure()
	default:
		w.failures = 0
	}
	return true
}

// current returns the process that serves, or nil.
func (w *worker) current() *child {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.child == nil || !w.child.isReady() || w.child.hasEnded() {
		return nil
	}
	return w.child
}

// recordFailure begins a restart pause.
func (w *worker) recordFailure() {
	w.retryAt = w.runtime.Now().Add(min(firstPause<<min(w.failures, 10), maxPause))
	w.failures++
}

// close refuses further calls.
func (w *worker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
}

// startError returns the error for a call of a function that did not start.
func startError(cause error) error {
	var known *apierr.Error
	if errors.As(cause, &known) {
		return cause
	}
	return bootError().WithCause(cause)
}
