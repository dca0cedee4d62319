// Package gc configures the garbage collector for serving.
package gc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// While it serves, the garbage collector runs only when the heap has grown to four times its live
// size, which is a few megabytes. Above the soft limit, for example with a large body or thousands of
// connections, it runs more often.
const (
	gcPercent = 300
	softLimit = 128 << 20 // bytes
)

// Tune configures the garbage collector. It is called when a server has started. Starting needs
// several times the memory of an idle server: with Go's defaults until then, the heap is less
// fragmented, and Tune returns free memory to the system. GOMEMLIMIT has precedence.
var Tune = sync.OnceFunc(func() {
	debug.FreeOSMemory()
	debug.SetGCPercent(gcPercent)
	if os.Getenv("GOMEMLIMIT") == "" {
		adaptLimit(struct{}{})
	}
})

// adaptLimit sets the soft limit to one and a half times what is in use, so that a server with more
// than softLimit in use does not collect garbage all the time. It runs after each collection, as the
// cleanup of an object that nothing refers to.
func adaptLimit(struct{}) {
	inUse := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(inUse)
	debug.SetMemoryLimit(max(softLimit, int64(inUse[0].Value.Uint64()+inUse[1].Value.Uint64())*3/2))
	cycle := new([64]byte) // too large to share a memory block with other objects
	runtime.AddCleanup(cycle, adaptLimit, struct{}{})
}
