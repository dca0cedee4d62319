//go:build linux

package lab

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Mount mounts a file system in memory at a folder of the node, for all users. Only what it contains takes memory. It must be
// called before the programs that use it are started.
func (n *Node) Mount(name string, size int64) error {
	folder := filepath.Join(n.Folder, name)
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("mode=0777,size=%d", size)); err != nil {
		return fmt.Errorf("mount %s: %w", folder, err)
	}
	return nil
}

// Fill fills a file system that Mount made. empty, which is never nil, undoes it.
func (n *Node) Fill(name string) (empty func() error, err error) {
	folder := filepath.Join(n.Folder, name)
	path := filepath.Join(folder, "filler")
	empty = func() error { return os.RemoveAll(path) }
	file, err := os.Create(path)
	if err != nil {
		return empty, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	block := make([]byte, 64<<10)
	for len(block) > 0 {
		if _, err := file.Write(block); errors.Is(err, unix.ENOSPC) {
			block = block[:len(block)/2] // into what is left
		} else if err != nil {
			return empty, err
		}
	}
	return empty, nil
}

// unmountBelow unmounts all file systems in a folder.
func unmountBelow(folder string) error {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 1 && strings.HasPrefix(fields[1], folder+"/") {
			err = errors.Join(err, unix.Unmount(fields[1], unix.MNT_DETACH))
		}
	}
	return err
}
