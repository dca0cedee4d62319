// Package filesys hides how operating systems differ in file locks, durable folders and the errors
// of a full disk.
package filesys

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// ErrLocked means that the lock is already held, by another process or by this one.
var ErrLocked = errors.New("the file is locked")

// LockFolder locks a folder below root until the result is closed or the process ends. Only processes
// that lock the folder themselves notice.
//
// Errors: ErrLocked if it is locked, fs.ErrNotExist if there is no such folder.
func LockFolder(root *os.Root, name string) (io.Closer, error) { return lockFolder(root, name) }

// RemoveUnlocked removes a folder below root that no process has locked, such as one of a process that was killed.
//
// Errors: those of LockFolder and of the removal.
func RemoveUnlocked(root *os.Root, name string) error {
	held, err := lockFolder(root, name)
	if err != nil {
		return err
	}
	return errors.Join(root.RemoveAll(name), held.Close())
}

// LockFolderAt is LockFolder for a folder at a path.
func LockFolderAt(path string) (io.Closer, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	lock, err := lockFolder(root, filepath.Base(path))
	if closeErr := root.Close(); err == nil && closeErr != nil {
		return nil, errors.Join(closeErr, lock.Close())
	}
	return lock, err
}
