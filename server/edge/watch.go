package edge

import (
	"io/fs"
	"path/filepath"
	"time"
)

// watchInterval is how often the memory and the CPU time of a process are checked, and
// diskInterval how often its temporary files are.
const (
	watchInterval = 250 * time.Millisecond
	diskInterval  = 4 // checks
)

// denoOverhead is the memory that deno uses in addition to a function's heap, in bytes.
const denoOverhead = 160 << 20

// watch waits until a process has ended. It kills the process if it exceeds a limit.
//
// CPU time is counted from the end of the last call, or from the first call after an idle time. So a
// function that keeps finishing its calls is not killed, but one that computes for too long without
// finishing any is, also in background work. The CPU time of the start is not counted.
func (r *Runtime) watch(c *child, ended <-chan struct{}) {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	var counted time.Duration // CPU time at the last progress
	var progress uint64
	for n := 0; ; n++ {
		select {
		case <-ended:
			return
		case <-tick.C:
		}
		used := cpuTime(c.pid)
		if now := c.progress.Load(); now != progress || !c.isReady() {
			progress, counted = now, used
		}
		switch {
		case residentMemory(c.pid) > int64(r.cfg.Memory)<<20+denoOverhead:
			r.stopExceeding(c, "memory")
		case r.cfg.CPU > 0 && used-counted > r.cfg.CPU:
			r.stopExceeding(c, "cpu_time")
		case n%diskInterval == 0 && sizeOf(c.tempDir()) > int64(r.cfg.Temporary)<<20:
			r.stopExceeding(c, "temporary_files")
		}
	}
}

// stopExceeding kills a process that exceeded a limit.
func (r *Runtime) stopExceeding(c *child, limit string) {
	if c.exceeded.CompareAndSwap(false, true) {
		r.overruns.Add(c.name, 1)
		c.log.warn("function exceeded a limit and is killed", "limit", limit)
	}
	c.kill()
}

// sizeOf returns the size of the files in a folder, in bytes.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil // a file that has just been deleted has no size
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
