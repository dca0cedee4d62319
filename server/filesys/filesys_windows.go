package filesys

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// wholeFile is a range that is longer than any file.
const wholeFile = ^uint32(0)

func lock(file *os.File, flags uint32) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|flags, 0, wholeFile, wholeFile, new(windows.Overlapped))
}

// Lock waits until no other process has the file locked and locks it. The lock ends with the process.
func Lock(file *os.File) error { return lock(file, 0) }

// TryLock locks a file as Lock does, or returns ErrLocked.
func TryLock(file *os.File) error {
	err := lock(file, windows.LOCKFILE_FAIL_IMMEDIATELY)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

// Unlock ends a lock.
func Unlock(file *os.File) error {
	return windows.UnlockFileEx(windows.Handle(file.Fd()), 0, wholeFile, wholeFile, new(windows.Overlapped))
}

// lockFolder locks a file beside the folder: Windows cannot lock folders.
func lockFolder(root *os.Root, name string) (io.Closer, error) {
	if info, err := root.Stat(name); err != nil || !info.IsDir() {
		return nil, errors.Join(err, fs.ErrNotExist)
	}
	file, err := root.OpenFile(name+".lock", os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := TryLock(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// SyncFolder does nothing: NTFS writes the entries of folders to its journal.
func SyncFolder(*os.File) error { return nil }

// IsFull reports whether an error means that the disk is full, or that the user's quota is used up.
func IsFull(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL) || errors.Is(err, windows.ERROR_DISK_QUOTA_EXCEEDED)
}
