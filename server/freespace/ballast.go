package freespace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"time"
)

// Ballast is a file that takes room until the room is needed: it is removed when its
// file system is nearly full, so that a database there can recover and an operator can
// delete something, and is made again once there is plenty.
type Ballast struct {
	path    string
	size    int64
	log     *slog.Logger
	measure func(folder string) (Space, error)
	folder  string
}

const (
	// releaseShare of its size left free has the ballast removed: PostgreSQL needs
	// 16 MB for its next file of the write-ahead log.
	releaseShare = 2
	// restoreTimes its size must be free for it to be made again, so that it does not
	// come and go.
	restoreTimes = 4
	// lookEvery is how often Run looks. A full disk ends PostgreSQL's writes at once.
	lookEvery = time.Second
)

// NewBallast returns a Ballast of size bytes at a path, whose folder must exist.
func NewBallast(folder, name string, size int64, log *slog.Logger) *Ballast {
	return NewMeasuredBallast(folder, name, size, log, Of)
}

// NewMeasuredBallast returns a Ballast that asks measure for the free space.
func NewMeasuredBallast(folder, name string, size int64, log *slog.Logger, measure func(string) (Space, error)) *Ballast {
	return &Ballast{path: folder + string(os.PathSeparator) + name, size: size, log: log, measure: measure, folder: folder}
}

// RestoreAt is how many bytes must be free for a ballast of size bytes to be made.
func RestoreAt(size int64) int64 { return restoreTimes * size }

// Missing reports whether there is no ballast: the disk was full, or is.
func (b *Ballast) Missing() bool {
	_, err := os.Stat(b.path)
	return b.size > 0 && errors.Is(err, fs.ErrNotExist)
}

// Keep looks at the free space once, and removes or makes the file. A size of 0 has it
// removed.
func (b *Ballast) Keep(ctx context.Context) error {
	space, err := b.measure(b.folder)
	if err != nil {
		return nil // a system that does not tell needs none
	}
	missing := b.Missing()
	switch {
	case b.size == 0:
		return ignoreMissing(os.Remove(b.path))
	case !missing && space.Free < b.size/releaseShare:
		if err := ignoreMissing(os.Remove(b.path)); err != nil {
			return fmt.Errorf("remove the ballast file: %w", err)
		}
		b.log.ErrorContext(ctx, "the disk is nearly full: the ballast file was removed; delete something",
			"path", b.path, "size_bytes", b.size, "free_bytes", space.Free)
	case missing && space.Free > restoreTimes*b.size:
		if err := b.write(); err != nil {
			return fmt.Errorf("make the ballast file: %w", err)
		}
		b.log.InfoContext(ctx, "the ballast file was made", "path", b.path, "size_bytes", b.size)
	}
	return nil
}

// write makes the file under another name first: a half-written one is none.
func (b *Ballast) write() error {
	draft := b.path + ".new"
	file, err := os.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = allocate(file, b.size)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(draft, b.path)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(os.Remove(draft)))
	}
	return nil
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Run keeps the ballast until ctx ends.
func (b *Ballast) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	failed := false
	for {
		err := b.Keep(ctx)
		if err != nil && !failed {
			b.log.WarnContext(ctx, "the ballast file is not kept", "error", err)
		}
		failed = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
