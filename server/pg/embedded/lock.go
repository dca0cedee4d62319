package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lockDataDir takes the folder for this process. The kernel gives the lock up
// when the process ends in whatever way, so no stale lock is ever left. The
// file lies beside the folder, because initdb wants the folder itself empty.
func lockDataDir(dataDir string) (*os.File, error) {
	path := dataDir + ".lock"
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, notWritable(filepath.Dir(dataDir), err)
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("%w: another Plaza runs on %s; stop it or choose another data folder", ErrDataInUse, dataDir)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// makeParent makes the folder that the data folder stands in. Others may pass
// through it but not list it: PostgreSQL's own user has to.
func makeParent(dataDir string) error {
	parent := filepath.Dir(dataDir)
	if err := os.MkdirAll(parent, 0o711); err != nil {
		return notWritable(parent, err)
	}
	return nil
}

func notWritable(dir string, err error) error {
	return fmt.Errorf("%w: %w; change the owner of %s or choose another data folder", ErrNotWritable, err, dir)
}
