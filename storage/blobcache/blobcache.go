// Package blobcache is an in-memory cache of small blobs that are read often.
package blobcache

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"plaza/server/lru"
)

// maxBlob is the size in bytes of the largest blob that is cached.
const maxBlob = 256 << 10

// maxSeen is how many names of blobs that were read once are remembered.
const maxSeen = 1 << 14

// minFile is the size in bytes from which on an open file is cached instead of its
// content, where the store has files: the kernel then sends from its page cache. It
// also bounds how many files are open.
const minFile = 64 << 10

// Cache keeps blobs in memory, or as open files. A blob never changes, so an entry is
// never stale; an object's row says which blob it has.
//
// A blob is cached the second time it is read. There are two generations, each of half
// the bytes: when the young one is full it becomes the old one, and the former old one
// is evicted. An entry of the old generation that is read moves to the young one.
type Cache struct {
	half int64 // bytes of a generation; 0: nothing is cached

	mu         sync.RWMutex
	bytes      int64 // of the young generation
	young, old map[string]entry
	seen       *lru.Unlocked[string, struct{}]

	hits, misses atomic.Uint64
}

// entry is one blob: its content or a file. The file of an evicted entry is closed by
// the garbage collector, since a request may still be sending from it.
type entry struct {
	content []byte
	file    *os.File
	size    int64
}

// New returns a cache of at most maxBytes; 0 caches nothing.
func New(maxBytes int64) *Cache {
	return &Cache{half: maxBytes / 2, young: make(map[string]entry), seen: lru.NewUnlocked[string, struct{}](maxSeen, nil)}
}

// Stats describes the cache.
type Stats struct {
	Bytes, Objects int
	Hits, Misses   uint64 // since the start
}

// Stats returns the size of the cache, and its hits and misses.
func (c *Cache) Stats() Stats {
	c.mu.RLock()
	defer c.mu.RUnlock()
	stats := Stats{Objects: len(c.young) + len(c.old), Hits: c.hits.Load(), Misses: c.misses.Load()}
	for _, generation := range []map[string]entry{c.young, c.old} {
		for _, blob := range generation {
			stats.Bytes += int(blob.size)
		}
	}
	return stats
}

// Open returns at most length bytes of a cached blob from an offset on; ok is false
// where the blob is not cached or shorter than offset.
func (c *Cache) Open(name string, offset, length int64) (body io.ReadCloser, ok bool) {
	blob, ok := c.get(name)
	if !ok || offset < 0 || offset > blob.size {
		c.misses.Add(1)
		return nil, false
	}
	c.hits.Add(1)
	return blob.section(offset, length), true
}

func (c *Cache) get(name string) (blob entry, ok bool) {
	c.mu.RLock()
	blob, ok = c.young[name]
	if ok {
		c.mu.RUnlock()
		return blob, true
	}
	blob, ok = c.old[name]
	c.mu.RUnlock()
	if ok {
		c.put(name, blob)
	}
	return blob, ok
}

// Admits reports whether a blob that is not cached should be: it is small, and this is
// the second time that Admits is called for it.
func (c *Cache) Admits(name string, size int64) bool {
	if size <= 0 || size > min(maxBlob, c.half) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen.Remove(name) {
		return true
	}
	c.seen.Add(name, struct{}{})
	return false
}

// Add caches a blob of size bytes, which it reads from body, and returns a reader to
// use instead of body.
//
// Errors: io.ErrUnexpectedEOF where body is shorter; body's own.
func (c *Cache) Add(name string, body io.ReadCloser, size int64) (io.ReadCloser, error) {
	blob := entry{size: size}
	if file, ok := body.(*os.File); ok && size >= minFile {
		blob.file = file
	} else {
		defer func() { _ = body.Close() }()
		blob.content = make([]byte, size)
		if _, err := io.ReadFull(body, blob.content); err != nil {
			return nil, err
		}
	}
	c.put(name, blob)
	return blob.section(0, size), nil
}

func (c *Cache) put(name string, blob entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.young[name]; ok {
		return
	}
	if c.bytes+blob.size > c.half {
		c.old, c.young, c.bytes = c.young, make(map[string]entry), 0
	}
	c.young[name] = blob
	c.bytes += blob.size
	delete(c.old, name)
}

// section returns a reader of at most length bytes from an offset within the blob.
func (e entry) section(offset, length int64) io.ReadCloser {
	length = min(length, e.size-offset)
	if e.file != nil {
		return &fileSection{io.NewSectionReader(e.file, offset, length)}
	}
	section := &memorySection{}
	section.Reset(e.content[offset : offset+length])
	return section
}

type (
	memorySection struct{ bytes.Reader }
	fileSection   struct{ *io.SectionReader }
)

// Close does nothing.
func (*memorySection) Close() error { return nil }

// Close does nothing, since other requests read the same file.
func (*fileSection) Close() error { return nil }

// Send writes the next length bytes of body to w. The bytes of a cached blob are
// written at once, those of a cached file by the kernel if w can do so.
//
// Errors: io.EOF where there are fewer; w's.
func Send(w io.Writer, body io.Reader, length int64) error {
	switch section := body.(type) {
	case *memorySection:
		if int64(section.Len()) == length {
			_, err := section.WriteTo(w)
			return err
		}
	case *fileSection:
		if section.Size() == length {
			sent, err := io.Copy(w, section.SectionReader) // io.CopyN would hide its type
			if err == nil && sent < length {
				err = io.EOF
			}
			return err
		}
	}
	_, err := io.CopyN(w, body, length)
	return err
}
