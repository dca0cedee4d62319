//go:build linux

package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"plaza/tests/testkit/load"
)

// result is what happened to the load during a fault.
type result struct {
	fault
	load.Window
	began time.Time
	took  time.Duration // until the cluster was healthy again
	err   error         // of making the fault happen, or of waiting for a healthy cluster
}

// servedAgain returns how long after the fault began the last request failed; 0 if none did.
func (r result) servedAgain() time.Duration {
	if r.Failed == 0 {
		return 0
	}
	return r.LastFailed.Sub(r.began)
}

// measure makes a fault happen and waits until the cluster is healthy again. Before and after, it
// lets the load run for steady.
func (c *cluster) measure(ctx context.Context, report *load.Report, f fault, steady time.Duration) result {
	pause(ctx, steady)
	report.NextWindow()
	r := result{fault: f, began: time.Now()}
	fmt.Printf("· %s\n", f.title)
	if r.err = f.run(ctx, c); r.err == nil {
		r.err = c.waitHealthy(ctx)
	}
	r.took = time.Since(r.began)
	pause(ctx, steady)
	r.Window = report.NextWindow()
	printFailures(r.Window)
	if r.err != nil {
		fmt.Printf("✗ %v\n", r.err)
	}
	return r
}

func printFailures(w load.Window) {
	reasons := slices.SortedFunc(maps.Keys(w.Failures), func(a, b string) int { return w.Failures[b] - w.Failures[a] })
	for _, reason := range reasons[:min(len(reasons), shownReasons)] {
		fmt.Printf("  %5d × %s\n", w.Failures[reason], reason)
	}
}

// shownReasons is how many kinds of failures are printed for a fault.
const shownReasons = 8

func printTable(results []result) {
	fmt.Printf("\n%-42s %9s %7s %6s %13s %10s %8s\n", "fault", "requests", "failed", "wrong", "served again", "slowest", "whole")
	for _, r := range results {
		mark := " "
		if !r.passed() {
			mark = "✗"
		}
		fmt.Printf("%-42s %9d %7d %6d %11.1f s %8.1f s %6.0f s %s\n", r.title, r.Requests, r.Failed, r.Wrong,
			r.servedAgain().Seconds(), r.Slowest.Seconds(), r.took.Seconds(), mark)
	}
}

func (r result) passed() bool { return r.err == nil && r.Wrong == 0 && !(r.planned && r.Failed > 0) }

func passed(results []result) bool {
	return !slices.ContainsFunc(results, func(r result) bool { return !r.passed() })
}

// firstError returns the first error of a fault.
func (c *cluster) firstError(results []result) error {
	for _, r := range results {
		if r.err != nil {
			return fmt.Errorf("%s: %w", r.title, r.err)
		}
	}
	return nil
}

// keepLogs copies the logs of all nodes to where they outlive the cluster.
func (c *cluster) keepLogs() {
	folder, err := os.MkdirTemp("", "plaza-logs-")
	if err != nil {
		return
	}
	logs, _ := filepath.Glob(filepath.Join(c.Folder, "*", "*.log"))
	for _, log := range logs {
		if text, err := os.ReadFile(log); err == nil {
			_ = os.WriteFile(filepath.Join(folder, filepath.Base(filepath.Dir(log))+"-"+filepath.Base(log)), text, 0o644)
		}
	}
	fmt.Fprintf(os.Stderr, "· logs are in %s\n", folder)
}
