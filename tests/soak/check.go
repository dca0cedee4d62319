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

	"github.com/jackc/pgx/v5"
)

// Limits of the server's own process.
const (
	maxMemory      = 220 // MB at any time
	memoryGrowth   = 1.2 // of the last quarter over the one before
	memorySlack    = 15  // MB, so that noise on a small number is no growth
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
func checkGrowth(samples []sample, idle sample, found *report) {
	if len(samples) == 0 || idle.pid == 0 {
		found.addViolation("process", "nothing could be read of the server's process")
		return
	}
	peak := slices.MaxFunc(samples, func(a, b sample) int { return a.memory - b.memory })
	load := samples[len(samples)-1]
	found.note("memory at most %d MB", peak.memory)
	found.note("under load %d goroutines, %d files and %d of objects", load.goroutines, load.files, load.cached)
	found.note("idle %d MB, %d goroutines, %d files and %d of objects", idle.memory, idle.goroutines, idle.files, idle.cached)
	if peak.memory > maxMemory {
		found.addViolation("memory", "%d MB, at most %d are allowed", peak.memory, maxMemory)
	}
	if idle.goroutines > idleGoroutines || idle.files > idleFiles {
		found.addViolation("leak", "%d goroutines (%d allowed) and %d files (%d allowed) after the load has ended", idle.goroutines, idleGoroutines, idle.files, idleFiles)
	}
	if idle.cached > cachedFiles {
		found.addViolation("leak", "%d files of objects are open, %d allowed", idle.cached, cachedFiles)
	}
	last := slices.DeleteFunc(slices.Clone(samples), func(s sample) bool { return s.pid != idle.pid })
	quarter := len(last) / 4
	if quarter < 5 {
		found.note("the last process lived too shortly to tell whether its memory is flat (%d samples)", len(last))
		return
	}
	before, after := median(last[2*quarter:3*quarter]), median(last[3*quarter:])
	found.note("memory of the last process: %d MB in its third quarter, %d MB in its last (medians)", before, after)
	if float64(after) > float64(before)*memoryGrowth+memorySlack {
		found.addViolation("memory", "it grows: %d MB, then %d MB", before, after)
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

// verify compares the contents of database and storage with the acknowledged writes.
func verify(ctx context.Context, s *server, clients []*client, found *report) error {
	conn, err := pgx.Connect(ctx, s.database)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	items, err := numbers(ctx, conn, "select id::text, version from public.items")
	if err != nil {
		return err
	}
	bookings, err := numbers(ctx, conn, "select id::text, 1 from public.bookings")
	if err != nil {
		return err
	}
	pairs, err := numbers(ctx, conn, "select pair::text, count(*)::int from public.pairs group by 1")
	if err != nil {
		return err
	}
	for _, c := range clients {
		for _, one := range c.items {
			version, there := items[one.id]
			if one.outcome == stored && (!there || version < one.confirmed || version > one.attempted) {
				found.addViolation("lost write", "item %s: there %t, version %d, want %d to %d", one.id, there, version, one.confirmed, one.attempted)
			}
		}
		compareRows(found, "booking", c.bookings, bookings, 1)
		compareRows(found, "transaction", c.pairs, pairs, 2)
		for _, one := range c.objects {
			if one.outcome == stored {
				c.compare(ctx, "stored object", one)
			}
		}
	}
	return nil
}

// compareRows checks that all rows of an acknowledged write exist, none of a refused one, and all
// or none of one with an unknown outcome.
func compareRows(found *report, what string, written map[string]outcome, there map[string]int, whole int) {
	for id, f := range written {
		rows := there[id]
		switch {
		case f == stored && rows != whole:
			found.addViolation("lost write", "%s %s: %d of %d rows", what, id, rows, whole)
		case f == refused && rows != 0:
			found.addViolation("refused write", "%s %s: %d rows are there", what, id, rows)
		case rows != 0 && rows != whole:
			found.addViolation("half a write", "%s %s: %d of %d rows", what, id, rows, whole)
		}
	}
}

func numbers(ctx context.Context, conn *pgx.Conn, query string) (map[string]int, error) {
	rows, err := conn.Query(ctx, query)
	if err != nil {
		return nil, err
	}
	found := make(map[string]int)
	var id string
	var number int
	_, err = pgx.ForEachRow(rows, []any{&id, &number}, func() error { found[id] = number; return nil })
	return found, err
}
