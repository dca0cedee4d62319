package embedded

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// postmasterOf returns the process id of the PostgreSQL on a folder.
func postmasterOf(t *testing.T, dir string) int {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// A busy backend does not notice that its postmaster was killed. It keeps the shared memory,
// which prevents PostgreSQL from starting.
func TestRestartAfterBothAreKilled(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	parent, url := startParent(t, os.Args[0], dir, nil)
	query(t, url, "create table kept (n int); insert into kept values (7)")
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	port := conn.Config().Port
	backend := int(conn.PgConn().PID())
	go func() { _, _ = conn.Exec(t.Context(), "do $$ begin loop end loop; end $$") }()
	for query(t, url, "select state from pg_stat_activity where pid = "+strconv.Itoa(backend)) != "active" {
	}
	postmaster := postmasterOf(t, dir)
	for _, pid := range []int{postmaster, parent.Process.Pid} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	_ = parent.Wait()
	t.Cleanup(func() { _ = syscall.Kill(backend, syscall.SIGKILL) })

	cfg := testConfig(dir)
	cfg.Port = int(port)
	server := mustStart(t, cfg)
	if got := query(t, server.URL(), "select n from kept"); got != "7" {
		t.Errorf("after the kill the row is %q, want 7", got)
	}
}

func TestStaleSocketLockDoesNotBlock(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data [1]*")
	server := mustStart(t, testConfig(dir))
	port := server.port
	mustStop(t, server)
	id, err := chooseIdentity(dir)
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command("cat") // a process of PostgreSQL's user that is not PostgreSQL
	other.SysProcAttr = id.attributes()
	if _, err := other.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = other.Process.Kill(); _ = other.Wait() })
	lock := filepath.Join(dir, ".s.PGSQL."+strconv.Itoa(port)+".lock")
	for name, left := range map[string]string{
		"another process": strconv.Itoa(other.Process.Pid) + "\n" + dir + "\n",
		"torn":            "",
	} {
		if err := os.WriteFile(lock, []byte(left), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := id.own(lock); err != nil {
			t.Fatal(err)
		}
		cfg := testConfig(dir)
		cfg.Port = port
		again, err := Start(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		mustStop(t, again)
	}
}

func TestKilledPostgreSQLIsRestarted(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	cfg := testConfig(dir)
	cfg.Restart = true
	server := mustStart(t, cfg)
	query(t, server.URL(), "create table kept (n int); insert into kept values (7)")
	url := server.URL()
	for range 3 {
		killed := postmasterOf(t, dir)
		if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		waitFor(t, func() bool {
			conn, err := pgx.Connect(t.Context(), url)
			if err != nil {
				return false
			}
			_ = conn.Close(t.Context())
			return postmasterOf(t, dir) != killed
		})
		if got := query(t, url, "select n from kept"); got != "7" {
			t.Errorf("after the kill the row is %q, want 7", got)
		}
	}
	select {
	case <-server.Done():
		t.Errorf("the restarts were given up: %v", server.Err())
	default:
	}
}

func TestGivesUpIfPostgreSQLCannotStart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	cfg := testConfig(dir)
	cfg.Restart = true
	server := mustStart(t, cfg)
	if err := os.Remove(filepath.Join(dir, "global", "pg_control")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(postmasterOf(t, dir), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-server.Done()
	if err := server.Err(); err == nil || !strings.Contains(err.Error(), "5 times in a row") {
		t.Errorf("the error is: %v", err)
	}
}

func TestStopDuringRestart(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(openDir(t), "data")
	cfg := testConfig(dir)
	cfg.Restart = true
	server := mustStart(t, cfg)
	if err := syscall.Kill(postmasterOf(t, dir), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	mustStop(t, server)
	if err := server.Err(); err != nil {
		t.Errorf("an intended stop is reported as an error: %v", err)
	}
	mustStart(t, testConfig(dir))
}

// waitFor polls a condition for up to a minute.
func waitFor(t *testing.T, condition func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !condition(); {
		if time.Now().After(end) {
			t.Fatal("the condition does not become true")
		}
	}
}
