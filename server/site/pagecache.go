package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"plaza/server/lru"
)

// Limits of kept pages.
const (
	maxKept      = 4096     // pages
	maxKeptBytes = 32 << 20 // compressed; a page has some 15 KB
	maxKey       = 512      // bytes
	// keptFor is how long a page is kept at most. It is dropped when the minute of the clock
	// ends, since pages show the time of day.
	keptFor      = time.Minute
	buildTimeout = 10 * time.Second // of a page that other requests may wait for
)

// PageCache is an in-memory cache of finished pages. Each has tags for what it shows; Drop removes
// the pages with some tags. Pages are kept only after SetListening(true), while all changes are
// reported. Requests for a page that is being built wait for it.
//
// A page whose tags are dropped while it is built is not kept, and requests that arrive after
// a change never wait for a page that was begun before it.
type PageCache struct {
	key func(*http.Request) (key string, ok bool)
	now func() time.Time

	mu           sync.Mutex
	listening    bool
	pages        *lru.Unlocked[string, *keptPage]
	bytes        int
	building     map[string]*building // newest build by key
	builds       map[*building]bool   // all, also those that no request may wait for
	hits, misses uint64
}

// keptPage is a page that is kept until a time.
type keptPage struct {
	*built

	until time.Time
}

// built is a finished page. It may be shared and is not changed.
type built struct {
	status   int
	location string // where the page has moved to; the other fields are empty then
	plain    []byte // nil in a kept page
	zipped   []byte
	tags     []string
	isWhole  bool // it may be kept: found, with all of its data
}

// building is a page that is being built.
type building struct {
	done    chan struct{}
	page    *built // set before done is closed; nil if building it failed
	dropped []string
	isStale bool // all pages were dropped meanwhile
}

// NewPageCache returns a PageCache that is empty until SetListening(true). key returns the cache key of a
// request's page; ok is false for a page that must not be kept.
func NewPageCache(key func(*http.Request) (string, bool), now func() time.Time) *PageCache {
	k := &PageCache{key: key, now: now, building: make(map[string]*building), builds: make(map[*building]bool)}
	k.pages = lru.NewUnlocked(maxKept, func(_ string, page *keptPage) { k.bytes -= len(page.zipped) })
	return k
}

// SetListening drops all pages. isListening means that Drop is called for all changes from now on.
func (k *PageCache) SetListening(isListening bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = isListening
	k.dropAll()
}

// DropAll drops all pages.
func (k *PageCache) DropAll() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.dropAll()
}

func (k *PageCache) dropAll() {
	k.pages.Purge()
	for one := range k.builds {
		one.isStale = true
	}
	clear(k.building)
}

// Drop drops the pages that have one of the tags.
func (k *PageCache) Drop(tags []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range k.pages.Keys() {
		if page, ok := k.pages.Peek(key); ok && intersect(page.tags, tags) {
			k.pages.Remove(key)
		}
	}
	// The tags of a page that is being built are not known yet; finish compares them.
	for one := range k.builds {
		one.dropped = append(one.dropped, tags...)
	}
	clear(k.building)
}

func intersect(some, others []string) bool {
	return slices.ContainsFunc(some, func(one string) bool { return slices.Contains(others, one) })
}

// PageCacheStats describes PageCache.
type PageCacheStats struct {
	Pages, Bytes int
	Hits, Misses uint64 // since the start
}

// Stats returns the size of the cache, and its hits and misses.
func (k *PageCache) Stats() PageCacheStats {
	k.mu.Lock()
	defer k.mu.Unlock()
	return PageCacheStats{k.pages.Len(), k.bytes, k.hits, k.misses}
}

// get returns the page of a request: kept, being built for another request, or built now.
func (k *PageCache) get(r *http.Request, build func(*http.Request) *built) *built {
	if k == nil {
		return build(r)
	}
	key, ok := k.key(r)
	if !ok || len(key) > maxKey {
		return build(r)
	}
	found, mine, other := k.claim(key)
	switch {
	case found != nil:
		return found
	case mine != nil:
		defer k.finish(key, mine)
		// The build goes on if this client disconnects: others wait for the page, and later
		// requests use it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), buildTimeout)
		defer cancel()
		mine.page = build(r.WithContext(ctx))
		return mine.page
	case other != nil:
		select {
		case <-other.done:
			if other.page != nil {
				return other.page
			}
		case <-r.Context().Done():
		}
	}
	return build(r)
}

// claim returns the kept page of a key, or a build: a new one that the caller must finish, or
// another request's. It returns nothing while no pages are kept.
func (k *PageCache) claim(key string) (found *built, mine, other *building) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.listening {
		return nil, nil, nil
	}
	if page, ok := k.pages.Get(key); ok {
		if k.now().Before(page.until) {
			k.hits++
			return page.built, nil, nil
		}
		k.pages.Remove(key)
	}
	if other = k.building[key]; other != nil {
		k.hits++
		return nil, nil, other
	}
	k.misses++
	mine = &building{done: make(chan struct{})}
	k.building[key], k.builds[mine] = mine, true
	return nil, mine, nil
}

// finish ends a build and keeps its page if the page is whole, not too large, and nothing in it
// has changed.
func (k *PageCache) finish(key string, one *building) {
	k.mu.Lock()
	defer k.mu.Unlock()
	close(one.done)
	delete(k.builds, one)
	if k.building[key] == one {
		delete(k.building, key)
	}
	if one.page == nil || !one.page.isWhole || one.isStale || intersect(one.page.tags, one.dropped) || len(one.page.zipped) > maxKeptBytes/16 {
		return
	}
	page := *one.page
	page.plain = nil
	until := k.now().Truncate(keptFor).Add(keptFor)
	k.pages.Remove(key) // Add would not report the one it replaces
	k.pages.Add(key, &keptPage{&page, until})
	for k.bytes += len(page.zipped); k.bytes > maxKeptBytes; {
		k.pages.RemoveOldest()
	}
}

// body returns the page, compressed with gzip if isZipped.
func (b *built) body(isZipped bool) ([]byte, error) {
	switch {
	case isZipped:
		return b.zipped, nil
	case b.plain != nil:
		return b.plain, nil
	}
	reader, err := gzip.NewReader(bytes.NewReader(b.zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
