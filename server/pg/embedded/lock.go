package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"plaza/server/filesys"
)

// lockDataDir locks the data folder for this process. The kernel releases the lock
// when the process ends, however it ends, so no stale lock is ever left. The file is
// beside the folder, because initdb needs the folder itself to be empty.
func lockDataDir(dataDir string) (*dirLock, error) {
	path := dataDir + ".lock"
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, notWritable(filepath.Dir(dataDir), err)
	}
	err = filesys.TryLock(file)
	if errors.Is(err, filesys.ErrLocked) {
		err = fmt.Errorf("%w: another Plaza runs on %s; stop it or choose another data folder", ErrDataInUse, dataDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &dirLock{file: file}, nil
}

// dirLock is the lock of a data folder.
type dirLock struct {
	mu   sync.Mutex
	file *os.File // nil once closed
}

// Close releases the lock. Closing the file is not enough: a child process that is being
// started has a copy of it until its exec. Close may be called again, and by several
// goroutines.
func (l *dirLock) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := errors.Join(filesys.Unlock(l.file), l.file.Close())
	l.file = nil
	return err
}

// makeParent makes the folder that the data folder is in, and returns the data
// folder's path without symbolic links, so that it has one name and one lock.
// Other users may pass through the parent but not list it: PostgreSQL may run as
// one of them.
func makeParent(dataDir string) (string, error) {
	if real, err := filepath.EvalSymlinks(dataDir); err == nil {
		return real, nil
	}
	parent := filepath.Dir(dataDir)
	if err := os.MkdirAll(parent, 0o711); err != nil {
		return "", notWritable(parent, err)
	}
	real, err := filepath.EvalSymlinks(parent)
	if err != nil {
		return "", notWritable(parent, err)
	}
	return filepath.Join(real, filepath.Base(dataDir)), nil
}

func notWritable(dir string, err error) error {
	return fmt.Errorf("%w: %w; change the owner of %s or choose another data folder", ErrNotWritable, err, dir)
}
