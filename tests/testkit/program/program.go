// Package program runs the servers that tests compare ours with, or that replace external ones.
package program

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"plaza/tests/testkit/cluster"
	"plaza/tests/testkit/freeport"
)

// Program is a server that the Makefile can install.
type Program struct {
	Binary string // from the root of the tree, as the Makefile names it: ".tools/bin/versitygw"
	// Args returns the arguments for listening at an address, "127.0.0.1:port".
	Args   func(address string) []string
	Env    []string // in addition to the test's own
	Health string   // a path that responds once it is ready; any status will do
}

// startTimeout is how long a server may take to start.
const startTimeout = time.Minute

// Start runs a server until the test ends, and returns its address.
func Start(t testing.TB, p Program) (address string) {
	t.Helper()
	binary := install(t, p.Binary)
	for range 3 { // another process may take the port first
		address := "127.0.0.1:" + freeport.Pick()
		if try(t, p, binary, address) {
			return address
		}
	}
	t.Fatalf("%s does not start", p.Binary)
	return ""
}

func try(t testing.TB, p Program, binary, address string) bool {
	t.Helper()
	var output bytes.Buffer
	command := exec.Command(binary, p.Args(address)...)
	command.Env = append(os.Environ(), p.Env...)
	command.Stdout, command.Stderr = &output, &output
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		_ = command.Wait()
	}()
	end := func() {
		_ = command.Process.Kill()
		<-exited
	}
	if waitReady(t, "http://"+address+p.Health, exited) {
		t.Cleanup(end)
		return true
	}
	end()
	t.Logf("%s ended: %s", p.Binary, output.String())
	return false
}

// waitReady waits until the server responds or has exited, and reports which.
func waitReady(t testing.TB, address string, exited <-chan struct{}) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startTimeout)
	defer cancel()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultClient.Do(request); err == nil {
			_ = answer.Body.Close()
			return true
		}
		select {
		case <-exited:
			return false
		case <-ctx.Done():
			return false
		case <-again.C:
		}
	}
}

// install makes the Makefile build a missing program, once for all concurrent test processes.
func install(t testing.TB, name string) string {
	t.Helper()
	root, err := cluster.RepoRoot()
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(root, name)
	if _, err := os.Stat(binary); err == nil {
		return binary
	}
	lock, err := os.Open(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close() }()
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command("make", "-C", root, name).CombinedOutput(); err != nil {
		t.Fatalf("install %s: %v\n%s", name, err, output)
	}
	return binary
}
