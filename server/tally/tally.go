// Package tally has counters and timestamps for metrics.
package tally

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Of counts events by kind. Kinds are never removed, so their number must be bounded. The zero value
// is ready to use. A nil *Of counts nothing.
type Of[K comparable] struct {
	mu    sync.Mutex
	count map[K]uint64
}

// Add adds n to the count of a kind.
func (t *Of[K]) Add(kind K, n uint64) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == nil {
		t.count = make(map[K]uint64)
	}
	t.count[kind] += n
}

// All returns a copy of all counts.
func (t *Of[K]) All() map[K]uint64 {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.count)
}

// Moment is the time of the last occurrence of an event. The zero value means never.
type Moment struct{ milliseconds atomic.Int64 }

// Set records that the event occurred.
func (m *Moment) Set(now time.Time) { m.milliseconds.Store(now.UnixMilli()) }

// Get returns the time of the last occurrence, or the zero time for never.
func (m *Moment) Get() time.Time {
	at := m.milliseconds.Load()
	if at == 0 {
		return time.Time{}
	}
	return time.UnixMilli(at)
}
