//go:build unix

package edge

import "syscall"

// killGroup kills a process and its children.
func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
