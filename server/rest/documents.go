package rest

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sync"

	"plaza/server/rest/openapi"
	"plaza/server/rest/schema"
)

// maxDocuments limits the size of the document cache, in bytes. The document of a
// schema with 10,000 tables has about 20 MB.
const maxDocuments = 64 << 20

// documentCache holds encoded OpenAPI documents. Callers with the same privileges
// share a document. The cache is replaced together with the schema snapshot.
type documentCache struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte][]byte
	size    int
}

// write appends the document for the given options to out.
func (d *documentCache) write(snapshot *schema.Snapshot, options openapi.Options, out *bytes.Buffer) error {
	key := digest(options)
	d.mu.Lock()
	cached, ok := d.entries[key]
	d.mu.Unlock()
	if ok {
		out.Write(cached)
		return nil
	}
	before := out.Len()
	if err := openapi.Build(snapshot, options).Write(out); err != nil {
		return err
	}
	d.store(key, bytes.Clone(out.Bytes()[before:]))
	return nil
}

func (d *documentCache) store(key [sha256.Size]byte, text []byte) {
	if len(text) > maxDocuments {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, exists := d.entries[key]; exists {
		return
	}
	if d.entries == nil || d.size+len(text) > maxDocuments {
		d.entries, d.size = make(map[[sha256.Size]byte][]byte), 0
	}
	d.entries[key] = text
	d.size += len(text)
}

// digest returns the cache key: a hash of everything that a document depends on,
// apart from settings and schema.
func digest(o openapi.Options) (sum [sha256.Size]byte) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %t\n", o.Schema, o.Description, o.Access == nil)
	if o.Access != nil {
		for _, name := range slices.Sorted(maps.Keys(o.Access.Tables)) {
			fmt.Fprintf(hash, "%q\n", name)
		}
		for _, oid := range slices.Sorted(maps.Keys(o.Access.Functions)) {
			_ = binary.Write(hash, binary.BigEndian, oid) // a hash never fails
		}
	}
	hash.Sum(sum[:0])
	return sum
}
