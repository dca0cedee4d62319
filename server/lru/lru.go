// Package lru makes the server's bounded caches in memory, which forget what was used
// least recently. They are hashicorp/golang-lru's.
package lru

import (
	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Cache is for use by several goroutines at once.
type Cache[K comparable, V any] = lru.Cache[K, V]

// Unlocked is for whoever holds a lock already, or is alone.
type Unlocked[K comparable, V any] = simplelru.LRU[K, V]

// New returns a cache of at most size entries, at least one.
func New[K comparable, V any](size int) *Cache[K, V] {
	return must(lru.New[K, V](size))
}

// NewUnlocked returns a cache of at most size entries, at least one. evicted is told of
// each that leaves, except of one that is replaced; nil tells nobody.
func NewUnlocked[K comparable, V any](size int, evicted func(K, V)) *Unlocked[K, V] {
	return must(simplelru.NewLRU(size, evicted))
}

// must returns made: the only error is that of a size below one.
func must[C any](made C, err error) C {
	if err != nil {
		panic("lru: " + err.Error())
	}
	return made
}
