package core

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// cacheSize bounds the buckets and objects of public buckets that are kept; one
// takes about 1 KB.
const cacheSize = 1 << 15

// keepFor is how long a row is kept at most. Changes are told in no time; this
// bounds what an unforeseen way to change a row can do.
const keepFor = time.Minute

// cacheKey is an object of a public bucket or, without a name, a bucket.
type cacheKey struct{ bucket, object string }

// cache keeps rows that everybody may see. It is used only while the database
// tells of changes: what others change is forgotten as soon as that is heard, what
// this server changes at once.
//
// A row that is being read when it changes is given to those who asked before,
// and not kept.
type cache struct {
	live    atomic.Bool // the database tells of changes
	mu      sync.RWMutex
	entries map[cacheKey]*entry
}

// entry is a row, or one that is being read until done is closed.
type entry struct {
	done  chan struct{}
	until time.Time
	value any
	err   error
}

func newCache() *cache { return &cache{entries: make(map[cacheKey]*entry)} }

// get returns a row from the cache, or reads it. Callers that ask for one at once
// share the reading.
func get[T any](ctx context.Context, c *cache, key cacheKey, read func(context.Context) (T, error)) (T, error) {
	if !c.live.Load() {
		return read(ctx)
	}
	found, mine := c.claim(key, time.Now())
	if mine {
		value, err := read(ctx)
		found.value, found.err = value, err
		close(found.done)
		if err != nil {
			c.drop(key, found)
		}
		return value, err
	}
	select {
	case <-found.done:
	default: // it is being read
		select {
		case <-found.done:
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
	if found.err != nil { // the other's request may have been given up
		return read(ctx)
	}
	return found.value.(T), nil
}

// claim returns the entry of a key; mine says that it is new and the caller's to
// fill.
func (c *cache) claim(key cacheKey, now time.Time) (found *entry, mine bool) {
	c.mu.RLock()
	found = c.entries[key]
	c.mu.RUnlock()
	if found != nil && now.Before(found.until) {
		return found, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if found = c.entries[key]; found != nil && now.Before(found.until) {
		return found, false
	}
	if len(c.entries) >= cacheSize {
		c.shrink()
	}
	found = &entry{done: make(chan struct{}), until: now.Add(keepFor)}
	c.entries[key] = found
	return found, true
}

// drop removes an entry unless another has taken its place.
func (c *cache) drop(key cacheKey, old *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[key] == old {
		delete(c.entries, key)
	}
}

// shrink drops some entries, whichever: Go walks a map in no certain order.
func (c *cache) shrink() {
	dropped := 0
	for key := range c.entries {
		if dropped++; dropped > cacheSize/8 {
			return
		}
		delete(c.entries, key)
	}
}

// forget drops an object's row or, without a name, a bucket and all in it.
func (c *cache) forget(bucket, object string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if object != "" {
		delete(c.entries, cacheKey{bucket, object})
		return
	}
	for key := range c.entries {
		if key.bucket == bucket {
			delete(c.entries, key)
		}
	}
}

// trust says whether changes are told from now on; all that is kept is dropped.
func (c *cache) trust(told bool) {
	c.live.Store(false)
	c.mu.Lock()
	c.entries = make(map[cacheKey]*entry)
	c.mu.Unlock()
	c.live.Store(told)
}

// channel is where storage.note_unused_blobs and storage.note_bucket tell of
// changes, and requests that want an upload tell its holder: "/holder".
const channel = "plaza_storage"

// follow keeps the cache true until ctx ends.
func (s *Service) follow(ctx context.Context) {
	s.db.Watch(ctx, channel, func() { s.cache.trust(true) }, func(what string) {
		bucket, object, _ := strings.Cut(what, "/")
		if bucket == "" {
			s.writers.stop(object)
			return
		}
		s.cache.forget(bucket, object)
	}, func(err error) {
		s.cache.trust(false)
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "changes of stored objects are not heard of", "error", err)
		}
	})
	s.cache.trust(false)
}

// Bucket finds a bucket, whoever asks. Errors: InvalidBucketName, NoSuchBucket.
func (s *Service) Bucket(ctx context.Context, id string) (Bucket, error) {
	return get(ctx, s.cache, cacheKey{bucket: id}, func(ctx context.Context) (Bucket, error) {
		if err := CheckBucketName(id); err != nil {
			return Bucket{}, err
		}
		return s.Buckets.Find(ctx, Call{}.asService(), id)
	})
}

// publicObject finds an object of a bucket that is public.
func (s *Service) publicObject(ctx context.Context, bucket, key string) (Object, error) {
	return get(ctx, s.cache, cacheKey{bucket, key}, func(ctx context.Context) (Object, error) {
		return s.Trusted(ctx, Call{}, bucket, key)
	})
}
