//go:build unix && !linux

package embedded

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// localeName: C.UTF-8 is not known everywhere; sorting is done by ICU anyway.
const localeName = "C"

// attributes gives the child its own process group, so that a Ctrl-C reaches only
// us and we stop it in order. There is no signal on a parent's death here;
// endLeftover stops the child at the next start.
func (id identity) attributes() *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if id.switched {
		attr.Credential = &syscall.Credential{Uid: uint32(id.uid), Gid: uint32(id.gid)}
	}
	return attr
}

// prepareThread does nothing here.
func (id identity) prepareThread() error { return nil }

// canGrantReadSearch returns false: there are no capabilities here.
func canGrantReadSearch() bool { return false }

// runsPostgresOn reports whether pid is a PostgreSQL server working on dataDir.
func runsPostgresOn(pid int, dataDir string) bool {
	args, err := exec.Command("ps", "-ww", "-o", "args=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(args), "postgres") && strings.Contains(string(args), dataDir)
}

// postgresOn returns nothing: children of a postmaster show no folder here.
func postgresOn(string) []int { return nil }
