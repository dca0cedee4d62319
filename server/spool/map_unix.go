//go:build unix

package spool

import (
	"os"

	"golang.org/x/sys/unix"
)

func mapFile(file *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(file.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

func unmap(mapped []byte) error { return unix.Munmap(mapped) }

// discardPages removes the pages from the process's memory; the file still contains them.
func discardPages(mapped []byte) {
	if whole := len(mapped) &^ (os.Getpagesize() - 1); whole > 0 {
		_ = unix.Madvise(mapped[:whole], unix.MADV_DONTNEED)
	}
}
