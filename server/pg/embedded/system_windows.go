package embedded

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

const (
	localeName    = "C"
	programSuffix = ".exe"
	// socketFolder is empty: PostgreSQL is reached by TCP.
	socketFolder = ""
)

var (
	libraryFolders  = []string{"lib"}
	librarySuffixes = []string{".dll"}
)

// owner is what os.Geteuid returns here: files are protected by access lists, not by their owner.
func owner(fs.FileInfo) int { return -1 }

// passes is not called, because the identity is never switched here.
func (id identity) passes(fs.FileInfo) bool { return true }

// attributes puts the child in its own process group, so that a Ctrl-C reaches only us and we stop it
// in order. It does not end with us; endLeftover stops it at the next start.
func (id identity) attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

func (id identity) prepareThread() error { return nil }

func canGrantReadSearch() bool { return false }

// environment has what programs need to start here, and nothing of the caller's secrets.
func environment() []string {
	kept := []string{"LC_ALL=" + localeName, "LANGUAGE=en", "TZ=UTC"}
	for _, name := range []string{"SystemRoot", "SystemDrive", "PATH", "TEMP", "TMP", "USERNAME", "USERPROFILE", "APPDATA"} {
		if value := os.Getenv(name); value != "" {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}

// sendSignal sends a signal to a process of PostgreSQL, which reads signals from a named pipe. One that
// has ended is no error.
// Source: PostgreSQL, src/port/kill.c and src/backend/port/win32/signal.c.
func sendSignal(pid int, sig syscall.Signal) error {
	if sig == syscall.SIGKILL {
		process, err := os.FindProcess(pid)
		if err != nil {
			return nil // there is none
		}
		if err := process.Kill(); !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		return nil
	}
	pipe, err := os.OpenFile(`\\.\pipe\pgsignal_`+strconv.Itoa(pid), os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	signal := []byte{byte(sig)}
	_, err = pipe.Write(signal)
	if err == nil {
		_, err = pipe.Read(signal) // it is sent back when it has been received
	}
	return errors.Join(err, pipe.Close())
}

// startTolerance is how far the start of a process and the one in its pid file may be apart.
const startTolerance = 10 * time.Second

// runsPostgresOn reports whether pid is a PostgreSQL server working on dataDir: a process of that
// program that was started when the folder's pid file says.
func runsPostgresOn(pid int, dataDir string) bool {
	handle, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return false
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	var created, exited, kernel, user windows.Filetime
	if windows.QueryFullProcessImageName(handle, 0, &name[0], &size) != nil || windows.GetProcessTimes(handle, &created, &exited, &kernel, &user) != nil {
		return false
	}
	var code uint32
	const stillActive = 259
	if windows.GetExitCodeProcess(handle, &code) != nil || code != stillActive {
		return false
	}
	if !strings.EqualFold(filepath.Base(windows.UTF16ToString(name[:size])), "postgres.exe") {
		return false
	}
	content, err := os.ReadFile(filepath.Join(dataDir, "postmaster.pid"))
	if err != nil {
		return false
	}
	lines := strings.Split(string(content), "\n")
	if len(lines) <= startLine {
		return false
	}
	seconds, err := strconv.ParseInt(strings.TrimSpace(lines[startLine]), 10, 64)
	return err == nil && time.Unix(0, created.Nanoseconds()).Sub(time.Unix(seconds, 0)).Abs() <= startTolerance
}

// postgresOn returns nothing: children of a postmaster show no folder here, and end with it.
func postgresOn(string) []int { return nil }

func isAddressInUse(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES) // the latter: another's exclusive port
}

// promoteNumber is the number of PostgreSQL's SIGUSR1.
// Source: src/include/port/win32_port.h.
const promoteNumber = 30
