package image

import (
	"cmp"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"

	"plaza/server/freespace"
)

// Cache stores results as files, up to a maximum total size. It evicts the least recently
// used first. Concurrent requests for the same result render it only once.
type Cache struct {
	folder string
	max    int64
	making singleflight.Group
	guard  *freespace.Guard

	mu     sync.Mutex
	bytes  int64
	recent *list.List // of *cacheEntry, the most recently used first
	byName map[string]*list.Element

	hits, misses atomic.Uint64
}

// CacheStats holds statistics of a cache.
type CacheStats struct {
	Bytes, MaxBytes int64
	Files           int
	Hits, Misses    uint64
}

// Stats returns the current statistics.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Bytes: c.bytes, MaxBytes: c.max, Files: c.recent.Len(), Hits: c.hits.Load(), Misses: c.misses.Load()}
}

// cacheEntry is a file of the cache.
type cacheEntry struct {
	name string
	size int64
}

// types maps the extensions of the cache's files to media types.
var types = map[string]string{"jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp"}

// OpenCache opens the cache in a folder, which it creates if necessary. It reuses existing
// results. Nothing else may use the folder.
func OpenCache(folder string, maxBytes int64) (*Cache, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("cache of images: %w", err)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("cache of images: %w", err)
	}
	var found []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			found = append(found, info)
		}
	}
	slices.SortFunc(found, func(a, b fs.FileInfo) int {
		return cmp.Or(a.ModTime().Compare(b.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	c := &Cache{folder: folder, max: maxBytes, recent: list.New(), byName: map[string]*list.Element{}}
	for _, info := range found {
		if _, ok := types[strings.TrimPrefix(filepath.Ext(info.Name()), ".")]; !ok {
			_ = os.Remove(filepath.Join(folder, info.Name())) // incomplete when the server ended
			continue
		}
		c.add(info.Name(), info.Size())
	}
	return c, nil
}

// Get opens the result of a key, and calls render if it is not in the cache. The file may
// be removed from the folder while it is open. If the caller that renders is cancelled,
// another waiting caller renders the result again.
//
// Errors: those of render; of writing the file.
func (c *Cache) Get(ctx context.Context, key string, render func() (Picture, error)) (file *os.File, contentType string, err error) {
	sum := sha256.Sum256([]byte(key))
	id := hex.EncodeToString(sum[:])
	for missed := false; ; {
		if file, contentType := c.open(id); file != nil {
			if !missed {
				c.hits.Add(1)
			}
			return file, contentType, nil
		}
		if !missed {
			missed = true
			c.misses.Add(1)
		}
		_, err, _ := c.making.Do(id, func() (any, error) { return nil, c.fill(id, render) })
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.Canceled)) {
			return nil, "", err
		}
	}
}

// open opens the file of an id. It returns nil if there is none.
func (c *Cache) open(id string) (*os.File, string) {
	for ending, contentType := range types {
		name := id + "." + ending
		c.mu.Lock()
		at, ok := c.byName[name]
		if ok {
			c.recent.MoveToFront(at)
		}
		c.mu.Unlock()
		if !ok {
			continue
		}
		file, err := os.Open(filepath.Join(c.folder, name))
		if err == nil {
			return file, contentType
		}
		c.remove(name)
	}
	return nil, ""
}

// fill renders and stores a result, unless another call has just done so.
func (c *Cache) fill(id string, render func() (Picture, error)) error {
	if file, _ := c.open(id); file != nil {
		return file.Close()
	}
	made, err := render()
	if err != nil {
		return err
	}
	if err := c.evictFor(int64(len(made.Bytes))); err != nil {
		return err
	}
	draft, err := os.CreateTemp(c.folder, "half-*")
	if err != nil {
		return fmt.Errorf("cache of images: %w", err)
	}
	name := id + "." + strings.TrimPrefix(made.ContentType, "image/")
	_, err = draft.Write(made.Bytes)
	if err = errors.Join(err, draft.Close()); err == nil {
		err = os.Rename(draft.Name(), filepath.Join(c.folder, name))
	}
	if err != nil {
		_ = os.Remove(draft.Name())
		return fmt.Errorf("cache of images: %w", err)
	}
	c.add(name, int64(len(made.Bytes)))
	return nil
}

// add adds an entry, and evicts old ones above the maximum size. The newest entry is
// never evicted, however large it is.
func (c *Cache) add(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byName[name]; ok {
		c.drop(at)
	}
	c.byName[name] = c.recent.PushFront(&cacheEntry{name, size})
	c.bytes += size
	for c.bytes > c.max && c.recent.Len() > 1 {
		oldest := c.recent.Back()
		_ = os.Remove(filepath.Join(c.folder, oldest.Value.(*cacheEntry).name))
		c.drop(oldest)
	}
}

func (c *Cache) remove(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byName[name]; ok {
		c.drop(at)
	}
}

// drop removes an entry from the index. The caller must hold the lock.
func (c *Cache) drop(at *list.Element) {
	entry := c.recent.Remove(at).(*cacheEntry)
	delete(c.byName, entry.name)
	c.bytes -= entry.size
}
