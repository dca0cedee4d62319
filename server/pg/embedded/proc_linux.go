package embedded

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// localeName is glibc's built-in UTF-8 locale; sorting is done by ICU.
const localeName = "C.UTF-8"

// From capabilities(7): capDACReadSearch lets a process read files and pass
// folders whatever their modes, capSetPCap lets it change its secure bits.
const (
	capDACReadSearch = 2
	capSetPCap       = 8
)

// With secureNoSetuidFixup a change of user keeps capabilities: all of them until the
// exec, so that the program itself is found below a closed folder; and after it the
// ambient one, also for access(2), which PostgreSQL calls.
// Source: linux/prctl.h and linux/securebits.h.
const (
	prSetSecureBits     = 28
	secureNoSetuidFixup = 1 << 2
)

// prepareThread prepares the thread that starts a child.
func (id identity) prepareThread() error {
	if !id.readSearch {
		return nil
	}
	_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetSecureBits, secureNoSetuidFixup, 0)
	if errno != 0 {
		return fmt.Errorf("keep capabilities: %w", errno)
	}
	return nil
}

// attributes gives the child its own process group, so that a Ctrl-C reaches only
// us and we stop it in order, and an immediate shutdown when we die.
func (id identity) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGQUIT}
	if id.switched {
		attr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	}
	if id.readSearch {
		attr.AmbientCaps = []uintptr{capDACReadSearch}
	}
	return attr
}

// canGrantReadSearch reports whether this process has the capabilities that it takes.
// Containers often run as root without them.
func canGrantReadSearch() bool {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(status)) {
		if hex, ok := strings.CutPrefix(line, "CapPrm:"); ok {
			permitted, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 64)
			const wanted = 1<<capDACReadSearch | 1<<capSetPCap
			return err == nil && permitted&wanted == wanted
		}
	}
	return false
}

// runsPostgresOn reports whether pid is a PostgreSQL server working on dataDir. A
// server's working folder is its data folder.
func runsPostgresOn(pid int, dataDir string) bool {
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	name, err := os.ReadFile(filepath.Join(proc, "comm"))
	if err != nil || strings.TrimSpace(string(name)) != "postgres" {
		return false
	}
	if cwd, err := os.Readlink(filepath.Join(proc, "cwd")); err == nil {
		return sameFile(cwd, dataDir)
	}
	// Another user's process hides its folder but shows its arguments. A zombie
	// shows none.
	args, err := os.ReadFile(filepath.Join(proc, "cmdline"))
	return err == nil && bytes.Contains(args, []byte(dataDir))
}

// postgresOn returns the ids of all PostgreSQL processes that work on dataDir, the
// children of a postmaster among them.
func postgresOn(dataDir string) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var found []int
	for _, entry := range entries {
		if pid, err := strconv.Atoi(entry.Name()); err == nil && runsPostgresOn(pid, dataDir) {
			found = append(found, pid)
		}
	}
	return found
}

func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(infoA, infoB)
}
