package main

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// shown is how many violations of one kind are printed in full.
const shown = 5

// report counts the actions and the violations.
type report struct {
	mu     sync.Mutex
	counts map[string]int // actions
	kinds  map[string]int // violations
	notes  []string
}

func (r *report) count(what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[what]++
}

func (r *report) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.notes = append(r.notes, fmt.Sprintf(format, args...))
}

// addViolation records a violation, and prints the first ones of its kind.
func (r *report) addViolation(kind, format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds[kind]++
	if r.kinds[kind] <= shown {
		fmt.Printf("✗ %s: %s\n", kind, fmt.Sprintf(format, args...))
	}
}

// print writes the summary and returns the number of violations.
func (r *report) print() (violations int) {
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
