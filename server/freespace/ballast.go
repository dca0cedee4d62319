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

// Ballast is a file that reserves disk space. It is removed when its file system is
// nearly full, so that the database can recover and an operator can delete files, and
// created again when enough space is free.
type Ballast struct {
	path    string
	size    int64
	log     *slog.Logger
	measure func(folder string) (Space, error)
	folder  string
}

const (
	// The ballast is removed if less than its size divided by releaseDivisor is free.
	// PostgreSQL needs 16 MB for its next file of the write-ahead log.
	releaseDivisor = 2
	// The ballast is created again if restoreFactor times its size is free, so that it is
	// not removed again immediately.
	restoreFactor = 4
	// checkInterval is how often Run checks the free space. PostgreSQL's writes fail as
	// soon as the disk is full.
	checkInterval = time.Second
)

// NewBallast returns a Ballast of size bytes at a path, whose folder must exist.
func NewBallast(folder, name string, size int64, log *slog.Logger) *Ballast {
	return NewMeasuredBallast(folder, name, size, log, Of)
}

// NewMeasuredBallast is like NewBallast, but uses measure to determine the free space.
func NewMeasuredBallast(folder, name string, size int64, log *slog.Logger, measure func(string) (Space, error)) *Ballast {
	return &Ballast{path: folder + string(os.PathSeparator) + name, size: size, log: log, measure: measure, folder: folder}
}

// RestoreAt returns how many bytes must be free so that a ballast of size bytes is created.
func RestoreAt(size int64) int64 { return restoreFactor * size }

// Missing reports whether the ballast file is missing, which means that the disk is or
// was full.
func (b *Ballast) Missing() bool {
	_, err := os.Stat(b.path)
	return b.size > 0 && errors.Is(err, fs.ErrNotExist)
}

// Keep checks the free space once, and removes or creates the file. With a size of 0 it
// removes the file.
func (b *Ballast) Keep(ctx context.Context) error {
	space, err := b.measure(b.folder)
	if err != nil {
		return nil // the system cannot report the free space
	}
	missing := b.Missing()
	switch {
	case b.size == 0:
		return ignoreMissing(os.Remove(b.path))
	case !missing && space.Free < b.size/releaseDivisor:
		if err := ignoreMissing(os.Remove(b.path)); err != nil {
			return fmt.Errorf("remove the ballast file: %w", err)
		}
		b.log.ErrorContext(ctx, "the disk is nearly full: the ballast file was removed; delete something",
			"path", b.path, "size_bytes", b.size, "free_bytes", space.Free)
	case missing && space.Free > restoreFactor*b.size:
		if err := b.write(); err != nil {
			return fmt.Errorf("create the ballast file: %w", err)
		}
		b.log.InfoContext(ctx, "ballast file created", "path", b.path, "size_bytes", b.size)
	}
	return nil
}

// write creates the file atomically, by renaming a temporary file.
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

// Run maintains the ballast until ctx ends.
func (b *Ballast) Run(ctx context.Context) {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	failed := false
	for {
		err := b.Keep(ctx)
		if err != nil && !failed {
			b.log.WarnContext(ctx, "cannot maintain the ballast file", "error", err)
		}
		failed = err != nil
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
