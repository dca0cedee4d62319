// Package freespace keeps a floor of free space on a file system: what clients send is
// refused before it takes the room that the database beside it needs.
package freespace

import (
	"errors"
	"fmt"
	"io"
)

// ErrLow reports that a write would leave less free space than the floor.
var ErrLow = errors.New("the file system has too little free space")

// Space is the size of a file system, in bytes. Free is what a user other than root
// may take.
type Space struct{ Free, Total int64 }

// Floor is how many bytes stay free. Auto means 1 GiB or 5 % of the file system,
// whichever is less; 0 means no floor.
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

// Guard holds writes to a folder to a floor. A nil Guard allows everything.
type Guard struct {
	folder  string
	floor   Floor
	measure func(folder string) (Space, error)
}

// NewGuard returns a Guard of the file system that a folder is on.
func NewGuard(folder string, floor Floor) *Guard { return NewMeasuredGuard(folder, floor, Of) }

// NewMeasuredGuard returns a Guard that asks measure for the free space.
func NewMeasuredGuard(folder string, floor Floor, measure func(folder string) (Space, error)) *Guard {
	return &Guard{folder: folder, floor: floor, measure: measure}
}

// Check reports whether size more bytes may be written. Where the free space is not
// known they may. Errors: ErrLow.
func (g *Guard) Check(size int64) error {
	if g == nil || g.floor == 0 {
		return nil
	}
	space, err := g.measure(g.folder)
	if err != nil {
		return nil // no such folder yet, or a system that does not tell
	}
	if floor := g.floor.Bytes(space); space.Free-max(size, 0) < floor {
		return fmt.Errorf("%w: %s has %d bytes left, the floor is %d", ErrLow, g.folder, space.Free, floor)
	}
	return nil
}

// checkEvery is how many bytes pass between two looks at the free space.
const checkEvery = 1 << 20

// Reader returns r, which fails with ErrLow once the free space falls below the floor.
// It is for bytes that are written as they come.
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
