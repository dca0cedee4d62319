// Package lru provides the server's bounded in-memory caches, which evict the least
// recently used entry. They are implemented by hashicorp/golang-lru.
package lru

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache is safe for concurrent use.
type Cache[K comparable, V any] = lru.Cache[K, V]

// Unlocked is a cache without a lock. The caller must synchronize access.
type Unlocked[K comparable, V any] = simplelru.LRU[K, V]

// New returns a cache of at most size entries, at least one.
func New[K comparable, V any](size int) *Cache[K, V] {
	return must(lru.New[K, V](size))
}

// NewUnlocked returns a cache of at most size entries, at least one. evicted is called
// for each removed entry, but not for a replaced one; it may be nil.
func NewUnlocked[K comparable, V any](size int, evicted func(K, V)) *Unlocked[K, V] {
	return must(simplelru.NewLRU(size, evicted))
}

// must panics on an error, which occurs only for a size below one.
func must[C any](made C, err error) C {
	if err != nil {
		panic("lru: " + err.Error())
	}
	return made
}
