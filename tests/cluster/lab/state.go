//go:build linux

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// statePath is the file that names what a lab has created, so that the next lab can remove what a
// killed one left.
// lockPath is locked while a lab exists.
const (
	statePath = "/run/plaza-cluster.json"
	lockPath  = "/run/plaza-cluster.lock"
)

// state is what a lab creates. It is written before anything is created.
type state struct {
	Folder     string   `json:"folder"`
	Namespaces []string `json:"namespaces"`
}

func (s state) write() error {
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	fresh := statePath + ".new"
	if err := os.WriteFile(fresh, text, 0o600); err != nil {
		return err
	}
	return os.Rename(fresh, statePath)
}

// lock makes sure that there is one lab at a time.
func lock() (*os.File, error) {
	file, err := os.OpenFile(lockPath, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("network namespaces need root: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another cluster runs (%s is locked): %w", lockPath, err), file.Close())
	}
	return file, nil
}

// clean removes what the state file names.
func clean(ctx context.Context) error {
	text, err := os.ReadFile(statePath)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var left state
	if err := json.Unmarshal(text, &left); err != nil {
		return fmt.Errorf("%s is damaged, remove it: %w", statePath, err)
	}
	return left.remove(ctx)
}

// remove ends all processes in the namespaces, and deletes those, the folder and the state file.
func (s state) remove(ctx context.Context) error {
	var failed error
	for _, namespace := range s.Namespaces {
		if _, err := os.Stat(filepath.Join("/run/netns", namespace)); err != nil {
			continue
		}
		if err := killAll(ctx, namespace); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		failed = errors.Join(failed, removeCPUGroup(namespace), ip(ctx, "netns", "del", namespace))
	}
	if failed == nil && strings.Contains(filepath.Base(s.Folder), folderPrefix) {
		failed = errors.Join(unmountBelow(s.Folder), os.RemoveAll(s.Folder))
	}
	if failed == nil {
		failed = os.Remove(statePath)
	}
	return failed
}

// killTimeout is how long processes may take to end after SIGKILL.
const killTimeout = 20 * time.Second

// killAll ends all processes in a namespace and waits until they are gone.
func killAll(ctx context.Context, namespace string) error {
	for end := time.Now().Add(killTimeout); ; time.Sleep(10 * time.Millisecond) {
		pids, err := processes(ctx, namespace)
		if err != nil {
			return err
		}
		if len(pids) == 0 {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("processes %v of %s do not end", pids, namespace)
		}
		for _, pid := range pids {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
				return err
			}
		}
	}
}

// processes returns the ids of the processes in a namespace, without those that have ended and
// whose parent has not noticed.
func processes(ctx context.Context, namespace string) ([]int, error) {
	output, err := exec.CommandContext(ctx, "ip", "netns", "pids", namespace).Output()
	if err != nil {
		return nil, fmt.Errorf("ip netns pids %s: %w", namespace, err)
	}
	var pids []int
	for _, field := range strings.Fields(string(output)) {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, err
		}
		if stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && !strings.Contains(string(stat), ") Z ") {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// Remove removes what a killed lab has left.
func Remove(ctx context.Context) error {
	held, err := lock()
	if err != nil {
		return err
	}
	return errors.Join(clean(ctx), held.Close())
}
