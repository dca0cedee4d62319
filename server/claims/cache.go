package claims

import (
	"sync"
	"sync/atomic"
)

// cachedTokens is how many verified tokens are remembered at most, around 1 KB each.
const cachedTokens = 8192

// Cache keeps verified tokens in two generations: when the young one is full it
// becomes the old one, and the former old one is dropped. A token in use moves
// on to the young generation, so only tokens nobody sends are lost.
type Cache struct {
	mu         sync.RWMutex
	generation int
	young, old map[string]Caller

	lookups, hits, evictions atomic.Uint64
}

// NewCache makes an empty cache for as many tokens; none: it remembers nothing.
func NewCache(tokens int) *Cache {
	return &Cache{generation: (tokens + 1) / 2, young: make(map[string]Caller)}
}

// Get returns the caller of a token seen before. Whether it has expired since is
// for the asker to tell.
func (c *Cache) Get(token string) (Caller, bool) {
	if c.generation <= 0 {
		return Caller{}, false
	}
	c.lookups.Add(1)
	c.mu.RLock()
	who, ok := c.young[token]
	if ok {
		c.mu.RUnlock()
		c.hits.Add(1)
		return who, true
	}
	who, ok = c.old[token]
	c.mu.RUnlock()
	if ok {
		c.hits.Add(1)
		c.Put(token, who)
	}
	return who, ok
}

// Put remembers a token that was verified.
func (c *Cache) Put(token string, who Caller) {
	if c.generation <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.young[token]; twice {
		return
	}
	delete(c.old, token) // before old is let go: what moves is not evicted
	if len(c.young) >= c.generation {
		c.evictions.Add(uint64(len(c.old)))
		c.old, c.young = c.young, make(map[string]Caller, c.generation)
	}
	c.young[token] = who
}

// CacheStats counts how a cache was used.
type CacheStats struct{ Lookups, Hits, Evictions uint64 }

// Stats tells how the cache was used so far.
func (c *Cache) Stats() CacheStats {
	return CacheStats{c.lookups.Load(), c.hits.Load(), c.evictions.Load()}
}
