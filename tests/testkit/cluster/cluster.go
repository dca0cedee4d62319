// Package cluster starts the PostgreSQL that tests share: real, on a free port, without durability,
// and removed completely when its parent process ends in any way.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"plaza/server/pg/embedded"
)

// EnvURL is the variable that passes a running cluster to tests: its superuser's URL. The cluster
// must be on this machine.
const EnvURL = "TEST_DATABASE_URL"

// settings trade durability for speed and allow parallel tests.
var settings = map[string]string{
	"fsync":              "off",
	"synchronous_commit": "off",
	"full_page_writes":   "off",
	"max_connections":    "400",
	"shared_buffers":     "128MB",
}

// Cluster is a running test PostgreSQL.
type Cluster struct {
	dir      string // PostgreSQL's files
	root     string // of the repository
	programs string // the folder of PostgreSQL's programs; empty: the usual one
	settings map[string]string
	port     int
	server   *embedded.Server
	reaper   *exec.Cmd
	leash    io.Closer
}

// Start creates a new cluster and starts it. It lives until Stop, until this process ends, or until
// the result is garbage collected: keep a reference.
func Start(ctx context.Context) (*Cluster, error) { return start(ctx, "", settings, nil) }

// StartWith is like Start, with further settings of PostgreSQL, which override the usual ones.
func StartWith(ctx context.Context, other map[string]string) (*Cluster, error) {
	all := maps.Clone(settings)
	maps.Copy(all, other)
	return start(ctx, "", all, nil)
}

// start creates the data folder with fill, or a new one if fill is nil.
func start(ctx context.Context, programs string, settings map[string]string, fill func(dir string) error) (*Cluster, error) {
	root, err := RepoRoot()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(memoryFolder(), "plaza-testpg-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(dir, 0o711); err != nil { // PostgreSQL may run as another user
		return nil, err
	}
	c := &Cluster{dir: filepath.Join(dir, "data"), root: root, programs: programs, settings: settings}
	if err := c.startReaper(dir); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	if fill != nil {
		err = fill(c.dir)
	}
	if err == nil {
		err = c.Run(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, c.stopReaper())
	}
	return c, nil
}

// Run starts PostgreSQL, also after Kill.
func (c *Cluster) Run(ctx context.Context) (err error) {
	c.server, err = embedded.Start(ctx, embedded.Config{
		DataDir: c.dir, BinDir: c.programs, Port: c.port, Roots: []string{c.root}, Password: "postgres", Settings: c.settings,
	})
	if err == nil {
		c.port, err = portOf(c.server.URL())
	}
	return err
}

// memoryDir is where Linux keeps files in memory.
const memoryDir = "/dev/shm"

// minFreeMemory is several times the size of all databases of a complete test run.
const minFreeMemory = 4 << 30

// memoryFolder returns the in-memory file system if it has room, else "". A database is some 400 files:
// creating and dropping one takes five times as long on a disk's file system, and a run does so
// more than a thousand times.
func memoryFolder() string {
	var at syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &at); err != nil || at.Bavail*uint64(at.Bsize) < minFreeMemory {
		return ""
	}
	return memoryDir
}

func portOf(address string) (int, error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(u.Port())
}

// URL returns the superuser's connection string.
func (c *Cluster) URL() string { return c.server.AdminURL() }

// Environ returns the variable that passes the cluster to tests.
func (c *Cluster) Environ() []string { return []string{EnvURL + "=" + c.URL()} }

// Stop stops the cluster and removes its files.
func (c *Cluster) Stop(ctx context.Context) error {
	return errors.Join(c.server.Stop(ctx), c.stopReaper())
}

// reaperScript waits until its input ends, which happens when our process ends in any way, then
// stops PostgreSQL and removes the folder. Files may still appear while PostgreSQL stops, so it
// tries for a few seconds.
const reaperScript = `
read -r _
pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
tries=0
until rm -rf "$0" 2>/dev/null || [ $tries -ge 100 ]; do tries=$((tries + 1)); sleep 0.1; done`

// startReaper starts a process that outlives us. go test provides no hook for cleaning up at the
// end of a run (TestMain belongs to the packages).
func (c *Cluster) startReaper(dir string) error {
	c.reaper = exec.Command("/bin/sh", "-c", reaperScript, dir)
	c.reaper.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // not affected by Ctrl-C
	leash, err := c.reaper.StdinPipe()
	if err != nil {
		return err
	}
	c.leash = leash
	return c.reaper.Start()
}

func (c *Cluster) stopReaper() error {
	return errors.Join(c.leash.Close(), c.reaper.Wait())
}

// RepoRoot returns the folder with go.mod above the working folder. Tests run in their package's
// folder.
func RepoRoot() (string, error) {
	start, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := start; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod above %s", start)
		}
	}
}
