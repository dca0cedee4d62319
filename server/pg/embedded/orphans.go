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

// Orphans get SIGQUIT first, then SIGKILL.
const (
	orphanGrace     = 2 * time.Second
	orphanKillGrace = 5 * time.Second
)

// endOrphans ends the processes of a postmaster that was killed. A busy one does
// not see that its postmaster is gone, and holds the shared memory for which
// PostgreSQL refuses to start again. Without a postmaster, what they do is lost anyway.
func endOrphans(ctx context.Context, cfg Config) error {
	for _, step := range []struct {
		signal syscall.Signal
		grace  time.Duration
	}{{syscall.SIGQUIT, orphanGrace}, {syscall.SIGKILL, orphanKillGrace}} {
		left := postgresOn(cfg.DataDir)
		for _, pid := range left {
			if err := sendSignal(pid, step.signal); err != nil {
				return fmt.Errorf("%w: process %d of an earlier PostgreSQL works on %s and we may not stop it (%w); stop it",
					ErrDataInUse, pid, cfg.DataDir, err)
			}
		}
		deadline := time.Now().Add(step.grace)
		for _, pid := range left {
			if _, err := waitEnded(ctx, pid, cfg.DataDir, time.Until(deadline)); err != nil {
				return err
			}
		}
	}
	if left := postgresOn(cfg.DataDir); len(left) > 0 {
		return fmt.Errorf("%w: processes %v of an earlier PostgreSQL work on %s and do not stop; end them", ErrDataInUse, left, cfg.DataDir)
	}
	return nil
}

// removeSocketLocks removes the socket files that an earlier PostgreSQL left in the data
// folder, with their locks. PostgreSQL refuses to start if a lock is empty, or names a
// process id that another process has by now. A file of a PostgreSQL that runs on the
// folder stays; there is none once endLeftover is done.
func removeSocketLocks(dataDir string) error {
	locks, err := filepath.Glob(filepath.Join(escapeGlob(dataDir), ".s.PGSQL.*.lock"))
	if err != nil {
		return err
	}
	for _, lock := range locks {
		content, err := os.ReadFile(lock)
		if err != nil {
			return notWritable(dataDir, err)
		}
		first, _, _ := strings.Cut(string(content), "\n")
		if pid, err := strconv.Atoi(strings.TrimSpace(first)); err == nil && pid > 0 && runsPostgresOn(pid, dataDir) {
			continue
		}
		for _, path := range []string{lock, strings.TrimSuffix(lock, ".lock")} {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return notWritable(dataDir, err)
			}
		}
	}
	return nil
}

// escapeGlob quotes the characters of a path that have a meaning in patterns.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
