//go:build !linux

package disk_test

// fillSmallDisk needs Linux.
func fillSmallDisk(string) {}
