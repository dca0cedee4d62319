//go:build !linux

package disk

import "os"

// openFile opens a file below a folder for reading.
func openFile(root *os.Root, _ *os.File, name string) (*os.File, error) { return root.Open(name) }
