//go:build !linux

package http1

import "io"

// sendSection is implemented only for Linux. Here ok is false.
func (*response) sendSection(io.Reader) (sent int64, ok bool, err error) { return 0, false, nil }
