// Package spool keeps bytes that one request needs as a whole: small ones in
// memory, larger ones in a temporary file that is mapped, so that a large body
// takes disk and page cache in place of the server's memory.
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

// InMemory is how many bytes are kept without a file, and without asking for room.
const InMemory = 1 << 20

// step is how many bytes of room a Buffer of unknown size asks for at a time.
const step = 4 << 20

// ErrNoRoom reports that other Buffers take all room, or that the disk is full.
var ErrNoRoom = errors.New("no room for a large body")

// KeepFree has the Room's files held to a floor of free space. Errors of Buffers then
// wrap freespace.ErrLow, too.
func (r *Room) KeepFree(guard *freespace.Guard) *Room {
	r.guard = guard
	return r
}

// Room bounds what all Buffers take together.
type Room struct {
	bytes  *semaphore.Weighted
	limit  int64
	wait   time.Duration // how long Buffers wait for each other
	folder string
	guard  *freespace.Guard
}

// NewRoom makes room for limit bytes in files of a folder; empty means the
// system's folder for temporary files.
func NewRoom(limit int64, wait time.Duration, folder string) *Room {
	return &Room{bytes: semaphore.NewWeighted(limit), limit: limit, wait: wait, folder: folder}
}

// Buffer takes bytes by Write and has them by Bytes. It must be closed, and is for
// one goroutine.
type Buffer struct {
	room     *Room
	memory   []byte
	file     *os.File
	size     int64
	reserved int64
	mapped   []byte
	gone     int // pages up to here have left the process
}

// New returns an empty Buffer.
func (r *Room) New() *Buffer { return &Buffer{room: r} }

// Reserve waits until there is room for size bytes, but not longer than the Room's
// Buffers wait. Buffers that may wait for each other reserve all they need at once.
//
// Errors: ErrNoRoom; ctx's.
func (b *Buffer) Reserve(ctx context.Context, size int64) error {
	size = min(size, b.room.limit)
	wait, cancel := context.WithTimeout(ctx, b.room.wait)
	defer cancel()
	if err := b.room.bytes.Acquire(wait, size); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return ErrNoRoom
	}
	b.reserved += size
	return nil
}

// Write appends a copy of text.
//
// Errors: ErrNoRoom.
func (b *Buffer) Write(text []byte) (int, error) {
	if b.file == nil && len(b.memory)+len(text) <= InMemory {
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
		if !b.room.bytes.TryAcquire(step) {
			return 0, ErrNoRoom
		}
		b.reserved += step
	}
	n, err := b.file.Write(text)
	b.size += int64(n)
	return n, noRoom(err)
}

// checkSpace looks at the free space at every step of a file's growth.
func (b *Buffer) checkSpace(more int) error {
	if b.size/step == (b.size+int64(more))/step && b.size > InMemory {
		return nil
	}
	return noRoom(b.room.guard.Check(int64(more)))
}

func (b *Buffer) openFile() error {
	if b.file != nil {
		return nil
	}
	file, err := os.CreateTemp(b.room.folder, "plaza-body-*")
	if err != nil {
		return noRoom(err)
	}
	b.file = file
	// Without a name, it goes with the process, however that ends.
	if err := os.Remove(file.Name()); err != nil {
		return noRoom(err)
	}
	_, err = file.Write(b.memory)
	b.memory = nil
	return noRoom(err)
}

func noRoom(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrNoRoom, err)
}

// Len returns the number of bytes written.
func (b *Buffer) Len() int64 { return b.size }

// Bytes returns what was written. The slice holds until Close; nothing may be
// written after.
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
			b.room.bytes.Release(surplus)
			b.reserved = b.size
		}
	}
	return b.mapped, nil
}

// Passed tells the Buffer that a part of Bytes, and what precedes it, is not needed
// soon, so that its pages may leave the process. part is a slice of Bytes with its
// capacity left as it is.
func (b *Buffer) Passed(part []byte) {
	end := cap(b.mapped) - cap(part) + len(part)
	if b.mapped == nil || end < 0 || end > len(b.mapped) {
		return // of another Buffer
	}
	if end < b.gone {
		b.gone = 0 // read once more
	}
	if end-b.gone >= step {
		forgetPages(b.mapped[b.gone:end])
		b.gone = end &^ (os.Getpagesize() - 1)
	}
}

// Close gives everything back. What Bytes returned must not be used any more.
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
	b.room.bytes.Release(b.reserved)
	b.reserved = 0
	return err
}
