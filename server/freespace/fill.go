package freespace

import (
	"crypto/rand"
	"io"
	"os"
)

// fill writes random bytes, which file systems cannot compress or store sparsely.
func fill(file *os.File, size int64) error {
	_, err := io.CopyN(file, rand.Reader, size)
	return err
}
