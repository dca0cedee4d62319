package auth

import (
	"sync"
	"time"
)

// recentAddresses bounds the memory of addresses that were asked for.
const recentAddresses = 10_000

// recently remembers which addresses a mail was asked for that was not sent,
// because nobody or a confirmed user has the address. Asking again at once is
// refused for those as it is for the others, where the database knows when the
// last mail went; otherwise the answer would tell them apart.
type recently struct {
	mu         sync.Mutex
	size       int
	young, old map[string]time.Time
}

func newRecently(size int) *recently {
	return &recently{size: size, young: make(map[string]time.Time)}
}

// wait notes a request and gives how long it comes too early, 0 if it does not.
func (m *recently) wait(key string, now time.Time, interval time.Duration) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, ok := m.young[key]
	if !ok {
		last, ok = m.old[key]
	}
	if left := last.Add(interval).Sub(now); ok && left > 0 {
		return left
	}
	if len(m.young) >= m.size {
		m.old, m.young = m.young, make(map[string]time.Time, m.size)
	}
	m.young[key] = now
	return 0
}
