package claims

import (
	"sync"
	"sync/atomic"
)

// cachedTokens bounds the number of cached tokens. An entry takes about 1 KB.
const cachedTokens = 8192

// Cache caches verified tokens in two generations. When the young generation is full, it replaces
// the old one, whose entries are evicted. A hit moves a token to the young generation, so tokens
// in use are not evicted.
type Cache struct {
	mu         sync.RWMutex
	generation int // maximum number of tokens in a generation
	young, old map[string]Caller

	lookups, hits, evictions atomic.Uint64
}

// NewCache returns an empty cache for a number of tokens. Zero disables the cache.
func NewCache(tokens int) *Cache {
	return &Cache{generation: (tokens + 1) / 2, young: make(map[string]Caller)}
}

// Get returns the caller of a cached token. The caller of Get must check whether the token has
// expired.
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

// Put caches a verified token.
func (c *Cache) Put(token string, who Caller) {
	if c.generation <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, twice := c.young[token]; twice {
		return
	}
	delete(c.old, token) // before the generations change, so that it does not count as evicted
	if len(c.young) >= c.generation {
		c.evictions.Add(uint64(len(c.old)))
		c.old, c.young = c.young, make(map[string]Caller, c.generation)
	}
	c.young[token] = who
}

// CacheStats are the counters of a cache.
type CacheStats struct{ Lookups, Hits, Evictions uint64 }

// Stats returns the current counters.
func (c *Cache) Stats() CacheStats {
	return CacheStats{c.lookups.Load(), c.hits.Load(), c.evictions.Load()}
}
