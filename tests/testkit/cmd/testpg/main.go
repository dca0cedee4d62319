// Command testpg starts a PostgreSQL for tests and passes it to them in TEST_DATABASE_URL, so that
// all packages of a run share one server and one migrated template:
//
//	go run ./tests/testkit/cmd/testpg go test ./...
//
// With PLAZA_CITUS_BIN it starts a coordinator of Citus and two workers, see docs/shards.md.
//
// Without arguments it prints the URL and runs until it is interrupted, for developers who run
// single tests repeatedly.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"plaza/tests/testkit/cluster"
)

func main() {
	status, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, "testpg:", err)
		status = 1
	}
	os.Exit(status)
}

// servers are one PostgreSQL, or those of Citus.
type servers interface {
	Environ() []string
	Stop(ctx context.Context) error
}

func startServers(ctx context.Context) (servers, error) {
	if programs := os.Getenv(cluster.EnvCitus); programs != "" {
		return cluster.StartCitus(ctx, programs)
	}
	return cluster.Start(ctx)
}

func run(command []string) (status int, err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	c, err := startServers(ctx)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, c.Stop(context.Background())) }()
	if len(command) == 0 {
		for _, variable := range c.Environ() {
			name, value, _ := strings.Cut(variable, "=")
			fmt.Printf("export %s='%s'\n", name, value)
		}
		<-ctx.Done()
		return 0, nil
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), c.Environ()...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// An interrupt is passed on, so that the tests end cleanly.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	err = cmd.Run()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode(), nil
	}
	return 0, err
}
