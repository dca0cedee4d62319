package disk

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"plaza/storage/blob"
)

// bufferSize is the size of the copy buffer, in bytes.
const bufferSize = 128 << 10

var buffers = sync.Pool{New: func() any { return new([bufferSize]byte) }}

// Put writes a file.
func (s *Store) Put(ctx context.Context, name string, r io.Reader, size int64) (int64, error) {
	var written int64
	clean, err := fileName(name)
	if err == nil {
		err = s.create(clean, func(file *os.File) error {
			written, err = copyTo(ctx, file, r, size)
			return err
		})
	}
	if err != nil {
		return 0, fmt.Errorf("write blob %s: %w", name, wrapFull(err))
	}
	return written, nil
}

// copyTo copies r to a file and returns the number of bytes.
func copyTo(ctx context.Context, file *os.File, r io.Reader, size int64) (int64, error) {
	source := r
	if size != blob.UnknownSize {
		source = io.LimitReader(r, size+1)
	}
	buffer := buffers.Get().(*[bufferSize]byte)
	defer buffers.Put(buffer)
	written, err := io.CopyBuffer(writerOnly{file}, &untilCancelled{ctx, source}, buffer[:])
	if err == nil && size != blob.UnknownSize && written != size {
		err = io.ErrUnexpectedEOF
	}
	if err == nil {
		err = ctx.Err()
	}
	return written, err
}

// writerOnly hides (*os.File).ReadFrom, which would allocate its own buffer.
type writerOnly struct{ io.Writer }

// untilCancelled is a reader that fails when its context ends.
type untilCancelled struct {
	ctx context.Context
	r   io.Reader
}

func (u *untilCancelled) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.r.Read(p)
}

// create creates a file durably and atomically: fill writes a temporary file, which is
// then renamed. If anything fails, nothing is left.
func (s *Store) create(name string, fill func(*os.File) error) error {
	draft := s.draft()
	file, err := s.root.OpenFile(draft, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = fill(file)
	if err == nil {
		err = file.Sync()
	}
	err = errors.Join(err, file.Close())
	if err == nil {
		err = s.publish(draft, name)
	}
	if err != nil {
		return errors.Join(err, ignoreMissing(s.root.Remove(draft)))
	}
	return nil
}

// draft returns a new name for a temporary file.
func (s *Store) draft() string { return s.scratch + "/" + rand.Text() }

// publish moves a finished file to its name.
func (s *Store) publish(draft, name string) error {
	release := s.folders.retain(name)
	defer release()
	folder := path.Dir(name)
	if err := s.folders.ensure(folder); err != nil {
		return err
	}
	if err := s.root.Rename(draft, name); err != nil {
		return err
	}
	if err := s.folders.sync(folder); err != nil {
		return errors.Join(err, s.root.Remove(name))
	}
	return nil
}

// Copy creates a hard link, since blobs are immutable. If the file system does not support
// links, it copies the bytes.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	source, err := fileName(from)
	if err != nil {
		return fmt.Errorf("copy blob %s: %w", from, wrapNotFound(err))
	}
	target, err := fileName(to)
	if err == nil {
		err = s.link(source, target)
	}
	if err == nil {
		return nil
	}
	file, info, openErr := s.open(from)
	if openErr != nil {
		return fmt.Errorf("copy blob %s: %w", from, openErr)
	}
	defer func() { _ = file.Close() }()
	_, err = s.Put(ctx, to, file, info.Size())
	return err
}

func (s *Store) link(from, to string) error {
	draft := s.draft()
	if err := s.root.Link(from, draft); err != nil {
		return err
	}
	err := s.publish(draft, to)
	// If both names already are the same file, rename does not remove the draft.
	return errors.Join(err, ignoreMissing(s.root.Remove(draft)))
}

// Delete removes files, and nested folders that become empty.
func (s *Store) Delete(_ context.Context, names ...string) error {
	touched := map[string]bool{}
	for _, name := range names {
		clean, err := fileName(name)
		if err != nil {
			continue
		}
		err = s.root.Remove(clean)
		if err == nil {
			touched[path.Dir(clean)] = true
		} else if !errors.Is(wrapNotFound(err), blob.ErrNotFound) {
			return fmt.Errorf("delete blob %s: %w", name, err)
		}
	}
	for folder := range touched {
		if err := s.folders.sync(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("delete blobs in %s: %w", folder, err)
		}
		s.folders.prune(folder)
	}
	return nil
}

// listBatch is the number of directory entries that are read at a time.
const listBatch = 1024

// List walks the folders that match the prefix.
func (s *Store) List(ctx context.Context, prefix string, each func(blob.Info) error) error {
	folder := path.Dir(prefix)
	if strings.HasSuffix(prefix, "/") {
		folder = path.Clean(prefix)
	}
	if prefix != "" && !fs.ValidPath(folder) {
		return nil
	}
	if prefix == "" {
		folder = "."
	}
	err := s.walk(ctx, folder, prefix, each)
	if err != nil {
		return fmt.Errorf("list blobs %q: %w", prefix, err)
	}
	return nil
}

func (s *Store) walk(ctx context.Context, folder, prefix string, each func(blob.Info) error) error {
	opened, err := s.root.Open(folder)
	if err != nil {
		return ignoreMissing(err)
	}
	defer func() { _ = opened.Close() }()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := opened.ReadDir(listBatch)
		for _, entry := range entries {
			if err := s.visit(ctx, path.Join(folder, entry.Name()), prefix, entry, each); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return ignoreMissing(err)
		}
	}
}

func (s *Store) visit(ctx context.Context, name, prefix string, entry fs.DirEntry, each func(blob.Info) error) error {
	switch {
	case name == own:
		return nil
	case entry.IsDir():
		if strings.HasPrefix(name, prefix) || strings.HasPrefix(prefix, name+"/") {
			return s.walk(ctx, name, prefix, each)
		}
		return nil
	case !entry.Type().IsRegular() || !strings.HasPrefix(name, prefix):
		return nil
	}
	info, err := entry.Info()
	if err != nil {
		return ignoreMissing(err)
	}
	return each(blob.Info{Name: name, Size: info.Size(), Modified: info.ModTime()})
}

// ignoreMissing returns nil if an error means that a file does not exist.
func ignoreMissing(err error) error {
	if errors.Is(wrapNotFound(err), blob.ErrNotFound) {
		return nil
	}
	return err
}
