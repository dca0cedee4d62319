// Package gc configures the garbage collector for serving.
package gc

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// Starting needs several times the memory of an idle server. The more often garbage is collected
// meanwhile, the less fragmented is the heap afterwards: with Go's default of 100 an idle server
// has 0.5 MB more.
const startPercent = 50

// While it serves, the garbage collector runs only when the heap has grown to four times its live
// size, which is a few megabytes. Above the soft limit, for example with a large body or thousands of
// connections, it runs more often.
const (
	gcPercent = 300
	softLimit = 128 << 20 // bytes
)

// A server that allocates less than idleBytes in idleInterval is idle.
const (
	idleInterval = 5 * time.Second
	idleBytes    = 256 << 10
)

// TuneStart configures the garbage collector for the start of a server.
func TuneStart() { debug.SetGCPercent(startPercent) }

// Tune configures the garbage collector for serving. It is called when a server has started, and
// returns the memory to the system that starting needed. GOMEMLIMIT has precedence.
var Tune = sync.OnceFunc(func() {
	debug.FreeOSMemory()
	debug.SetGCPercent(gcPercent)
	if os.Getenv("GOMEMLIMIT") == "" {
		adaptLimit(struct{}{})
	}
	go releaseWhenIdle(time.Tick(idleInterval), debug.FreeOSMemory)
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

// releaseWhenIdle calls release when the server is idle at a tick, so that its garbage returns to the
// system. It does so once after a busy time: only when a quarter of the live heap, and at least four
// times idleBytes, has been allocated since the last release.
func releaseWhenIdle(ticks <-chan time.Time, release func()) {
	read := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	var released, before uint64
	for range ticks {
		metrics.Read(read)
		allocated, live := read[0].Value.Uint64(), read[1].Value.Uint64()
		if allocated-before < idleBytes && allocated-released >= max(live/4, 4*idleBytes) {
			release()
			released = allocated
		}
		before = allocated
	}
}
