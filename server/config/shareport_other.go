//go:build !linux

package config

import (
	"errors"
	"syscall"
)

// sharePort fails: ports are shared on Linux only.
func sharePort(_, _ string, _ syscall.RawConn) error {
	return errors.New("server-reuseport (PGRST_SERVER_REUSEPORT) is supported on Linux only")
}
