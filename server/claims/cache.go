package claims

import "sync"

// cachedTokens bounds the memory of verified tokens: at most twice this many are
// held, around 1 KB each.
const cachedTokens = 4096

// Cache keeps verified tokens in two generations: when the young one is full it
// becomes the old one, and the former old one is dropped. A token in use moves
// on to the young generation, so only tokens nobody sends are lost.
type Cache struct {
	mu         sync.RWMutex
	size       int
	young, old map[string]Caller
}

// NewCache makes an empty cache.
func NewCache() *Cache {
	return &Cache{size: cachedTokens, young: make(map[string]Caller)}
}

// Get gives the caller of a token seen before. Whether it has expired since is
// for the asker to tell.
func (c *Cache) Get(token string) (Caller, bool) {
	c.mu.RLock()
	who, ok := c.young[token]
	if ok {
		c.mu.RUnlock()
		return who, true
	}
	who, ok = c.old[token]
	c.mu.RUnlock()
	if ok {
		c.Put(token, who)
	}
	return who, ok
}

// Put remembers a token that was verified.
func (c *Cache) Put(token string, who Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[string]Caller, c.size)
	}
	c.young[token] = who
}
