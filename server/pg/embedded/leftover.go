package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// pollInterval is how often conditions are checked that nothing notifies us of. A
// check costs microseconds, and the user waits for a start.
const pollInterval = 5 * time.Millisecond

// A leftover server gets a fast shutdown first, then an immediate one.
const (
	leftoverFastGrace      = 5 * time.Second
	leftoverImmediateGrace = 10 * time.Second
)

// endLeftover stops a PostgreSQL that an earlier parent left on our data folder
// when it was killed, and removes what would block the next one. We hold the
// folder's lock, so no living Plaza owns it.
func endLeftover(ctx context.Context, cfg Config) error {
	if err := endPostmaster(ctx, cfg); err != nil {
		return err
	}
	if err := endOrphans(ctx, cfg); err != nil {
		return err
	}
	return removeSocketLocks(cfg.DataDir)
}

func endPostmaster(ctx context.Context, cfg Config) error {
	pidFile := filepath.Join(cfg.DataDir, "postmaster.pid")
	content, err := os.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return notWritable(cfg.DataDir, err)
	}
	first, rest, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(strings.TrimSpace(first))
	if err != nil || pid <= 0 {
		// Incomplete after a crash of the machine. PostgreSQL would refuse to start.
		return os.Remove(pidFile)
	}
	if !runsPostgresOn(pid, cfg.DataDir) {
		return disownPidFile(pidFile, rest)
	}
	cfg.Progress("Waiting for an earlier PostgreSQL to end")
	for _, step := range []struct {
		signal syscall.Signal
		grace  time.Duration
	}{{syscall.SIGINT, leftoverFastGrace}, {syscall.SIGQUIT, leftoverImmediateGrace}} {
		if err := sendSignal(pid, step.signal); err != nil {
			return fmt.Errorf("%w: PostgreSQL with process id %d runs on %s and we may not stop it (%w); stop it",
				ErrDataInUse, pid, cfg.DataDir, err)
		}
		ended, err := waitEnded(ctx, pid, cfg.DataDir, step.grace)
		if err != nil {
			return err
		}
		if ended {
			return disownRemaining(pidFile, first)
		}
	}
	return fmt.Errorf("%w: PostgreSQL with process id %d runs on %s and does not stop; end it", ErrDataInUse, pid, cfg.DataDir)
}

func waitEnded(ctx context.Context, pid int, dataDir string, grace time.Duration) (bool, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	deadline := time.After(grace)
	for runsPostgresOn(pid, dataDir) {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-deadline:
			return false, nil
		case <-tick.C:
		}
	}
	return true, nil
}

// disownRemaining calls disownPidFile if the server that was stopped has not removed its
// pid file, as when it was killed. Its process may still count as alive, as a zombie.
func disownRemaining(pidFile, pid string) error {
	content, err := os.ReadFile(pidFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return notWritable(pidFile, err)
	}
	first, rest, _ := strings.Cut(string(content), "\n")
	if first != pid {
		return nil
	}
	return disownPidFile(pidFile, rest)
}

// disownPidFile replaces the process id in the file by ours. PostgreSQL refuses to
// start if a process with that id is alive, even one of another program that has the
// id now, but accepts its parent's. The rest of the file stays, so that PostgreSQL
// still finds sessions of the old server by their shared memory.
func disownPidFile(pidFile, rest string) error {
	info, err := os.Stat(pidFile)
	if err != nil {
		return err
	}
	content := strconv.Itoa(os.Getpid()) + "\n" + rest
	if err := os.WriteFile(pidFile, []byte(content), info.Mode().Perm()); err != nil {
		return notWritable(pidFile, err)
	}
	return nil
}
