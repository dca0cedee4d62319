// Package wake wakes loops that wait for work.
package wake

// Signal wakes a loop that receives from it.
type Signal chan struct{}

// NewSignal returns a Signal for one loop.
func NewSignal() Signal { return make(Signal, 1) }

// Wake makes the loop run once more. It does not block. Calls before the loop receives count as one.
func (s Signal) Wake() {
	select {
	case s <- struct{}{}:
	default: // a wake-up is already pending
	}
}
