package backup

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncTree makes everything below a folder durable. It syncs the whole file system in
// one call, because a folder may contain a hundred thousand files.
func syncTree(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(folder.Fd())), folder.Close())
}

// dropCache asks the kernel to drop a file from the page cache, so that it is read from
// the disk.
func dropCache(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
