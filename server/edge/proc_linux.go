package edge

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// procAttributes puts a process in its own group and kills it when this server dies.
func procAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// residentMemory returns the resident memory of a process, in bytes. It is 0 if the process has ended.
func residentMemory(pid int) int64 {
	fields := procFields(pid, "statm") // size resident shared …, in pages
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// clockTick is the unit of times in /proc. The kernel has the same one on all platforms of Go.
const clockTick = 10 * time.Millisecond

// cpuTime returns the CPU time that a process has used. It is 0 if the process has ended.
func cpuTime(pid int) time.Duration {
	const user, system = 11, 12 // after the program's name, which may contain spaces
	fields := procFields(pid, "stat")
	if len(fields) <= system {
		return 0
	}
	var ticks int64
	for _, field := range fields[user : system+1] {
		n, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return 0
		}
		ticks += n
	}
	return time.Duration(ticks) * clockTick
}

// procFields returns the fields of a file of a process in /proc, without its id and name.
func procFields(pid int, name string) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/" + name)
	if err != nil {
		return nil
	}
	return strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
}
