package edge

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// procAttributes puts a process in its own group and kills it when this server dies.
func procAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// residentMemory returns the resident memory of a process, in bytes. It is 0 if the process has ended.
func residentMemory(pid int) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text)) // size resident shared …, in pages
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
