//go:build linux

// Command cluster starts three Plaza servers behind haproxy, three PostgreSQL under Patroni with etcd, PgBouncer
// and versitygw, each in a network namespace of its own. Under a load whose every response is checked, it
// makes faults happen and prints a table. It needs root. README.md explains it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"plaza/tests/cluster/lab"
	"plaza/tests/testkit/load"
)

const (
	clients        = 8
	requestTimeout = 30 * time.Second
	thinkTime      = 100 * time.Millisecond // of a client, between two actions
)

type settings struct {
	binary, tools string
	only          string
	steady        time.Duration
	keep, scale   bool
}

func main() {
	var s settings
	flag.StringVar(&s.binary, "binary", "bin/plaza", "the server")
	flag.StringVar(&s.tools, "tools", ".tools/bin", "the folder with versitygw")
	flag.StringVar(&s.only, "faults", "", "names of the faults to run, separated by spaces; empty: all")
	flag.DurationVar(&s.steady, "steady", 5*time.Second, "load without a fault, before and after each")
	flag.BoolVar(&s.keep, "keep", false, "start the cluster, wait for Ctrl-C and remove it")
	flag.BoolVar(&s.scale, "scale", false, "measure reads with one, two and four servers, instead of the faults")
	remove := flag.Bool("remove", false, "only remove what a killed run has left")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ok := true
	var err error
	if *remove {
		err = lab.Remove(ctx)
	} else {
		ok, err = run(ctx, s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(2)
	}
	if !ok {
		os.Exit(1)
	}
}

// run reports whether the cluster has survived everything.
func run(ctx context.Context, s settings) (ok bool, err error) {
	chosen, err := choose(s.only)
	if err != nil {
		return false, err
	}
	binary, err := filepath.Abs(s.binary)
	if err != nil {
		return false, err
	}
	tools, err := filepath.Abs(s.tools)
	if err != nil {
		return false, err
	}
	began := time.Now()
	servers, databases := 3, 3
	if s.scale {
		servers, databases = slices.Max(scaleSteps), slices.Max(scaleSteps)+1
	}
	c, err := newCluster(ctx, binary, tools, servers, databases)
	if err != nil {
		return false, err
	}
	defer func() {
		if err != nil || !ok {
			c.keepLogs()
		}
		err = errors.Join(err, c.Close(context.WithoutCancel(ctx)))
	}()
	if s.scale {
		return c.scale(ctx)
	}
	if err := c.start(ctx); err != nil {
		return false, err
	}
	fmt.Printf("· started in %.0f s, files in %s\n", time.Since(began).Seconds(), c.Folder)
	if s.keep {
		fmt.Printf("· ip netns exec %s curl %s/ready reaches it; Ctrl-C ends it\n", c.Nodes[clientNode].Namespace(), c.url())
		<-ctx.Done()
		return true, nil
	}
	for _, f := range chosen {
		if f.prepare != nil {
			if err := f.prepare(ctx, c); err != nil {
				return false, err
			}
		}
	}
	return c.survive(ctx, chosen, s.steady)
}

func choose(names string) ([]fault, error) {
	if names == "" {
		return faults, nil
	}
	var chosen []fault
	for name := range strings.FieldsSeq(names) {
		at := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no fault %q", name)
		}
		chosen = append(chosen, faults[at])
	}
	return chosen, nil
}

// survive runs the faults under load, prints the table and reports whether all is as it must be.
func (c *cluster) survive(ctx context.Context, chosen []fault, steady time.Duration) (bool, error) {
	report := load.NewReport()
	target := &load.Target{
		URL: c.url(), Anon: c.anon, HTTP: c.httpClient(requestTimeout), Pause: thinkTime, Dial: c.Nodes[clientNode].DialContext,
		MayFail: func(time.Time) bool { return true }, // the table counts
	}
	users := make([]*load.Client, clients)
	for i := range users {
		var err error
		if users[i], err = load.New(ctx, target, report, i); err != nil {
			return false, err
		}
	}
	loading, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer func() { stop(); running.Wait() }()
	for _, user := range users {
		running.Go(func() { user.Work(loading) })
	}
	shared := &load.Shared{Target: target, Service: c.service, Within: time.Second, Report: report, Moves: c.moves.Load, Alone: []string{c.restURL()}}
	for _, s := range c.servers {
		shared.Servers = append(shared.Servers, "http://"+s.IP+":"+port)
	}
	running.Go(func() {
		if err := shared.Run(loading); err != nil {
			report.AddViolation("the checks of what servers share", "%v", err)
		}
	})
	results := []result{c.measure(ctx, report, fault{title: "nothing", planned: true, run: func(ctx context.Context, _ *cluster) error {
		pause(ctx, steady)
		return nil
	}}, steady)}
	for _, f := range chosen {
		if ctx.Err() != nil {
			break
		}
		results = append(results, c.measure(ctx, report, f, steady))
		if results[len(results)-1].err != nil {
			break // the next fault would begin in a damaged cluster
		}
	}
	stop()
	running.Wait()
	if ctx.Err() != nil {
		printTable(results)
		return false, context.Cause(ctx)
	}
	report.NextWindow()
	conn, err := c.connect(ctx, "")
	if err != nil {
		return false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if err := load.Verify(ctx, conn, users, report); err != nil {
		return false, err
	}
	if err := load.VerifyRuns(ctx, conn, report); err != nil {
		return false, err
	}
	last := report.NextWindow()
	results = append(results, result{fault: fault{title: "what is stored in the end"}, Window: last})
	report.Print()
	printTable(results)
	return passed(results), c.firstError(results)
}
