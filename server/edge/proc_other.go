//go:build !linux

package edge

// residentMemory returns 0, because the memory is unknown on this platform. Only V8's heap limit applies.
func residentMemory(int) int64 { return 0 }
