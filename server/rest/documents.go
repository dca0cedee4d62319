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

// keptDocuments bounds the memory of documents, in bytes: that of a schema of
// 10,000 tables has some 20 MB.
const keptDocuments = 64 << 20

// documents are descriptions of the API as they were written, for callers who
// may see the same. They end with the schema they describe.
type documents struct {
	mu   sync.Mutex
	made map[[sha256.Size]byte][]byte
	size int
}

// write appends the document that options ask for.
func (d *documents) write(snapshot *schema.Snapshot, options openapi.Options, out *bytes.Buffer) error {
	key := digest(options)
	d.mu.Lock()
	known, ok := d.made[key]
	d.mu.Unlock()
	if ok {
		out.Write(known)
		return nil
	}
	before := out.Len()
	if err := openapi.Build(snapshot, options).Write(out); err != nil {
		return err
	}
	d.keep(key, bytes.Clone(out.Bytes()[before:]))
	return nil
}

func (d *documents) keep(key [sha256.Size]byte, text []byte) {
	if len(text) > keptDocuments {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, double := d.made[key]; double {
		return
	}
	if d.made == nil || d.size+len(text) > keptDocuments {
		d.made, d.size = make(map[[sha256.Size]byte][]byte), 0
	}
	d.made[key] = text
	d.size += len(text)
}

// digest stands for all that a document depends on beside settings and schema.
func digest(o openapi.Options) (sum [sha256.Size]byte) {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %q %t\n", o.Schema, o.Description, o.Access == nil)
	if o.Access != nil {
		for _, name := range slices.Sorted(maps.Keys(o.Access.Tables)) {
			fmt.Fprintf(hash, "%q\n", name)
		}
		for _, oid := range slices.Sorted(maps.Keys(o.Access.Functions)) {
			_ = binary.Write(hash, binary.BigEndian, oid) // a hash takes all
		}
	}
	hash.Sum(sum[:0])
	return sum
}
