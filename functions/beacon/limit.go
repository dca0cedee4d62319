package beacon

import (
	"net/netip"
	"sync"
	"time"
)

// At most beaconsPerWindow of an address are looked at in a window. Many people
// may share one address, and each page that leaves sends one.
const (
	beaconsPerWindow = 120
	window           = time.Minute
	keptAddresses    = 10_000 // more in one window are not told apart any more
)

// limit counts by address. It is this server's own: each beacon costs one
// statement, which is what it bounds.
type limit struct {
	now func() time.Time

	mu    sync.Mutex
	ends  time.Time
	count map[netip.Addr]int
}

func newLimit(now func() time.Time) *limit {
	return &limit{now: now, count: make(map[netip.Addr]int)}
}

func (l *limit) allow(address netip.Addr) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.now(); !now.Before(l.ends) {
		l.ends = now.Add(window)
		clear(l.count)
	}
	if _, known := l.count[address]; !known && len(l.count) >= keptAddresses {
		address = netip.Addr{}
	}
	l.count[address]++
	return l.count[address] <= beaconsPerWindow
}
