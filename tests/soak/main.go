// Command soak runs the server under mixed load for half an hour while it and its PostgreSQL are
// killed at random, and checks every response. It ends by itself, prints a summary, and exits with
// 1 if it found a violation:
//
//   - a wrong response, or a failure while nothing was down;
//   - an acknowledged write that is lost, or a refused one that exists;
//   - growing memory, open files or goroutines.
//
// Everything is on loopback, in a temporary folder, with a separate project. SOAK_MINUTES shortens
// it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/testkit/load"
)

const (
	defaultMinutes = 30
	workers        = 12
	sampleEvery    = 2 * time.Second
)

type settings struct {
	binary    string
	minutes   float64
	killEvery time.Duration
}

func main() {
	s := settings{minutes: defaultMinutes}
	if text := os.Getenv("SOAK_MINUTES"); text != "" {
		minutes, err := strconv.ParseFloat(text, 64)
		if err != nil || minutes <= 0 {
			fmt.Fprintf(os.Stderr, "soak: SOAK_MINUTES is %q, want a number of minutes\n", text)
			os.Exit(2)
		}
		s.minutes = minutes
	}
	flag.StringVar(&s.binary, "binary", "bin/plaza", "the server")
	flag.DurationVar(&s.killEvery, "kill-every", 30*time.Second, "mean time between kills")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	violations, err := run(ctx, s)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(2)
	}
	if violations > 0 {
		os.Exit(1)
	}
}

// run returns the number of violations.
func run(ctx context.Context, s settings) (int, error) {
	found := load.NewReport()
	server, err := newServer(s.binary)
	if err != nil {
		return 0, err
	}
	defer server.remove()
	if err := server.start(ctx); err != nil {
		return 0, err
	}
	target := &load.Target{URL: server.url, Anon: server.anon, HTTP: plain, MayFail: func(began time.Time) bool { return !server.wasUp(began) }}
	clients := make([]*load.Client, workers)
	for i := range clients {
		if clients[i], err = load.New(ctx, target, found, i); err != nil {
			return 0, err
		}
	}
	end := time.Now().Add(time.Duration(s.minutes * float64(time.Minute)))
	loadCtx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	var running sync.WaitGroup
	for _, c := range clients {
		running.Go(func() { c.Work(loadCtx) })
	}
	var samples []sample
	running.Go(func() { samples = watch(loadCtx, server) })
	if err := injectFailures(loadCtx, server, found, s.killEvery, end); err != nil {
		cancel()
		running.Wait()
		return 0, err
	}
	running.Wait()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	fmt.Println("· the load has ended; checking what is stored")
	checkGrowth(samples, server.idle(ctx), found)
	conn, err := pgx.Connect(ctx, server.database)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := load.Verify(ctx, conn, clients, found); err != nil {
		return 0, err
	}
	return found.Print(), nil
}

// restartLimitMessage is the message of a server that exits because its PostgreSQL died too often in a short
// time. That is intended, and random kills can cause it.
const restartLimitMessage = "times in a row and is not started again"

// injectFailures kills the server or its PostgreSQL at random times. The server is killed in the first half
// only: in the second, the memory of one process must not grow.
func injectFailures(ctx context.Context, server *server, found *load.Report, every time.Duration, end time.Time) error {
	half := time.Until(end) / 2
	began := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-server.ended():
			found.AddViolation("server ended", "the server ended by itself: %v", err)
			if err := server.restart(ctx); err != nil {
				return err
			}
		case <-time.After(every/2 + rand.N(every)):
			if time.Until(end) < every/2 {
				continue // let it settle before it is measured
			}
			var err error
			if time.Since(began) < half && rand.N(2) == 0 {
				found.Count("kill -9 of the server")
				err = server.kill(ctx)
			} else {
				found.Count("kill -9 of PostgreSQL")
				err = server.killPostgres(ctx)
			}
			if errors.Is(err, errEnded) && strings.Contains(err.Error(), restartLimitMessage) {
				found.Count("starts after the server gave up PostgreSQL")
				err = server.restart(ctx)
			}
			if err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}
