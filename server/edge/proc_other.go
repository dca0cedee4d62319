//go:build !linux

package edge

import (
	"syscall"
	"time"
)

// procAttributes puts a process in its own group. This platform has no signal for a parent's death: the
// process exits when its stdin is closed.
func procAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// residentMemory returns 0, because the memory is unknown on this platform. Only V8's heap limit applies.
func residentMemory(int) int64 { return 0 }

// cpuTime returns 0, because the CPU time is unknown on this platform. A loop ends by the limits of time.
func cpuTime(int) time.Duration { return 0 }
