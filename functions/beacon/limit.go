package beacon

import (
	"net/netip"
	"sync"
	"time"
)

// beaconsPerWindow is how many beacons of one address are handled per window. Many
// people may share one address, and each page that closes sends a beacon.
const (
	beaconsPerWindow = 120
	window           = time.Minute
	maxAddresses     = 10_000 // further addresses in one window share one counter
)

// limiter is a rate limiter by client address. Each server has its own: it bounds the
// number of statements, as each beacon costs one.
type limiter struct {
	now func() time.Time

	mu        sync.Mutex
	windowEnd time.Time
	counts    map[netip.Addr]int
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, counts: make(map[netip.Addr]int)}
}

func (l *limiter) allow(address netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); !now.Before(l.windowEnd) {
		l.windowEnd = now.Add(window)
		clear(l.counts)
	}
	if _, known := l.counts[address]; !known && len(l.counts) >= maxAddresses {
		address = netip.Addr{}
	}
	l.counts[address]++
	return l.counts[address] <= beaconsPerWindow
}
