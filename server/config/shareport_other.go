//go:build !linux

package config

import (
	"errors"
	"syscall"
)

// sharePort returns an error: sharing ports is supported only on Linux.
func sharePort(_, _ string, _ syscall.RawConn) error {
	return errors.New("server-reuseport (PGRST_SERVER_REUSEPORT) is supported on Linux only")
}
