package backup

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropCache asks the kernel to drop a file from the page cache, so that it is read from
// the disk.
func dropCache(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
