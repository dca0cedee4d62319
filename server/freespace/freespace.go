// Package freespace keeps a minimum of free space on a file system: data from clients is
// rejected before it uses the space that the database on the same disk needs.
package freespace

import (
	"errors"
	"fmt"
	"io"
)

// ErrLow is returned if a write would leave less free space than the floor.
var ErrLow = errors.New("the file system has too little free space")

// Space is the size of a file system, in bytes. Free is the space available to users
// other than root.
type Space struct{ Free, Total int64 }

// Floor is the minimum of free bytes. Auto means 1 GiB or 5 % of the file system,
// whichever is less; 0 means no minimum.
type Floor int64

// Auto is the default floor.
const Auto Floor = -1

const (
	autoBytes = 1 << 30
	autoShare = 20 // 1/20 is 5 %
)

// Bytes returns the floor of a file system.
func (f Floor) Bytes(s Space) int64 {
	if f == Auto {
		return min(autoBytes, s.Total/autoShare)
	}
	return int64(f)
}

// Guard enforces a floor for writes to a folder. A nil Guard allows everything.
type Guard struct {
	folder  string
	floor   Floor
	measure func(folder string) (Space, error)
}

// NewGuard returns a Guard for the file system of a folder.
func NewGuard(folder string, floor Floor) *Guard { return NewMeasuredGuard(folder, floor, Of) }

// NewMeasuredGuard is like NewGuard, but uses measure to determine the free space.
func NewMeasuredGuard(folder string, floor Floor, measure func(folder string) (Space, error)) *Guard {
	return &Guard{folder: folder, floor: floor, measure: measure}
}

// Check returns an error if size more bytes must not be written. It returns nil if the
// free space is not known.
//
// Errors: ErrLow.
func (g *Guard) Check(size int64) error {
	if g == nil || g.floor == 0 {
		return nil
	}
	space, err := g.measure(g.folder)
	if err != nil {
		return nil // no such folder yet, or the system cannot report the free space
	}
	if floor := g.floor.Bytes(space); space.Free-max(size, 0) < floor {
		return fmt.Errorf("%w: %s has %d bytes left, the floor is %d", ErrLow, g.folder, space.Free, floor)
	}
	return nil
}

// checkEvery is the number of bytes between two checks of the free space.
const checkEvery = 1 << 20

// Reader wraps r in a reader that fails with ErrLow when the free space falls below the
// floor. It is for data that is written to disk while it is read.
func (g *Guard) Reader(r io.Reader) io.Reader {
	if g == nil || g.floor == 0 {
		return r
	}
	return &reader{from: r, guard: g}
}

type reader struct {
	from   io.Reader
	guard  *Guard
	passed int
}

func (r *reader) Read(to []byte) (int, error) {
	if r.passed >= checkEvery {
		if err := r.guard.Check(0); err != nil {
			return 0, err
		}
		r.passed = 0
	}
	n, err := r.from.Read(to)
	r.passed += n
	return n, err
}
