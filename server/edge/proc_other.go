//go:build !linux

package edge

import "time"

// residentMemory returns 0, because the memory is unknown on this platform. Only V8's heap limit applies.
func residentMemory(int) int64 { return 0 }

// cpuTime returns 0, because the CPU time is unknown on this platform. An endless loop is ended by the timeouts of calls.
func cpuTime(int) time.Duration { return 0 }
