// Command testpg starts a PostgreSQL for tests and passes it to them in TEST_DATABASE_URL, so that
// all packages of a run share one server and one migrated template:
//
//	go run ./tests/testkit/cmd/testpg go test ./...
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

func run(command []string) (status int, err error) {
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	c, err := cluster.Start(ctx)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, c.Stop(context.Background())) }()
	if len(command) == 0 {
		fmt.Printf("export %s='%s'\n", cluster.EnvURL, c.URL())
		<-ctx.Done()
		return 0, nil
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), cluster.EnvURL+"="+c.URL())
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
