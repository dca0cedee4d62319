// Package spool buffers data that a request needs as a whole: small data in memory,
// larger data in a mapped temporary file, so that a large body uses disk and page cache
// instead of the server's memory.
package spool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"plaza/server/freespace"
)

// MaxInMemory is how many bytes are kept in memory, without a file and without using the
// quota.
const MaxInMemory = 1 << 20

// step is how many bytes a Buffer of unknown size reserves at a time.
const step = 4 << 20

// ErrNoSpace is returned if other Buffers use the whole quota, or if the file cannot be
// written, as on a full disk.
var ErrNoSpace = errors.New("no room for a large body")

// Quota limits the total size of all Buffers.
type Quota struct {
	bytes   *semaphore.Weighted
	limit   int64
	timeout time.Duration // of Reserve
	folder  string
	guard   *freespace.Guard
}

// NewQuota returns a quota of limit bytes in files of a folder. An empty folder means
// os.TempDir.
func NewQuota(limit int64, timeout time.Duration, folder string) *Quota {
	return &Quota{bytes: semaphore.NewWeighted(limit), limit: limit, timeout: timeout, folder: folder}
}

// WithGuard sets a guard for the free space of the files, and returns q. Errors of
// Buffers then also wrap freespace.ErrLow.
func (q *Quota) WithGuard(guard *freespace.Guard) *Quota {
	q.guard = guard
	return q
}

// Buffer stores data written by Write and returns it by Bytes. It must be closed. It
// must not be used concurrently.
type Buffer struct {
	quota     *Quota
	memory    []byte
	file      *os.File
	size      int64
	reserved  int64
	mapped    []byte
	discarded int // pages before this offset are no longer in the process's memory
}

// New returns an empty Buffer.
func (q *Quota) New() *Buffer { return &Buffer{quota: q} }

// Reserve waits until size bytes of the quota are free, up to the quota's timeout.
// Buffers that may wait for each other must reserve all they need at once.
//
// Errors: ErrNoSpace; the error of ctx.
func (b *Buffer) Reserve(ctx context.Context, size int64) error {
	size = min(size, b.quota.limit)
	if b.quota.bytes.TryAcquire(size) { // even if ctx has ended
		b.reserved += size
		return nil
	}
	waiting, cancel := context.WithTimeout(ctx, b.quota.timeout)
	defer cancel()
	if err := b.quota.bytes.Acquire(waiting, size); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrNoSpace
	}
	b.reserved += size
	return nil
}

// Write appends a copy of text.
//
// Errors: ErrNoSpace.
func (b *Buffer) Write(text []byte) (int, error) {
	if b.file == nil && len(b.memory)+len(text) <= MaxInMemory {
		b.memory = append(b.memory, text...)
		b.size = int64(len(b.memory))
		return len(text), nil
	}
	if err := b.openFile(); err != nil {
		return 0, err
	}
	if err := b.checkSpace(len(text)); err != nil {
		return 0, err
	}
	for b.size+int64(len(text)) > b.reserved {
		if !b.quota.bytes.TryAcquire(step) {
			return 0, ErrNoSpace
		}
		b.reserved += step
	}
	n, err := b.file.Write(text)
	b.size += int64(n)
	return n, wrapNoSpace(err)
}

// checkSpace checks the free space whenever the file grows by another step.
func (b *Buffer) checkSpace(more int) error {
	if b.size/step == (b.size+int64(more))/step && b.size > MaxInMemory {
		return nil
	}
	return wrapNoSpace(b.quota.guard.Check(int64(more)))
}

func (b *Buffer) openFile() error {
	if b.file != nil {
		return nil
	}
	file, err := os.CreateTemp(b.quota.folder, "plaza-body-*")
	if err != nil {
		return wrapNoSpace(err)
	}
	b.file = file
	// An unlinked file is deleted when the process ends, however it ends.
	if err := os.Remove(file.Name()); err != nil {
		return wrapNoSpace(err)
	}
	_, err = file.Write(b.memory)
	b.memory = nil
	return wrapNoSpace(err)
}

func wrapNoSpace(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrNoSpace, err)
}

// Len returns the number of bytes written.
func (b *Buffer) Len() int64 { return b.size }

// Bytes returns the written data. The slice is valid until Close. Write must not be
// called afterwards.
func (b *Buffer) Bytes() ([]byte, error) {
	if b.file == nil {
		return b.memory, nil
	}
	if b.mapped == nil {
		mapped, err := mapFile(b.file, int(b.size))
		if err != nil {
			return nil, fmt.Errorf("map a large body: %w", err)
		}
		b.mapped = mapped
		if surplus := b.reserved - b.size; surplus > 0 {
			b.quota.bytes.Release(surplus)
			b.reserved = b.size
		}
	}
	return b.mapped, nil
}

// Discard removes the data up to the end of part from the process's memory. It is read
// from the file again if it is accessed later. part must be a slice of the result of
// Bytes with unchanged capacity.
func (b *Buffer) Discard(part []byte) {
	end := cap(b.mapped) - cap(part) + len(part)
	if b.mapped == nil || end < 0 || end > len(b.mapped) {
		return // part belongs to another Buffer
	}
	if end < b.discarded {
		b.discarded = 0 // the data is read again
	}
	if end-b.discarded >= step {
		discardPages(b.mapped[b.discarded:end])
		b.discarded = end &^ (os.Getpagesize() - 1)
	}
}

// Close releases everything. The result of Bytes must not be used afterwards.
func (b *Buffer) Close() error {
	var err error
	if b.mapped != nil {
		err = unmap(b.mapped)
		b.mapped = nil
	}
	if b.file != nil {
		err = errors.Join(err, b.file.Close())
		b.file = nil
	}
	b.memory = nil
	b.quota.bytes.Release(b.reserved)
	b.reserved = 0
	return err
}
