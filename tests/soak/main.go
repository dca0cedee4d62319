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
	found := &report{counts: make(map[string]int), kinds: make(map[string]int)}
	server, err := newServer(s.binary)
	if err != nil {
		return 0, err
	}
	defer server.remove()
	if err := server.start(ctx); err != nil {
		return 0, err
	}
	clients := make([]*client, workers)
	for i := range clients {
		if clients[i], err = newClient(ctx, server, found, i); err != nil {
			return 0, err
		}
	}
	end := time.Now().Add(time.Duration(s.minutes * float64(time.Minute)))
	loadCtx, cancel := context.WithDeadline(ctx, end)
	defer cancel()
	var load sync.WaitGroup
	for _, c := range clients {
		load.Go(func() { c.work(loadCtx) })
	}
	var samples []sample
	load.Go(func() { samples = watch(loadCtx, server) })
	if err := injectFailures(loadCtx, server, found, s.killEvery, end); err != nil {
		cancel()
		load.Wait()
		return 0, err
	}
	load.Wait()
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	fmt.Println("· the load has ended; checking what is stored")
	checkGrowth(samples, server.idle(ctx), found)
	if err := verify(ctx, server, clients, found); err != nil {
		return 0, err
	}
	return found.print(), nil
}

// restartLimitMessage is the message of a server that exits because its PostgreSQL died too often in a short
// time. That is intended, and random kills can cause it.
const restartLimitMessage = "times in a row and is not started again"

// injectFailures kills the server or its PostgreSQL at random times. The server is killed in the first half
// only: in the second, the memory of one process must not grow.
func injectFailures(ctx context.Context, server *server, found *report, every time.Duration, end time.Time) error {
	half := time.Until(end) / 2
	began := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-server.ended():
			found.addViolation("server ended", "the server ended by itself: %v", err)
			if err := server.restart(ctx); err != nil {
				return err
			}
		case <-time.After(every/2 + rand.N(every)):
			if time.Until(end) < every/2 {
				continue // let it settle before it is measured
			}
			var err error
			if time.Since(began) < half && rand.N(2) == 0 {
				found.count("kill -9 of the server")
				err = server.kill(ctx)
			} else {
				found.count("kill -9 of PostgreSQL")
				err = server.killPostgres(ctx)
			}
			if errors.Is(err, errEnded) && strings.Contains(err.Error(), restartLimitMessage) {
				found.count("starts after the server gave up PostgreSQL")
				err = server.restart(ctx)
			}
			if err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}
