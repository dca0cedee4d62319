package load

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// shown is how many violations of one kind are printed in full.
const shown = 5

// Report counts the actions and the violations.
type Report struct {
	mu     sync.Mutex
	counts map[string]int // actions
	kinds  map[string]int // violations
	notes  []string
	window Window
	waits  []*wait
}

// wait is the state of a call of Wait.
type wait struct {
	left int           // requests that must still end
	over chan struct{} // closed when left is 0
}

// Window is what happened in a part of a run.
type Window struct {
	Requests, Failed, Wrong int
	Slowest                 time.Duration  // of all requests
	LastFailed              time.Time      // when the last failed request ended
	Failures                map[string]int // by action and status, and ended subscriptions
}

// NewReport returns an empty report.
func NewReport() *Report {
	return &Report{counts: make(map[string]int), kinds: make(map[string]int), window: Window{Failures: make(map[string]int)}}
}

// NextWindow returns what happened since the last call, and starts anew.
func (r *Report) NextWindow() Window {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := r.window
	r.window = Window{Failures: make(map[string]int)}
	return ended
}

// Count counts an action that ended as it should.
func (r *Report) Count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[what]++
}

// Wait waits until a number of further requests have ended.
func (r *Report) Wait(ctx context.Context, requests int) error {
	w := &wait{left: requests, over: make(chan struct{})}
	r.mu.Lock()
	r.waits = append(r.waits, w)
	r.mu.Unlock()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-w.over:
		return nil
	}
}

// took counts a request that has ended, after a duration.
func (r *Report) took(duration time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.window.Requests++
	for _, w := range r.waits {
		if w.left--; w.left == 0 {
			close(w.over)
		}
	}
	r.window.Slowest = max(r.window.Slowest, duration)
}

// fail counts a request that failed while it was allowed to.
func (r *Report) fail(what string, status int, answer []byte, err error) {
	r.Count(what + ", failed in an outage")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.window.Failed++
	r.window.LastFailed = time.Now()
	reason := fmt.Sprintf("%s: %d %.120s", what, status, answer)
	if err != nil {
		reason = fmt.Sprintf("%s: %v", what, err)
	}
	r.window.Failures[reason]++
}

// interrupted counts the end of a subscription, which is no failed request: a client joins again.
func (r *Report) interrupted(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.window.Failures[fmt.Sprintf("subscription: %.200v", err)]++
}

// Note adds a line to the summary.
func (r *Report) Note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// AddViolation records a violation, and prints the first ones of its kind.
func (r *Report) AddViolation(kind, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[kind]++
	r.window.Wrong++
	if r.kinds[kind] <= shown {
		fmt.Printf("✗ %s: %s\n", kind, fmt.Sprintf(format, args...))
	}
}

// Print writes the summary and returns the number of violations.
func (r *Report) Print() (violations int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Println("\n── done")
	for _, what := range slices.Sorted(maps.Keys(r.counts)) {
		fmt.Printf("  %-40s %8d\n", what, r.counts[what])
	}
	for _, note := range r.notes {
		fmt.Println("  " + note)
	}
	for _, kind := range slices.Sorted(maps.Keys(r.kinds)) {
		fmt.Printf("  VIOLATION  %-29s %8d\n", kind, r.kinds[kind])
		violations += r.kinds[kind]
	}
	fmt.Printf("%d violations\n", violations)
	return violations
}
