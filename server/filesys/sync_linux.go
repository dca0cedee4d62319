package filesys

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// SyncTree makes everything below a folder durable. It syncs the whole file system in
// one call, because a folder may contain a hundred thousand files.
func SyncTree(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(folder.Fd())), folder.Close())
}
