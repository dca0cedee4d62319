package render

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"plaza/server/filesys"
)

// temporaryPrefix begins the names of temporary folders.
const temporaryPrefix = "plaza-image-cache-"

// temporaryFolder is a locked folder that is removed at the end, or by the next server on this machine if the
// process is killed.
type temporaryFolder struct {
	path string
	lock io.Closer
}

// newTemporaryFolder removes the folders of killed servers and creates one.
func newTemporaryFolder() (*temporaryFolder, error) {
	if err := removeAbandoned(); err != nil {
		return nil, err
	}
	for {
		path, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			return nil, err
		}
		lock, err := filesys.LockFolderAt(path)
		if errors.Is(err, filesys.ErrLocked) || errors.Is(err, fs.ErrNotExist) {
			continue // a server that starts now took it for abandoned
		}
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(path); err == nil {
			return &temporaryFolder{path, lock}, nil
		}
		if err := lock.Close(); err != nil { // removed before it was locked
			return nil, err
		}
	}
}

func (f *temporaryFolder) remove() error { return errors.Join(os.RemoveAll(f.path), f.lock.Close()) }

// removeAbandoned removes the folders that no process has locked. It skips those of other users.
func removeAbandoned() error {
	root, err := os.OpenRoot(os.TempDir())
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	found, err := fs.Glob(root.FS(), temporaryPrefix+"*")
	if err != nil {
		return err
	}
	for _, name := range found {
		err := filesys.RemoveUnlocked(root, name)
		if err != nil && !errors.Is(err, filesys.ErrLocked) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an abandoned cache: %w", err)
		}
	}
	return nil
}
