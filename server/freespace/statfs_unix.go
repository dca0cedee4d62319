//go:build linux || darwin

package freespace

import "golang.org/x/sys/unix"

// Of returns the free and total space of a folder's file system.
func Of(folder string) (Space, error) {
	var found unix.Statfs_t
	if err := unix.Statfs(folder, &found); err != nil {
		return Space{}, err
	}
	block := int64(found.Bsize)
	return Space{Free: int64(found.Bavail) * block, Total: int64(found.Blocks) * block}, nil
}
