package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"plaza/tests/testkit/load"
)

// Limits of the server's own process.
const (
	maxMemory      = 220 // MB at any time
	memoryGrowth   = 1.2 // of the last quarter over the one before
	memorySlack    = 15  // MB, so that noise on a small number does not count as growth
	idleGoroutines = 150 // once the load has ended
	idleFiles      = 100

	// cachedFiles bounds the objects that the storage's memory cache holds as open files, of 64 KB or
	// more each. The garbage collector closes evicted ones.
	cachedFiles = 2 * (32 << 20) / (64 << 10)
)

// sample is the size of the server's process at a point in time.
type sample struct {
	pid, memory, goroutines int
	files                   int // open, without those of objects
	cached                  int // open files of objects
}

// watch takes samples until ctx ends.
func watch(ctx context.Context, s *server) (samples []sample) {
	again := time.NewTicker(sampleEvery)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return samples
		case <-again.C:
			if now, ok := s.sample(ctx); ok {
				samples = append(samples, now)
			}
		}
	}
}

func (s *server) sample(ctx context.Context) (now sample, ok bool) {
	s.mu.Lock()
	now.pid = s.process.Process.Pid
	s.mu.Unlock()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", now.pid))
	if err != nil {
		return now, false
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	if fields := strings.Fields(rest); len(fields) > 0 {
		kilobytes, _ := strconv.Atoi(fields[0])
		now.memory = kilobytes >> 10
	}
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", now.pid))
	if err != nil {
		return now, false
	}
	objects := filepath.Join(s.folder, "data", "storage")
	for _, file := range files {
		target, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%s", now.pid, file.Name()))
		if err == nil && strings.HasPrefix(target, objects) {
			now.cached++
		} else {
			now.files++
		}
	}
	_, metrics, err := get(ctx, s.admin+"/metrics")
	if err != nil {
		return now, false
	}
	_, rest, _ = strings.Cut(string(metrics), "\ngo_goroutines ")
	line, _, _ := strings.Cut(rest, "\n")
	now.goroutines, err = strconv.Atoi(line)
	return now, err == nil
}

// idle waits until the process has reached its minimum size, and returns it.
func (s *server) idle(ctx context.Context) (least sample) {
	plain.CloseIdleConnections()
	for range 20 {
		now, ok := s.sample(ctx)
		if ok && (least.pid == 0 || now.goroutines <= least.goroutines) {
			least = now
		}
		plain.CloseIdleConnections()
		select {
		case <-ctx.Done():
			return least
		case <-time.After(sampleEvery / 4):
		}
	}
	return least
}

// checkGrowth checks for growth, using only samples of the last process.
func checkGrowth(samples []sample, idle sample, found *load.Report) {
	if len(samples) == 0 || idle.pid == 0 {
		found.AddViolation("process", "nothing could be read of the server's process")
		return
	}
	peak := slices.MaxFunc(samples, func(a, b sample) int { return a.memory - b.memory })
	load := samples[len(samples)-1]
	found.Note("memory at most %d MB", peak.memory)
	found.Note("under load %d goroutines, %d files and %d of objects", load.goroutines, load.files, load.cached)
	found.Note("idle %d MB, %d goroutines, %d files and %d of objects", idle.memory, idle.goroutines, idle.files, idle.cached)
	if peak.memory > maxMemory {
		found.AddViolation("memory", "%d MB, at most %d are allowed", peak.memory, maxMemory)
	}
	if idle.goroutines > idleGoroutines || idle.files > idleFiles {
		found.AddViolation("leak", "%d goroutines (%d allowed) and %d files (%d allowed) after the load has ended", idle.goroutines, idleGoroutines, idle.files, idleFiles)
	}
	if idle.cached > cachedFiles {
		found.AddViolation("leak", "%d files of objects are open, %d allowed", idle.cached, cachedFiles)
	}
	last := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.pid != idle.pid })
	quarter := len(last) / 4
	if quarter < 5 {
		found.Note("the last process was too short-lived to check whether its memory is flat (%d samples)", len(last))
		return
	}
	before, after := median(last[2*quarter:3*quarter]), median(last[3*quarter:])
	found.Note("memory of the last process: %d MB in its third quarter, %d MB in its last (medians)", before, after)
	if float64(after) > float64(before)*memoryGrowth+memorySlack {
		found.AddViolation("memory", "it grows: %d MB, then %d MB", before, after)
	}
}

func median(samples []sample) int {
	memory := make([]int, len(samples))
	for i, s := range samples {
		memory[i] = s.memory
	}
	slices.Sort(memory)
	return memory[len(memory)/2]
}
