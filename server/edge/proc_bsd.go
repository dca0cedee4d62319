//go:build unix && !linux

package edge

import "syscall"

// procAttributes puts a process in its own group. This platform has no signal for a parent's death: the
// process exits when its stdin is closed.
func procAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
