//go:build unix

package embedded

import (
	"errors"
	"io/fs"
	"syscall"
)

// programSuffix ends the names of programs.
const programSuffix = ""

// socketFolder is PostgreSQL's setting unix_socket_directories: the data folder, which it works in.
const socketFolder = "."

// libraryFolders and librarySuffixes say where PostgreSQL loads libraries from.
var (
	libraryFolders  = []string{"lib/postgresql", "lib"}
	librarySuffixes = []string{".so", ".dylib"}
)

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

// passes reports whether the identity may pass a folder.
func (id identity) passes(info fs.FileInfo) bool {
	stat := info.Sys().(*syscall.Stat_t)
	switch {
	case int(stat.Uid) == id.uid:
		return info.Mode()&0o100 != 0
	case int(stat.Gid) == id.gid:
		return info.Mode()&0o010 != 0
	default:
		return info.Mode()&0o001 != 0
	}
}

// environment is the same on every machine, as PostgreSQL takes the language of its
// messages and its time zone from it. It has nothing of our own, which has secrets.
func environment() []string {
	return []string{"LC_ALL=" + localeName, "LANGUAGE=en", "TZ=UTC", "PATH=/usr/bin:/bin"}
}

// sendSignal sends a signal to a process of PostgreSQL. One that has ended is no error.
func sendSignal(pid int, sig syscall.Signal) error {
	if err := syscall.Kill(pid, sig); !errors.Is(err, syscall.ESRCH) {
		return err
	}
	return nil
}

func isAddressInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }

// promoteNumber is the number of SIGUSR1.
const promoteNumber = syscall.SIGUSR1
