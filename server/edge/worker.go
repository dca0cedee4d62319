package edge

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"
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
	fingerprint uint64
	failures    int
	retryAt     time.Time
	closed      bool
}

// serve forwards a call to the function's process. It starts the process if there is none.
//
// Errors: 503 BOOT_ERROR, 500 WORKER_ERROR, 546 WORKER_LIMIT.
func (w *worker) serve(out http.ResponseWriter, r *http.Request) error {
	c, err := w.acquire()
	if err != nil {
		return err
	}
	defer c.release(w.runtime.cfg.Idle)
	select {
	case <-c.ready:
	case <-r.Context().Done():
		return context.Cause(r.Context())
	}
	if !c.booted.Load() {
		return bootError().WithCause(errors.New("process ended before it served"))
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

// acquire returns a running process and counts this call.
func (w *worker) acquire() (*child, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.checkFiles()
	if w.child != nil && !changed && !w.ended() && w.child.acquire() {
		return w.child, nil
	}
	if w.child != nil {
		w.child.retire()
		w.child = nil
	}
	if w.closed || w.runtime.Now().Before(w.retryAt) {
		busy := bootError()
		busy.Headers["Retry-After"] = "1"
		return nil, busy
	}
	c, err := w.runtime.launch(w.spec, w.fingerprint)
	if err != nil {
		w.failed()
		return nil, bootError().WithCause(err)
	}
	c.acquire()
	w.child = c
	return c, nil
}

// checkFiles reports whether files have changed; only in development. A change ends a restart pause.
func (w *worker) checkFiles() bool {
	if !w.runtime.Development {
		return false
	}
	print := w.runtime.fingerprint()
	changed := print != w.fingerprint
	if changed {
		w.fingerprint, w.failures, w.retryAt = print, 0, time.Time{}
		if s, ok := w.runtime.spec(w.spec.name, w.runtime.folder.Declared[w.spec.name]); ok {
			w.spec = s
		}
	}
	return changed
}

// ended reports whether the process has ended. An early end counts as a failure.
func (w *worker) ended() bool {
	select {
	case <-w.child.done:
	default:
		return false
	}
	if !w.child.booted.Load() || w.runtime.Now().Sub(w.child.began) < shortLife {
		w.failed()
	} else {
		w.failures = 0
	}
	return true
}

// current returns the running process, or nil.
func (w *worker) current() *child {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.child == nil {
		return nil
	}
	select {
	case <-w.child.done:
		return nil
	default:
		return w.child
	}
}

func (w *worker) failed() {
	w.retryAt = w.runtime.Now().Add(min(firstPause<<min(w.failures, 10), maxPause))
	w.failures++
}

// close kills the process. It is not started again.
func (w *worker) close() {
	w.mu.Lock()
	w.closed = true
	c := w.child
	w.mu.Unlock()
	if c != nil {
		c.kill()
		<-c.done
	}
}
