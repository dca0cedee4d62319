//go:build !linux

package edge

import "syscall"

// attributes puts a process in its own group. This platform has no signal for a parent's death: the
// process exits when its stdin is closed.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// resident returns 0, because the memory is unknown on this platform. Only V8's heap limit applies.
func resident(int) int64 { return 0 }
