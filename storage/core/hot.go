package core

import (
	"bytes"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"plaza/server/lru"
)

// hotLargest is the most bytes of a blob that is kept at hand.
const hotLargest = 256 << 10

// askedMost is how many names are remembered that were asked for once.
const askedMost = 1 << 14

// hotFile is from how many bytes on a file is kept open instead, where the store has
// files: the kernel then sends from its own pages. It also bounds how many are open.
const hotFile = 64 << 10

// hot keeps small blobs at hand that are asked for again and again: their bytes, or
// a file that is kept open. A blob never changes, so what is kept is never wrong;
// which blob an object has is for its row to say.
//
// A blob is kept from the second time on. There are two generations of half the
// bytes each: when the young one is full it becomes the old one, and the former
// old one is dropped. What is in use moves on to the young one.
type hot struct {
	half int64 // bytes of a generation; 0: nothing is kept

	mu         sync.RWMutex
	bytes      int64 // of the young generation
	young, old map[string]kept
	asked      *lru.Unlocked[string, struct{}]

	hits, misses atomic.Uint64
}

// kept is one blob: its bytes, or a file. A file that is dropped is closed by the
// collector, as somebody may be sending from it.
type kept struct {
	content []byte
	file    *os.File
	size    int64
}

// MemoryStats tells of the small objects that are at hand, in memory or as open files.
type MemoryStats struct {
	Bytes, Objects int
	Hits, Misses   uint64 // readings of what is at hand, and those of the store
}

func (h *hot) stats() MemoryStats {
	h.mu.RLock()
	defer h.mu.RUnlock()
	stats := MemoryStats{Objects: len(h.young) + len(h.old), Hits: h.hits.Load(), Misses: h.misses.Load()}
	for _, generation := range []map[string]kept{h.young, h.old} {
		for _, blob := range generation {
			stats.Bytes += int(blob.size)
		}
	}
	return stats
}

func newHot(maxBytes int64) *hot {
	return &hot{half: maxBytes / 2, young: make(map[string]kept), asked: lru.NewUnlocked[string, struct{}](askedMost, nil)}
}

// get returns a blob where it is kept.
func (h *hot) get(name string) (blob kept, ok bool) {
	h.mu.RLock()
	blob, ok = h.young[name]
	if ok {
		h.mu.RUnlock()
		return blob, true
	}
	blob, ok = h.old[name]
	h.mu.RUnlock()
	if ok {
		h.put(name, blob)
	}
	return blob, ok
}

// wants reports whether a blob of so many bytes is to be kept.
func (h *hot) wants(name string, size int64) bool {
	if size <= 0 || size > min(hotLargest, h.half) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.asked.Remove(name) {
		return true
	}
	h.asked.Add(name, struct{}{})
	return false
}

func (h *hot) put(name string, blob kept) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.young[name]; ok {
		return
	}
	if h.bytes+blob.size > h.half {
		h.old, h.young, h.bytes = h.young, make(map[string]kept), 0
	}
	h.young[name] = blob
	h.bytes += blob.size
	delete(h.old, name)
}

// part opens so many bytes from an offset within the blob.
func (k kept) part(offset, length int64) io.ReadCloser {
	length = min(length, k.size-offset)
	if k.file != nil {
		return &keptFile{io.NewSectionReader(k.file, offset, length)}
	}
	bytes := &keptBytes{}
	bytes.Reset(k.content[offset : offset+length])
	return bytes
}

type (
	keptBytes struct{ bytes.Reader }
	keptFile  struct{ *io.SectionReader }
)

// Close does nothing.
func (k *keptBytes) Close() error { return nil }

// Close does nothing: others read the file.
func (k *keptFile) Close() error { return nil }

// Send writes so many bytes of what Open gave: those in memory at once, those of
// a file by way of the kernel, where the writer can.
//
// Errors: io.EOF where there are fewer; the writer's.
func Send(w io.Writer, body io.Reader, length int64) error {
	switch kept := body.(type) {
	case *keptBytes:
		if int64(kept.Len()) == length {
			_, err := kept.WriteTo(w)
			return err
		}
	case *keptFile:
		if kept.Size() == length {
			sent, err := io.Copy(w, kept.SectionReader) // io.CopyN would hide what it is
			if err == nil && sent < length {
				err = io.EOF
			}
			return err
		}
	}
	_, err := io.CopyN(w, body, length)
	return err
}
