package core

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"plaza/server/pg"
)

// cacheSize bounds the cached buckets and objects of public buckets; one takes about 1 KB.
const cacheSize = 1 << 15

// maxAge is how long a row is cached at most. Changes are notified at once; this limits
// how long a lost notification has an effect.
const maxAge = time.Minute

// cacheKey identifies an object of a public bucket or, with an empty object, a bucket.
type cacheKey struct{ bucket, object string }

// cache has buckets, and objects of public buckets. It is used only while this server receives
// the database's notifications: changes by others invalidate entries when the notification
// arrives, changes by this server at once.
//
// A row that changes while it is read is returned to those who wait for it, and not
// cached.
type cache struct {
	live    atomic.Bool // notifications are received
	mu      sync.RWMutex
	entries map[cacheKey]*entry
}

// entry is a row; until done is closed it is being read.
type entry struct {
	done  chan struct{}
	until time.Time
	value any
	err   error
}

func newCache() *cache { return &cache{entries: make(map[cacheKey]*entry)} }

// get returns a row from the cache or reads it. Concurrent callers share one read.
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
	if found.err != nil { // the request that read it may have been cancelled
		return read(ctx)
	}
	return found.value.(T), nil
}

// claim returns the entry of a key; mine means that it is new and the caller must fill it.
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
		c.evict()
	}
	found = &entry{done: make(chan struct{}), until: now.Add(maxAge)}
	c.entries[key] = found
	return found, true
}

// drop removes an entry unless it was replaced.
func (c *cache) drop(key cacheKey, old *entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[key] == old {
		delete(c.entries, key)
	}
}

// evict removes some entries at random: Go iterates over a map in random order.
func (c *cache) evict() {
	dropped := 0
	for key := range c.entries {
		if dropped++; dropped > cacheSize/8 {
			return
		}
		delete(c.entries, key)
	}
}

// invalidate removes an object or, with an empty object, a bucket and its objects.
func (c *cache) invalidate(bucket, object string) {
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

// reset removes all entries. live reports whether notifications are received from now on.
func (c *cache) reset(live bool) {
	c.live.Store(false)
	c.mu.Lock()
	c.entries = make(map[cacheKey]*entry)
	c.mu.Unlock()
	c.live.Store(live)
}

// channel is the channel of the notifications of storage.note_unused_blobs and
// storage.note_bucket, and of requests that take over an upload: "/holder".
const channel = "plaza_storage"

// watchChanges keeps the cache valid until ctx ends.
func (s *Service) watchChanges(ctx context.Context) {
	s.db.Watch(ctx, channel, func(context.Context, *pg.Listener) error {
		s.cache.reset(true)
		return nil
	}, func(what string) {
		bucket, object, _ := strings.Cut(what, "/")
		if bucket == "" {
			s.writers.stop(object)
			return
		}
		s.cache.invalidate(bucket, object)
	}, func(err error) {
		s.cache.reset(false)
		if ctx.Err() == nil {
			s.log.WarnContext(ctx, "no notifications about changes of stored objects", "error", err)
		}
	})
	s.cache.reset(false)
}

// Bucket returns a bucket without checking policies. Errors: InvalidBucketName, NoSuchBucket.
func (s *Service) Bucket(ctx context.Context, id string) (Bucket, error) {
	return get(ctx, s.cache, cacheKey{bucket: id}, func(ctx context.Context) (Bucket, error) {
		if err := CheckBucketName(id); err != nil {
			return Bucket{}, err
		}
		return s.Buckets.Find(ctx, Call{}.asService(), id)
	})
}

// publicObject returns an object of a public bucket.
func (s *Service) publicObject(ctx context.Context, bucket, key string) (Object, error) {
	return get(ctx, s.cache, cacheKey{bucket, key}, func(ctx context.Context) (Object, error) {
		return s.Trusted(ctx, Call{}, bucket, key)
	})
}
