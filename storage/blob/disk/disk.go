// Package disk stores blobs as files in a folder.
//
// A blob is written to a temporary file, synced and renamed to its name; then its folder
// is synced. A file with the name of a blob is therefore always complete, even after a
// power failure. Files that are not yet blobs are in the subfolder ".plaza":
//
//	.plaza/lock                     locked while a store opens
//	.plaza/temporary/{process}/     files being written; removed when the process has ended
//	.plaza/uploads/{upload}/name    the name of the blob that the upload will become
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

	"plaza/server/filesys"
	"plaza/storage/blob"
)

const (
	own       = ".plaza"
	lockFile  = own + "/lock"
	temporary = own + "/temporary"
	uploads   = own + "/uploads"
)

// Store stores blobs in a folder. It is a blob.Store.
type Store struct {
	root    *os.Root
	folder  *os.File  // the folder of root
	scratch string    // this store's own folder for files being written
	lock    io.Closer // locks scratch while it is in use
	folders folders
	joins   keyedMutex // by upload
}

var _ blob.Store = (*Store)(nil)

// Open opens a store in a folder, which it creates if necessary. It removes incomplete
// files of killed processes. Several stores may use the same folder.
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

// start creates the store's own folders. The lock file prevents stores that start
// concurrently from removing each other's folders.
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
	if err := filesys.Lock(starting); err != nil {
		return err
	}
	if err := s.sweep(); err != nil {
		return err
	}
	if err := s.root.Mkdir(s.scratch, 0o700); err != nil {
		return err
	}
	s.lock, err = filesys.LockFolder(s.root, s.scratch)
	return err
}

// sweep removes the folders of stores that no longer run, which are not locked.
func (s *Store) sweep() error {
	entries, err := fs.ReadDir(s.root.FS(), temporary)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		if err := filesys.RemoveUnlocked(s.root, temporary+"/"+entry.Name()); err != nil && !errors.Is(err, filesys.ErrLocked) {
			return err
		}
	}
	return nil
}

// Close closes the store. Files opened by Get remain readable.
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

// open opens the file of a blob and returns its information.
func (s *Store) open(name string) (*os.File, fs.FileInfo, error) {
	clean, err := fileName(name)
	if err != nil {
		return nil, nil, wrapNotFound(err)
	}
	file, err := openFile(s.root, s.folder, clean)
	if err != nil {
		return nil, nil, wrapNotFound(err)
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

// Stat returns information about a file.
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
		return blob.Info{}, fmt.Errorf("stat blob %s: %w", name, wrapNotFound(err))
	}
	return blob.Info{Name: name, Size: info.Size(), Modified: info.ModTime()}, nil
}

// fileName returns the path of a blob relative to the root. Repeated slashes are
// collapsed, as in the file system.
func fileName(name string) (string, error) {
	if name == own || strings.HasPrefix(name, own+"/") {
		return "", blob.ErrName
	}
	return path.Clean(name), blob.CheckName(name)
}

// wrapNotFound wraps an error with blob.ErrNotFound if it means that a file does not exist.
func wrapNotFound(err error) error {
	for _, target := range []error{fs.ErrNotExist, syscall.ENOTDIR, syscall.ENAMETOOLONG, blob.ErrName} {
		if errors.Is(err, target) {
			return fmt.Errorf("%w: %w", blob.ErrNotFound, err)
		}
	}
	return err
}

// wrapFull wraps an error with blob.ErrFull if it means that the disk is full.
func wrapFull(err error) error {
	if filesys.IsFull(err) {
		return fmt.Errorf("%w: %w", blob.ErrFull, err)
	}
	return err
}
