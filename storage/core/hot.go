package core

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

// hotLargest is the most bytes of a blob that is kept in memory. Above it, what
// the kernel saves by sending from a file is more than what opening it costs.
const hotLargest = 256 << 10

// askedMost is how many names are remembered that were asked for once.
const askedMost = 1 << 14

// hot keeps the bytes of small blobs that are asked for again and again. A blob
// never changes, so what is kept is never wrong; which blob an object has is for
// its row to say.
//
// A blob is kept from the second time on. There are two generations of half the
// bytes each: when the young one is full it becomes the old one, and the former
// old one is dropped. What is in use moves on to the young one.
type hot struct {
	half int64 // bytes of a generation; 0: nothing is kept

	mu         sync.RWMutex
	bytes      int64 // of the young generation
	young, old map[string][]byte
	asked      map[string]struct{}

	hits, misses atomic.Uint64
}

// MemoryStats tells of the small objects that are in memory.
type MemoryStats struct {
	Bytes, Objects int
	Hits, Misses   uint64 // readings from memory, and those of the store
}

func (h *hot) stats() MemoryStats {
	h.mu.RLock()
	defer h.mu.RUnlock()
	stats := MemoryStats{Objects: len(h.young) + len(h.old), Hits: h.hits.Load(), Misses: h.misses.Load()}
	for _, generation := range []map[string][]byte{h.young, h.old} {
		for _, content := range generation {
			stats.Bytes += len(content)
		}
	}
	return stats
}

func newHot(maxBytes int64) *hot {
	return &hot{half: maxBytes / 2, young: make(map[string][]byte), asked: make(map[string]struct{})}
}

// get gives a blob's bytes, nil where they are not kept.
func (h *hot) get(name string) []byte {
	h.mu.RLock()
	content, ok := h.young[name]
	if ok {
		h.mu.RUnlock()
		return content
	}
	content, ok = h.old[name]
	h.mu.RUnlock()
	if ok {
		h.put(name, content)
	}
	return content
}

// wants tells whether a blob of so many bytes is to be kept.
func (h *hot) wants(name string, size int64) bool {
	if size <= 0 || size > min(hotLargest, h.half) {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, again := h.asked[name]; again {
		delete(h.asked, name)
		return true
	}
	if len(h.asked) >= askedMost {
		clear(h.asked)
	}
	h.asked[name] = struct{}{}
	return false
}

func (h *hot) put(name string, content []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, ok := h.young[name]; ok {
		return
	}
	if h.bytes+int64(len(content)) > h.half {
		h.old, h.young, h.bytes = h.young, make(map[string][]byte), 0
	}
	h.young[name] = content
	h.bytes += int64(len(content))
	delete(h.old, name)
}

// Kept are bytes that are in memory, for whoever can use them at once.
type Kept struct{ bytes.Reader }

func newKept(content []byte) *Kept {
	k := &Kept{}
	k.Reset(content)
	return k
}

// Close does nothing.
func (k *Kept) Close() error { return nil }

// Send writes so many bytes of what Open gave: those in memory at once, those of
// a file by way of the kernel, where the writer can.
func Send(w io.Writer, body io.Reader, length int64) error {
	if kept, ok := body.(*Kept); ok && int64(kept.Len()) == length {
		_, err := kept.WriteTo(w)
		return err
	}
	_, err := io.CopyN(w, body, length)
	return err
}
