//go:build unix

package filesys

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock waits until no other process has the file locked and locks it. The lock ends with the process.
func Lock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX) }

// TryLock locks a file as Lock does, or returns ErrLocked.
func TryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// Unlock ends a lock. Closing the file is not enough: a child process that is being started has a
// copy of the descriptor until it calls exec.
func Unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

func lockFolder(root *os.Root, name string) (io.Closer, error) {
	folder, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	if err := TryLock(folder); err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return folder, nil
}

// SyncFolder makes the entries of an open folder durable, where its file system supports that.
func SyncFolder(folder *os.File) error {
	err := folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil
	}
	return err
}

// IsFull reports whether an error means that the disk is full, or that the user's quota is used up.
func IsFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
