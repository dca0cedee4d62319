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
	held := make([]byte, size) // never written, so that it takes no memory
	expectLimit(func(limit int64) bool { return limit >= size*3/2 })
	runtime.KeepAlive(held)
	expectLimit(func(limit int64) bool { return limit < size })
}

// The garbage of a busy time is released once, when the server is idle.
func TestIdleServerReleasesGarbage(t *testing.T) {
	ticks, released := make(chan time.Time), 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		releaseWhenIdle(ticks, func() { released++ })
	}()
	for _, allocated := range []int{2 << 20, 2 << 20, 0, 0, idleBytes / 2, 0, 2 << 20, 0} {
		block = make([]byte, allocated)
		ticks <- time.Time{}
	}
	close(ticks)
	<-done
	if released != 2 {
		t.Errorf("released %d times, not after each of the two busy times", released)
	}
}

// block keeps the compiler from allocating on the stack.
var block []byte
