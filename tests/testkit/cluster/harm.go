package cluster

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5"
)

// Kill ends PostgreSQL as a power loss does; its files are kept. Run starts it again.
func (c *Cluster) Kill() error {
	pid, err := c.postmaster()
	if err != nil {
		return err
	}
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return err
	}
	<-c.server.Done()
	return nil
}

// Freeze suspends all of PostgreSQL's processes, as if the machine hung. thaw resumes them; it must
// be called even after an error.
func (c *Cluster) Freeze(ctx context.Context) (thaw func(), err error) {
	var frozen []int
	thaw = func() {
		for _, pid := range frozen {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	freeze := func(pid int) error {
		frozen = append(frozen, pid)
		return syscall.Kill(pid, syscall.SIGSTOP)
	}
	conn, err := pgx.Connect(ctx, c.URL())
	if err != nil {
		return thaw, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	postmaster, err := c.postmaster()
	if err != nil {
		return thaw, err
	}
	if err := freeze(postmaster); err != nil { // first, so that it starts no more
		return thaw, err
	}
	rows, err := conn.Query(ctx, "select pid from pg_stat_activity where pid <> pg_backend_pid()")
	if err != nil {
		return thaw, err
	}
	pids, err := pgx.CollectRows(rows, pgx.RowTo[int])
	for _, pid := range pids {
		err = errors.Join(err, freeze(pid))
	}
	return thaw, err
}

// postmaster returns the process id of PostgreSQL's first process.
func (c *Cluster) postmaster() (int, error) {
	text, err := os.ReadFile(filepath.Join(c.dir, "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	return strconv.Atoi(line)
}
