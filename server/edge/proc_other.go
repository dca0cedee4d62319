//go:build !linux

package edge

import "syscall"

// attributes set a process apart in its own group. There is no signal on a
// parent's death here: the process ends itself when its input closes.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// resident is not known here; V8's own limit of the heap holds.
func resident(int) int64 { return 0 }
