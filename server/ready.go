package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"plaza/server/app"
)

// readyTimeout is longer than /ready waits for the database.
const readyTimeout = 4 * time.Second

// ready sends an HTTP request to the server's readiness endpoint. It is the health
// check of container images without a shell or curl.
func ready(ctx context.Context, args []string) error {
	set := flags("ready [flags] [address]", "Asks the server on this machine whether it is ready, and exits with 1 if it is not.\n"+
		"The address is that of PLAZA_HOST and PLAZA_PORT with /ready, unless one is given,\nsuch as http://127.0.0.1:5000/status of a \"plaza storage\".")
	if err := parse(set, args, 1); err != nil {
		return err
	}
	address := set.Arg(0)
	if address == "" {
		address = "http://" + net.JoinHostPort(reachable(os.Getenv("PLAZA_HOST")), cmp.Or(os.Getenv("PLAZA_PORT"), "54321")) + "/ready"
	}
	return askReady(ctx, address)
}

func askReady(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("not ready: %w", err)
	}
	_ = response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return errors.New("not ready: " + response.Status)
	}
	return nil
}

// status prints a running server's addresses and keys, as `supabase status` does.
func status(ctx context.Context, args []string) error {
	set := flags("status", "Prints the addresses and keys of a running server and its background jobs, and exits with 1 if it is not running.")
	folder := set.String("project", "", "a Supabase project folder instead of the one built in")
	format := set.String("output", "pretty", "pretty, env or json; env and json have the names of supabase status, json also the jobs")
	set.StringVar(format, "o", "pretty", "as --output")
	if err := parse(set, args, 0); err != nil {
		return err
	}
	_, cfg, _, err := load(*folder)
	if err != nil {
		return err
	}
	found, err := app.ReadStatus(cfg)
	if err != nil {
		return err
	}
	if err := askReady(ctx, "http://"+net.JoinHostPort(reachable(cfg.Host), strconv.Itoa(cfg.Port))+"/ready"); err != nil {
		return err
	}
	if err := found.ReadJobs(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "plaza: the background jobs cannot be read:", err)
	}
	return found.Write(os.Stdout, *format)
}

// reachable returns the host at which a server on this machine that listens on host can be reached.
func reachable(host string) string {
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		return "127.0.0.1"
	}
	return host
}
