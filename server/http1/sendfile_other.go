//go:build !linux

package http1

import "io"

// sendSection is for systems where the kernel sends from any offset.
func (*response) sendSection(io.Reader) (sent int64, ok bool, err error) { return 0, false, nil }
