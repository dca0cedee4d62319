package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit"
	"plaza/tests/testkit/cluster"
)

// helper turns the test binary into a process that owns a cluster.
const helper = "CLUSTER_TEST_HELPER"

func TestMain(m *testing.M) {
	if os.Getenv(helper) != "" {
		own()
	}
	os.Exit(m.Run())
}

// own starts a cluster, prints its URL, and exits without cleaning up as soon as its input ends.
func own() {
	c, err := cluster.Start(context.Background())
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(c.URL())
	_, _ = bufio.NewReader(os.Stdin).ReadByte()
	os.Exit(0)
}

// dataDir returns the folder of a cluster's files.
func dataDir(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	var dir string
	if err := conn.QueryRow(t.Context(), "show data_directory").Scan(&dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestStopLeavesNoFiles(t *testing.T) {
	t.Parallel()
	c, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	dir := dataDir(t, testkit.Connect(t, c.URL()))
	if err := c.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", dir, err)
	}
}

// However its owner ends, a cluster is stopped with it.
func TestClusterEndsWithItsOwner(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"exit", "kill"} {
		t.Run(end, func(t *testing.T) {
			t.Parallel()
			owner := exec.Command(os.Args[0])
			owner.Env = append(os.Environ(), helper+"=1")
			in, err := owner.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := owner.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := owner.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = owner.Process.Kill() })
			address, err := bufio.NewReader(out).ReadString('\n')
			if err != nil || strings.HasPrefix(address, "error") {
				t.Fatalf("owner: %q %v", address, err)
			}
			address = strings.TrimSpace(address)
			conn := testkit.Connect(t, address)
			dir := dataDir(t, conn)
			if end == "exit" {
				err = in.Close()
			} else {
				err = owner.Process.Kill()
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = owner.Wait()
			// The session is closed when PostgreSQL stops, and not before.
			if _, err := conn.WaitForNotification(t.Context()); err == nil {
				t.Error("the session went on")
			}
			waitGone(t, dir)
			if _, err := pgx.Connect(t.Context(), address); err == nil {
				u, _ := url.Parse(address)
				t.Errorf("something still serves on %s", u.Host)
			}
		})
	}
}

// waitGone waits until path no longer exists. Another process removes it, without notifying us.
func waitGone(t *testing.T, path string) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return
		}
	}
}

func TestStandbyReplicates(t *testing.T) {
	t.Parallel()
	primary, err := cluster.Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = primary.Stop(context.Background()) })
	standby, err := primary.Standby(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = standby.Stop(context.Background()) })
	wait := func(question string) {
		t.Helper()
		conn, err := pgx.Connect(t.Context(), standby.URL())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close(context.Background()) }()
		for yes := false; !yes; {
			if err := conn.QueryRow(t.Context(), question).Scan(&yes); err != nil {
				t.Fatal(err)
			}
		}
	}
	conn, err := pgx.Connect(t.Context(), primary.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, name := range []string{"first", "second"} {
		if _, err := conn.Exec(t.Context(), "create table "+name+" ()"); err != nil {
			t.Fatal(err)
		}
		wait("select pg_is_in_recovery() and to_regclass('" + name + "') is not null")
		if err := standby.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := standby.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
