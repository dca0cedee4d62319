package backup

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"plaza/server/filesys"
)

// draft is an unfinished backup. It has a temporary name.
type draft struct {
	dir, path string // final and temporary folder
	lock      io.Closer
	root      *os.Root
	sums      *sumWriter
}

// draftSuffix is the suffix of a draft's name.
const draftSuffix = ".partial"

// openDraft creates the temporary folder of a backup, and removes one left by a killed
// process. The backup must not be inside one of the folders in apart; empty ones are
// ignored.
//
// Errors: ErrPlace.
func openDraft(dir string, apart ...string) (*draft, error) {
	real, err := newFolder(dir)
	if err != nil {
		return nil, err
	}
	for _, other := range apart {
		if other == "" { // to EvalSymlinks it is the working folder
			continue
		}
		if other, err := filepath.EvalSymlinks(other); err == nil && within(real, other) {
			return nil, fmt.Errorf("%w: %s is inside %s, which is to be backed up; choose a folder elsewhere", ErrPlace, dir, other)
		}
	}
	d := &draft{dir: real, path: real + draftSuffix}
	if d.lock, err = createLocked(d.path); err != nil {
		return nil, err
	}
	if d.root, err = os.OpenRoot(d.path); err == nil {
		d.sums, err = newSumWriter(d.root)
	}
	if err != nil {
		return nil, errors.Join(err, d.discard())
	}
	return d, nil
}

// newFolder returns the absolute path of a folder that is missing or empty, and creates
// its parents.
func newFolder(dir string) (string, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	parent := filepath.Dir(absolute)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if parent, err = filepath.EvalSymlinks(parent); err != nil {
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	}
	switch entries, err := os.ReadDir(absolute); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", fmt.Errorf("%w: %w", ErrPlace, err)
	case len(entries) > 0:
		return "", fmt.Errorf("%w: %s is not empty; a backup needs a new folder", ErrPlace, dir)
	}
	return filepath.Join(parent, filepath.Base(absolute)), nil
}

// within reports whether path is folder or below it. path must be absolute.
func within(path, folder string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	relative, err := filepath.Rel(folder, path)
	return err == nil && relative != ".." && !strings.HasPrefix(relative, ".."+string(filepath.Separator))
}

// createLocked creates a folder and locks it. An existing folder that is not locked was
// left by a killed process and is removed first.
//
// Errors: ErrPlace if another process has locked it.
func createLocked(path string) (io.Closer, error) {
	if held, err := lockFolder(path); err == nil {
		err = os.RemoveAll(path)
		if err := errors.Join(err, held.Close()); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrPlace, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	return lockFolder(path)
}

func lockFolder(path string) (io.Closer, error) {
	lock, err := filesys.LockFolderAt(path)
	if errors.Is(err, filesys.ErrLocked) {
		return nil, fmt.Errorf("%w: another process is writing to %s", ErrPlace, path)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPlace, err)
	}
	return lock, nil
}

// publish gives the draft its final name.
func (d *draft) publish() error {
	if err := os.Remove(d.dir); err != nil && !errors.Is(err, fs.ErrNotExist) { // an empty folder
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if err := d.root.Close(); err != nil { // Windows does not rename an open folder
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	if err := os.Rename(d.path, d.dir); err != nil {
		return fmt.Errorf("%w: %w", ErrPlace, err)
	}
	return errors.Join(syncFolder(filepath.Dir(d.dir)), d.lock.Close())
}

// discard removes the draft.
func (d *draft) discard() error {
	var err error
	if d.root != nil {
		err = d.root.Close()
	}
	return errors.Join(err, os.RemoveAll(d.path), d.lock.Close())
}

// create creates a file. Its checksum is recorded when the writer is closed.
func (d *draft) create(name string) (*sumFile, error) {
	file, err := d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &sumFile{d: d, name: name, file: file, sum: sha256.New()}, nil
}

// write creates a file with the given content.
func (d *draft) write(name string, text []byte) error {
	file, err := d.create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// sumFile is a file of the draft that is being written.
type sumFile struct {
	d    *draft
	name string
	file *os.File
	sum  interface {
		io.Writer
		Sum([]byte) []byte
	}
	size int64
}

func (s *sumFile) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	_, _ = s.sum.Write(p[:n]) // a hash never fails
	s.size += int64(n)
	return n, err
}

func (s *sumFile) Close() error {
	if err := s.file.Close(); err != nil {
		return err
	}
	return s.d.sums.add(s.name, s.sum.Sum(nil))
}

// wrapFull wraps an error with ErrFull if it means that the disk is full.
func wrapFull(err error, at string) error {
	if filesys.IsFull(err) {
		return fmt.Errorf("%w at %s: %w", ErrFull, at, err)
	}
	return err
}

// syncFolder syncs the directory entries of a folder.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(filesys.SyncFolder(folder), folder.Close())
}
