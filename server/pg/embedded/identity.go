package embedded

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
)

// identity is the user PostgreSQL runs as. PostgreSQL refuses to run as root, so
// that a root server runs it as another user.
type identity struct {
	switched bool // false: run as ourselves
	name     string
	uid, gid int
	// readSearch gives the child the capability CAP_DAC_READ_SEARCH, with which it passes
	// folders that are closed to its user.
	readSearch bool
}

// candidates are the users a root server may run PostgreSQL as, best first.
// The user must exist by name: initdb looks it up.
var candidates = []string{"postgres", "nobody", "daemon"}

// chooseIdentity chooses the user. Existing data keeps its owner, so that a folder
// made by an ordinary user can be served by root and by that user.
func chooseIdentity(dataDir string) (identity, error) {
	if os.Geteuid() != 0 {
		return identity{}, nil
	}
	names := candidates
	if info, err := os.Stat(dataDir); err == nil {
		if u, err := user.LookupId(strconv.Itoa(owner(info))); err == nil && u.Uid != "0" {
			names = append([]string{u.Username}, names...)
		}
	}
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.Atoi(u.Uid)
		if err != nil {
			return identity{}, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.Atoi(u.Gid)
		if err != nil {
			return identity{}, fmt.Errorf("user %s: %w", name, err)
		}
		return identity{switched: true, name: name, uid: uid, gid: gid}, nil
	}
	return identity{}, fmt.Errorf("%w: PostgreSQL does not run as root, and there is no user postgres or nobody; add one", ErrUnreachable)
}

// own makes the identity the owner of path and all below it, unless it owns path
// already. The top comes last, so that an interrupted run is done again.
func (id identity) own(path string) error {
	if !id.switched {
		return nil
	}
	if info, err := os.Stat(path); err != nil || owner(info) == id.uid {
		return err
	}
	err := filepath.WalkDir(path, func(p string, _ fs.DirEntry, err error) error {
		if err != nil || p == path {
			return err
		}
		return os.Lchown(p, id.uid, id.gid)
	})
	if err != nil {
		return err
	}
	return os.Chown(path, id.uid, id.gid)
}

// withAccessTo returns the identity, with readSearch if the modes of folders above the
// paths do not let it pass.
//
// Errors: ErrUnreachable, which names the folder to open, if we cannot grant readSearch.
func (id identity) withAccessTo(paths ...string) (identity, error) {
	if !id.switched {
		return id, nil
	}
	for _, path := range paths {
		closed, err := id.closedParent(path)
		if err != nil {
			return id, err
		}
		if closed == "" {
			continue
		}
		if !canGrantReadSearch() {
			return id, fmt.Errorf("%w: user %s may not pass %s; run `chmod o+x %s` or choose another folder",
				ErrUnreachable, id.name, closed, closed)
		}
		id.readSearch = true
	}
	return id, nil
}

// closedParent returns the topmost folder above path that the identity may not
// pass, or "".
func (id identity) closedParent(path string) (string, error) {
	var closed string
	for parent := filepath.Dir(path); ; parent = filepath.Dir(parent) {
		info, err := os.Stat(parent)
		if err != nil {
			return "", err
		}
		if !id.passes(info) {
			closed = parent
		}
		if parent == filepath.Dir(parent) {
			return closed, nil
		}
	}
}

// checkOwner returns a clear error for a folder of another user, which PostgreSQL would refuse.
func checkOwner(dataDir string, id identity) error {
	info, err := os.Stat(dataDir)
	if err != nil {
		return err
	}
	if !id.switched && owner(info) != os.Geteuid() {
		return fmt.Errorf("%w: %s belongs to user id %d; start as that user, or choose another data folder", ErrNotWritable, dataDir, owner(info))
	}
	return nil
}

// command prepares one of PostgreSQL's programs to run as the identity. The
// working folder is one that everybody may enter; all paths are absolute.
func (id identity) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = string(filepath.Separator)
	cmd.Env = environment()
	cmd.SysProcAttr = id.attributes()
	return cmd
}

// run starts cmd, calls started with the error of the start, and waits for the end.
//
// It uses a thread of its own: the kernel sends a parent's death signal when
// the thread that started the child ends, and prepareThread changes the thread.
// A thread whose goroutine ends while locked to it is not used again.
func (id identity) run(cmd *exec.Cmd, started func(error)) error {
	ended := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := id.prepareThread()
		if err == nil {
			err = cmd.Start()
		}
		started(err)
		if err == nil {
			err = cmd.Wait()
		}
		ended <- err
	}()
	return <-ended
}
