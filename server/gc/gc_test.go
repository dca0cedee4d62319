package gc

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// The soft limit follows what is in use, both ways.
func TestMemoryLimitFollowsUse(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	Tune()
	const size = 400 << 20
	expectLimit := func(holds func(limit int64) bool) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); !holds(debug.SetMemoryLimit(-1)); runtime.GC() {
			if time.Now().After(deadline) {
				t.Fatalf("the limit is %d MB", debug.SetMemoryLimit(-1)>>20)
			}
		}
	}
	block := make([]byte, size) // never written, so that it takes no memory
	expectLimit(func(limit int64) bool { return limit >= size*3/2 })
	runtime.KeepAlive(block)
	expectLimit(func(limit int64) bool { return limit < size })
}
