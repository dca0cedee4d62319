package edge

import (
	"errors"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"plaza/server/invoke"
)

// slotTimeout is how long a start waits while the maximum number of processes is running.
const slotTimeout = 10 * time.Second

// slots limits the number of processes.
type slots struct {
	timeout time.Duration
	taken   chan struct{}
	closing chan struct{}
	waiting atomic.Int64 // starts that wait
}

func newSlots(limit int) *slots {
	return &slots{timeout: slotTimeout, taken: make(chan struct{}, limit), closing: make(chan struct{})}
}

// isWanted reports whether a start waits for another process to end.
func (s *slots) isWanted() bool { return s.waiting.Load() > 0 }

// take waits until a process may start. If the maximum number is running, it stops the process that was
// unused for the longest time.
//
// Errors: 503 functions_busy after slotTimeout; one if the server is stopping.
func (s *slots) take(r *Runtime) error {
	select {
	case s.taken <- struct{}{}:
		return nil
	default:
	}
	s.waiting.Add(1) // before the search: a process that becomes unused later ends by itself
	defer s.waiting.Add(-1)
	r.stopLeastRecentlyUsed()
	timeout := time.NewTimer(s.timeout)
	defer timeout.Stop()
	select {
	case s.taken <- struct{}{}:
		return nil
	case <-s.closing:
		return errors.New("server is stopping")
	case <-timeout.C:
		busy := invoke.NewRelayError(http.StatusServiceUnavailable, "functions_busy", "As many functions are running as may at one time. Try again.")
		busy.Headers["Retry-After"] = "1"
		return busy
	}
}

func (s *slots) free() { <-s.taken }

// stopLeastRecentlyUsed stops the process that was unused for the longest time, if any is unused.
func (r *Runtime) stopLeastRecentlyUsed() {
	all := r.running()
	slices.SortFunc(all, func(a, b *child) int { return a.usedAt().Compare(b.usedAt()) })
	for _, c := range all {
		if c.retireUnused(r.cfg.WallClock) {
			return
		}
	}
}

// usedAt returns when the process's last call ended.
func (c *child) usedAt() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lastUsed
}
