package changes

import (
	"sync/atomic"
	"time"

	"plaza/server/tally"
)

// counts are the counters since the start.
type counts struct {
	read      atomic.Uint64    // changes
	gaps      tally.Of[string] // by cause: lost or lag
	checks    atomic.Uint64    // visibility checks of rows
	delivered atomic.Uint64    // changes to channels
	took      atomic.Int64     // nanoseconds of visibility checks
}

// Stats are the counters of an Engine since its start.
type Stats struct {
	Live      bool              // the WAL is read
	Groups    int               // channels that receive changes
	Callers   int               // different callers among them
	Read      uint64            // changes in the WAL
	Delivered uint64            // changes to channels
	Checks    uint64            // visibility checks: one for a caller and a table
	CheckTime time.Duration     // time of the checks
	Gaps      map[string]uint64 // by cause: lost or lag
}

// Stats returns the current counters.
func (e *Engine) Stats() Stats {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return Stats{
		e.live, len(e.groups), len(e.callers), e.counts.read.Load(), e.counts.delivered.Load(), e.counts.checks.Load(),
		time.Duration(e.counts.took.Load()), e.counts.gaps.All(),
	}
}
