// Package tally counts what happens, for whoever asks later.
package tally

import (
	"maps"
	"sync"
	"sync/atomic"
	"time"
)

// Of counts things apart by kind. There have to be few kinds: none is forgotten.
// Its zero value is ready, and nil counts nothing.
type Of[K comparable] struct {
	mu    sync.Mutex
	count map[K]uint64
}

// Add counts n more of a kind.
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

// Moment is when something happened last. Its zero value says never.
type Moment struct{ milliseconds atomic.Int64 }

// Set notes that it happens.
func (m *Moment) Set(now time.Time) { m.milliseconds.Store(now.UnixMilli()) }

// Get returns the last time; zero for never.
func (m *Moment) Get() time.Time {
	at := m.milliseconds.Load()
	if at == 0 {
		return time.Time{}
	}
	return time.UnixMilli(at)
}
