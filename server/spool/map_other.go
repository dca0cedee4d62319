//go:build !unix

package spool

import (
	"io"
	"os"
)

// mapFile reads the file, because it cannot be mapped on this system.
func mapFile(file *os.File, size int) ([]byte, error) {
	whole := make([]byte, size)
	_, err := io.ReadFull(io.NewSectionReader(file, 0, int64(size)), whole)
	return whole, err
}

func unmap([]byte) error { return nil }

func discardPages([]byte) {}
