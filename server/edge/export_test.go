package edge

import (
	"testing"
	"time"
)

// PassedOn are the server's variables that functions may see.
var PassedOn = inheritedVariables

// AwaitStart waits until a start waits for another process to end.
func (r *Runtime) AwaitStart(t *testing.T) {
	t.Helper()
	for !r.slots.isWanted() {
		select {
		case <-t.Context().Done():
			t.Fatal("no start waits")
		case <-time.After(time.Millisecond):
		}
	}
}

// SetSlotTimeout sets how long a start waits for another process to end.
func (r *Runtime) SetSlotTimeout(timeout time.Duration) { r.slots.timeout = timeout }
