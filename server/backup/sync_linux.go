package backup

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncTree makes all that was written below a folder outlive a loss of power: in
// one call for the file system, as a folder may hold a hundred thousand files.
func syncTree(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(folder.Fd())), folder.Close())
}

// fromDisk has what is read of a file come from the disk and not from memory, where
// the kernel agrees.
func fromDisk(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
