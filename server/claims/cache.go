package claims

import "sync"

// cachedTokens bounds the memory of verified tokens: at most twice this many are
// held, around 1 KB each.
const cachedTokens = 4096

// cache keeps verified tokens in two generations: when the young one is full it
// becomes the old one, and the former old one is dropped. A token in use moves
// on to the young generation, so only tokens nobody sends are lost.
type cache struct {
	mu         sync.RWMutex
	size       int
	young, old map[string]Caller
}

func newCache(size int) *cache {
	return &cache{size: size, young: make(map[string]Caller)}
}

func (c *cache) get(token string) (Caller, bool) {
	c.mu.RLock()
	who, ok := c.young[token]
	if ok {
		c.mu.RUnlock()
		return who, true
	}
	who, ok = c.old[token]
	c.mu.RUnlock()
	if ok {
		c.put(token, who)
	}
	return who, ok
}

func (c *cache) put(token string, who Caller) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young) >= c.size {
		c.old, c.young = c.young, make(map[string]Caller, c.size)
	}
	c.young[token] = who
}
