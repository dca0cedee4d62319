// Package disk keeps blobs as files below one folder.
//
// A blob is written to a temporary file, synced, renamed to its name, and the
// folder synced after: whoever sees the name sees all of it, also after a loss of
// power. What is not yet a blob lies in the folder ".plaza" beside them:
//
//	.plaza/lock                     taken while a store opens
//	.plaza/temporary/{process}/     files being written; removed with the process that wrote them
//	.plaza/uploads/{upload}/name    the blob that an upload is to become
//	.plaza/uploads/{upload}/00001.… its parts
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
	"syscall"

	"plaza/storage/blob"
)

const (
	own       = ".plaza"
	lockFile  = own + "/lock"
	temporary = own + "/temporary"
	uploads   = own + "/uploads"
)

// Store keeps blobs below a folder. It is a blob.Store.
type Store struct {
	root    *os.Root
	folder  *os.File // the same
	scratch string   // this store's own folder for files being written
	lock    *os.File // held as long as scratch is in use
	folders folders
	joins   keyedMutex // by upload
}

var _ blob.Store = (*Store)(nil)

// Open makes a store of a folder, which is made where it is missing, and removes
// what killed processes left half-written. Several stores may have one folder.
func Open(folder string) (*Store, error) {
	s, err := open(folder)
	if err != nil {
		return nil, fmt.Errorf("open object folder %s: %w", folder, err)
	}
	return s, nil
}

func open(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	opened, err := root.Open(".")
	if err != nil {
		return nil, errors.Join(err, root.Close())
	}
	s := &Store{root: root, folder: opened, scratch: temporary + "/" + rand.Text(), folders: newFolders(root)}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// start makes the store's own folders. The lock file keeps stores that start at
// once from taking each other for dead.
func (s *Store) start() error {
	for _, folder := range []string{temporary, uploads} {
		if err := s.root.MkdirAll(folder, 0o700); err != nil {
			return err
		}
	}
	starting, err := s.root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = starting.Close() }()
	if err := syscall.Flock(int(starting.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	if err := s.sweep(); err != nil {
		return err
	}
	if err := s.root.Mkdir(s.scratch, 0o700); err != nil {
		return err
	}
	if s.lock, err = s.root.Open(s.scratch); err != nil {
		return err
	}
	return syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// sweep removes the files of stores that are gone: nobody holds their folder.
func (s *Store) sweep() error {
	entries, err := fs.ReadDir(s.root.FS(), temporary)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		left := temporary + "/" + entry.Name()
		held, err := s.root.Open(left)
		if err != nil {
			return err
		}
		if syscall.Flock(int(held.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			err = s.root.RemoveAll(left)
		}
		if err := errors.Join(err, held.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Close lets the folder go. Files that Get opened stay readable.
func (s *Store) Close() error {
	var err error
	if s.lock != nil {
		err = errors.Join(s.root.RemoveAll(s.scratch), s.lock.Close())
	}
	return errors.Join(err, s.folder.Close(), s.root.Close())
}

// Get opens a file at an offset.
func (s *Store) Get(_ context.Context, name string, offset, _ int64) (io.ReadCloser, error) {
	file, _, err := s.open(name)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", name, err)
	}
	if offset > 0 {
		if _, err := file.Seek(offset, io.SeekStart); err != nil {
			return nil, errors.Join(err, file.Close())
		}
	}
	return file, nil
}

// open opens the file of a blob and tells about it.
func (s *Store) open(name string) (*os.File, fs.FileInfo, error) {
	clean, err := fileName(name)
	if err != nil {
		return nil, nil, missing(err)
	}
	file, err := openFile(s.root, s.folder, clean)
	if err != nil {
		return nil, nil, missing(err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = blob.ErrNotFound
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// Stat tells about a file.
func (s *Store) Stat(_ context.Context, name string) (blob.Info, error) {
	clean, err := fileName(name)
	var info fs.FileInfo
	if err == nil {
		info, err = s.root.Stat(clean)
	}
	if err == nil && !info.Mode().IsRegular() {
		err = blob.ErrNotFound
	}
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, missing(err))
	}
	return blob.Info{Name: name, Size: info.Size(), Modified: info.ModTime()}, nil
}

// fileName returns the path of a blob below the root. Slashes that repeat count as
// one, as the file system has it.
func fileName(name string) (string, error) {
	if name == own || strings.HasPrefix(name, own+"/") {
		return "", blob.ErrName
	}
	return path.Clean(name), blob.CheckName(name)
}

// missing makes blob.ErrNotFound of what says that there is no such file.
func missing(err error) error {
	for _, is := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, blob.ErrName} {
		if errors.Is(err, is) {
			return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
		}
	}
	return err
}

// full makes blob.ErrFull of what says that no room is left.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	return err
}
