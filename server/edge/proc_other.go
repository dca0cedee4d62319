//go:build !linux

package edge

import "syscall"

// procAttributes puts a process in its own group. This platform has no signal for a parent's death: the
// process exits when its stdin is closed.
func procAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// residentMemory returns 0, because the memory is unknown on this platform. Only V8's heap limit applies.
func residentMemory(int) int64 { return 0 }
