package edge

import (
	"testing"
	"time"
)

// PassedOn are the server's variables that functions may see.
var PassedOn = inheritedVariables

// AwaitStarts waits until a number of starts wait for another process to end.
func (r *Runtime) AwaitStarts(t *testing.T, wanted int64) {
	t.Helper()
	for r.slots.waiting.Load() < wanted {
		select {
		case <-t.Context().Done():
			t.Fatalf("%d starts do not wait", wanted)
		case <-time.After(time.Millisecond):
		}
	}
}

// SetSlotTimeout sets how long a start waits for another process to end.
func (r *Runtime) SetSlotTimeout(timeout time.Duration) { r.slots.timeout = timeout }
