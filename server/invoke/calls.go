package invoke

import (
	"maps"
	"net/http"
	"sync"
	"time"
)

// anyName is the name under which calls of functions with Wildcard are counted.
const anyName = "*"

// Calls counts the calls of functions. The zero value is ready to use. A nil *Calls counts nothing.
type Calls struct {
	mu    sync.Mutex
	count map[string]CallStats
}

// CallStats are the statistics of one function's calls.
type CallStats struct {
	Running  int
	Outcomes map[string]uint64 // finished calls: ok, refused (4xx), failed (5xx), timeout, busy, broken_off
	Spent    time.Duration     // total duration of finished calls
}

// Stats returns the statistics by function name. All functions of an external runtime are counted as
// "*".
func (c *Calls) Stats() map[string]CallStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := maps.Clone(c.count)
	for name, stats := range all {
		stats.Outcomes = maps.Clone(stats.Outcomes)
		all[name] = stats
	}
	return all
}

func (c *Calls) begin(n *invocation) {
	c.change(n, func(stats *CallStats) { stats.Running++ })
}

func (c *Calls) end(n *invocation, took time.Duration) {
	c.change(n, func(stats *CallStats) {
		stats.Running--
		stats.Outcomes[n.outcome()]++
		stats.Spent += took
	})
}

func (c *Calls) change(n *invocation, change func(*CallStats)) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.count == nil {
		c.count = make(map[string]CallStats)
	}
	stats, known := c.count[n.countedName]
	if !known {
		stats.Outcomes = make(map[string]uint64)
	}
	change(&stats)
	c.count[n.countedName] = stats
}

// outcome classifies how a call ended. "broken_off" is a response that was aborted.
func (n *invocation) outcome() string {
	switch {
	case n.aborted:
		return "broken_off"
	case n.code == codeTimeout:
		return "timeout"
	case n.code == codeBusy:
		return "busy"
	case n.status >= http.StatusInternalServerError:
		return "failed"
	case n.status >= http.StatusBadRequest:
		return "refused"
	}
	return "ok"
}
