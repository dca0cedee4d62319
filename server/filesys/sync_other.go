//go:build !linux

package filesys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// SyncTree makes everything below a folder durable.
func SyncTree(path string) error {
	return filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() && !entry.Type().IsRegular() {
			return err
		}
		file, err := os.OpenFile(path, syncMode(entry), 0)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return errors.Join(SyncFolder(file), file.Close())
		}
		return errors.Join(file.Sync(), file.Close())
	})
}

// syncMode is how an entry is opened: Windows syncs only files that are open for writing.
func syncMode(entry fs.DirEntry) int {
	if entry.IsDir() {
		return os.O_RDONLY
	}
	return os.O_RDWR
}
