//go:build !linux

package disk_test

// fillSmallDisk is implemented only for Linux.
func fillSmallDisk(string) {}
