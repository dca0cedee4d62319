package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// bootTimeout is how long a function may take to start. It may have to download modules.
const bootTimeout = time.Minute

// probeTimeout is how long a process may take to respond to a probe after a timeout.
const probeTimeout = 2 * time.Second

// Reasons for which a process is stopped, as functions see them in the event beforeunload. Source:
// Supabase's edge runtime.
const (
	reasonIdle     = "early_drop"
	reasonShutdown = "termination"
)

// child is a process that runs one function.
type child struct {
	name        string
	log         *lineLog
	token       string
	fingerprint uint64 // fingerprint of the files it was started from

	// These are set before ready is closed.
	began   time.Time
	pid     int
	dir     string       // folder of its files; its temporary files are in tempDir
	serve   http.Handler // proxy to the process; nil: it did not start
	failure error        // why it did not start
	address *url.URL

	ready    chan struct{} // closed when the process serves or has failed to start
	done     chan struct{} // closed when the process has ended
	probing  atomic.Bool
	busy     atomic.Bool   // it has background work
	exceeded atomic.Bool   // it was killed because it exceeded a limit
	progress atomic.Uint64 // changes when a call ends, and when the first call after an idle time begins

	mu       sync.Mutex
	stdin    io.WriteCloser // a message asks the process to end; nil before it is started
	users    int
	lastUsed time.Time
	retired  bool // it gets no new calls
	stopping bool
	idle     *time.Timer // retires the process after its last call
}

// acquire counts a new call. It returns false if the process is retired.
func (c *child) acquire() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.retired {
		return false
	}
	if c.idle != nil {
		c.idle.Stop()
	}
	if c.users == 0 {
		c.progress.Add(1)
	}
	c.users++
	return true
}

// release ends a call. After the last call it starts the idle timer, unless another function waits for
// a process.
func (c *child) release(r *Runtime) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.progress.Add(1)
	c.lastUsed = r.Now()
	switch c.users--; {
	case c.users > 0:
	case c.retired, r.slots.isWanted() && !c.busy.Load():
		c.stop(reasonIdle, r.cfg.WallClock)
	default:
		c.idle = time.AfterFunc(r.cfg.Idle, func() { c.retire(r.cfg.WallClock) })
	}
}

// retire refuses new calls and stops the process after its running calls. Background work may then
// take the given time.
func (c *child) retire(within time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.retired = true
	if c.users == 0 {
		c.stop(reasonIdle, within)
	}
}

// retireUnused stops the process if it has neither calls nor background work. It reports whether it did.
func (c *child) retireUnused(within time.Duration) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.users > 0 || c.retired || c.busy.Load() {
		return false
	}
	c.stop(reasonIdle, within)
	return true
}

// terminate stops the process although it may have calls.
func (c *child) terminate(within time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stop(reasonShutdown, within)
}

// stop asks the process to end when its background work is done, and kills it after the given time. A
// process that is not started yet is killed when it starts. c.mu is held.
func (c *child) stop(reason string, within time.Duration) {
	c.retired = true
	if c.stopping {
		return
	}
	c.stopping = true
	if c.stdin == nil {
		return
	}
	message, err := json.Marshal(map[string]any{"reason": reason, "within": within.Milliseconds()})
	if err == nil {
		_, err = c.stdin.Write(message) // does not block: the pipe is empty
	}
	_ = c.stdin.Close()
	if err != nil {
		c.kill()
		return
	}
	limit := time.AfterFunc(within, c.kill)
	go func() {
		<-c.done
		limit.Stop()
	}()
}

// kill kills the process and its children.
func (c *child) kill() {
	select {
	case <-c.done: // its pid may have been reused
	default:
		killGroup(c.pid)
	}
}

// isStopped reports whether the server asked the process to end.
func (c *child) isStopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stopping
}

// isReady reports whether the process serves or has failed to start.
func (c *child) isReady() bool {
	select {
	case <-c.ready:
		return true
	default:
		return false
	}
}

// hasFailed reports whether the process did not start.
func (c *child) hasFailed() bool { return c.isReady() && c.serve == nil }

// hasEnded reports whether the process has ended.
func (c *child) hasEnded() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// probe kills the process if it no longer responds, for example because of an endless loop.
func (c *child) probe() {
	if !c.probing.CompareAndSwap(false, true) {
		return
	}
	defer c.probing.Store(false)
	ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address.String(), nil)
	if err != nil {
		return
	}
	request.Header.Set(tokenHeader, c.token)
	request.Header.Set(probeHeader, "1")
	request.Close = true
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		c.log.warn("function does not respond and is killed")
		c.kill()
		return
	}
	_ = response.Body.Close()
}

// callError returns the error for a call that the process did not respond to.
func (c *child) callError(cause error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(cause, &tooLarge) {
		return cause
	}
	grace := time.NewTimer(time.Second) // the process's end is seen shortly after the connection is closed
	defer grace.Stop()
	select {
	case <-c.done:
		if c.exceeded.Load() || c.log.ranOutOfMemory() {
			return workerLimit().WithCause(cause)
		}
	case <-grace.C:
	}
	return workerError().WithCause(fmt.Errorf("%s: %w", c.name, cause))
}
