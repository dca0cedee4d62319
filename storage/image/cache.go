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

// Cache keeps results as files, as many bytes of them as it may; what was not
// asked for the longest goes first. A result is made once, however many ask for
// it at the same time.
type Cache struct {
	folder string
	max    int64
	making singleflight.Group
	guard  *freespace.Guard

	mu     sync.Mutex
	bytes  int64
	recent *list.List // of *kept, the newest in front
	byName map[string]*list.Element

	hits, misses atomic.Uint64
}

// CacheStats tells what a cache holds, and how often it had what was asked for.
type CacheStats struct {
	Bytes, MaxBytes int64
	Files           int
	Hits, Misses    uint64
}

// Stats tells what the cache holds.
func (c *Cache) Stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Bytes: c.bytes, MaxBytes: c.max, Files: c.recent.Len(), Hits: c.hits.Load(), Misses: c.misses.Load()}
}

// kept is a file of the cache.
type kept struct {
	name string
	size int64
}

// types are the endings of the cache's files.
var types = map[string]string{"jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif", "webp": "image/webp"}

// OpenCache takes up what is left in a folder, which it makes where there is
// none. Nothing else may use the folder.
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
			_ = os.Remove(filepath.Join(folder, info.Name())) // half written when the server ended
			continue
		}
		c.note(info.Name(), info.Size())
	}
	return c, nil
}

// Get opens the result of a key, made by render where it is not there. The file
// may be removed from the folder while it is open. When the one whose render it is
// goes, by ctx, another that waits makes it anew.
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

// open returns the file of an id, nil where there is none.
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
		c.forget(name)
	}
	return nil, ""
}

// fill makes a result and keeps it, unless another call has just done so.
func (c *Cache) fill(id string, render func() (Picture, error)) error {
	if file, _ := c.open(id); file != nil {
		return file.Close()
	}
	made, err := render()
	if err != nil {
		return err
	}
	if err := c.makeRoom(int64(len(made.Bytes))); err != nil {
		return err
	}
	half, err := os.CreateTemp(c.folder, "half-*")
	if err != nil {
		return fmt.Errorf("cache of images: %w", err)
	}
	name := id + "." + strings.TrimPrefix(made.ContentType, "image/")
	_, err = half.Write(made.Bytes)
	if err = errors.Join(err, half.Close()); err == nil {
		err = os.Rename(half.Name(), filepath.Join(c.folder, name))
	}
	if err != nil {
		_ = os.Remove(half.Name())
		return fmt.Errorf("cache of images: %w", err)
	}
	c.note(name, int64(len(made.Bytes)))
	return nil
}

// note counts a file, and removes the oldest where there are too many bytes. The
// newest stays, however large it is.
func (c *Cache) note(name string, size int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byName[name]; ok {
		c.drop(at)
	}
	c.byName[name] = c.recent.PushFront(&kept{name, size})
	c.bytes += size
	for c.bytes > c.max && c.recent.Len() > 1 {
		oldest := c.recent.Back()
		_ = os.Remove(filepath.Join(c.folder, oldest.Value.(*kept).name))
		c.drop(oldest)
	}
}

func (c *Cache) forget(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byName[name]; ok {
		c.drop(at)
	}
}

// drop no longer counts a file. The lock is held.
func (c *Cache) drop(at *list.Element) {
	gone := c.recent.Remove(at).(*kept)
	delete(c.byName, gone.name)
	c.bytes -= gone.size
}
