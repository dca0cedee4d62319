package blob

import (
	"context"
	"errors"
	"fmt"
	"io"

	"plaza/server/freespace"
)

// Guarded returns a store whose writes fail with ErrFull if the guard does not allow them.
// Deletes are always allowed.
func Guarded(store Store, guard *freespace.Guard) Store { return &guarded{store, guard} }

type guarded struct {
	Store
	guard *freespace.Guard
}

func (g *guarded) check(size int64) error { return wrapFull(g.guard.Check(size)) }

// wrapFull wraps freespace.ErrLow with ErrFull.
func wrapFull(err error) error {
	if errors.Is(err, freespace.ErrLow) && !errors.Is(err, ErrFull) {
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	return err
}

func (g *guarded) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	if err := g.check(size); err != nil {
		return 0, err
	}
	n, err := g.Store.Put(ctx, name, g.guard.Reader(r), size)
	return n, wrapFull(err)
}

func (g *guarded) Copy(ctx context.Context, from, to string) error {
	if err := g.check(0); err != nil {
		return err
	}
	return g.Store.Copy(ctx, from, to)
}

func (g *guarded) Begin(ctx context.Context, name string) (string, error) {
	if err := g.check(0); err != nil {
		return "", err
	}
	return g.Store.Begin(ctx, name)
}

func (g *guarded) PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (Part, error) {
	if size != 0 { // an empty part frees the space of the one that it replaces
		if err := g.check(size); err != nil {
			return Part{}, err
		}
	}
	part, err := g.Store.PutPart(ctx, name, upload, number, g.guard.Reader(r), size)
	return part, wrapFull(err)
}

func (g *guarded) Join(ctx context.Context, name, upload string, parts []Part) (Info, error) {
	var size int64
	if len(parts) > 1 { // a single part becomes the blob without a copy
		for _, part := range parts {
			size += part.Size
		}
		if err := g.check(size); err != nil {
			return Info{}, err
		}
	}
	return g.Store.Join(ctx, name, upload, parts)
}
