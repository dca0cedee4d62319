// Command bench compares the data API with pgbench running the same statements on the same
// PostgreSQL, alternating within one run. It prints ratios: machines are noisy, and a rate alone
// means little.
//
// A bare server is measured, too: net/http and the same pipeline, nothing else. pgbench has a
// connection for each client; the servers share theirs among the HTTP clients, on loopback; all
// connect to PostgreSQL through its Unix socket. All share the machine's cores, including the load
// generator. Every loop is bounded in time. The server runs as its users run it: bin/plaza serve.
// --auth and --storage measure those services instead, compared with hashing alone and with nginx,
// --realtime the realtime server, by itself.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// settings are the settings of a run.
type settings struct {
	rounds      int
	round       time.Duration
	connections int // to PostgreSQL, of the servers
	clients     int // over HTTP, and of pgbench
	binary      string
	against     string         // another server's binary, measured instead of the bare server
	only        *regexp.Regexp // measured are the lines whose names match

	gotrue, gotrueSecret string // address of upstream's auth server, and the secret that signs its tokens
}

func main() {
	s := settings{only: regexp.MustCompile("")}
	flag.IntVar(&s.rounds, "rounds", 5, "turns of each side")
	flag.DurationVar(&s.round, "round", 3*time.Second, "length of a turn")
	flag.IntVar(&s.connections, "connections", 10, "connections of the servers to PostgreSQL")
	clients := flag.String("clients", "16,64", "numbers of clients, over HTTP and of pgbench")
	flag.Func("only", "measure only what matches this regular expression", func(text string) (err error) {
		s.only, err = regexp.Compile(text)
		return err
	})
	flag.StringVar(&s.binary, "binary", "bin/plaza", "the server to measure")
	flag.StringVar(&s.against, "against", "", "another version of the server, measured in place of the bare server or, with -storage, of nginx")
	accounts := flag.Bool("auth", false, "measure the auth server instead of the data API")
	objects := flag.Bool("storage", false, "measure the storage API instead of the data API")
	channels := flag.Bool("realtime", false, "measure the realtime server instead of the data API")
	flag.StringVar(&s.gotrue, "gotrue", "", "address of upstream's auth server, to measure in turns with ours")
	flag.StringVar(&s.gotrueSecret, "gotrue-secret", "", "its GOTRUE_JWT_SECRET")
	job := flag.String("bare", "", "for the benchmark's own use")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	do := func() error {
		if *channels {
			return runRealtime(ctx, s)
		}
		for text := range strings.SplitSeq(*clients, ",") {
			number, err := strconv.Atoi(text)
			if err != nil {
				return err
			}
			s.clients = number
			measure := run
			if *accounts {
				measure = runAuth
			}
			if *objects {
				measure = runStorage
			}
			if err := measure(ctx, s); err != nil {
				return err
			}
		}
		return nil
	}
	if *job != "" {
		do = func() error { return serveBare(ctx, *job) }
	}
	if err := do(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s settings) error {
	fmt.Printf("\n%d clients, %d cores, %s, %d connections of the servers to PostgreSQL, %d turns of %s; medians\n",
		s.clients, runtime.NumCPU(), runtime.Version(), s.connections, s.rounds, s.round)
	return errors.Join(
		compare(ctx, s, "Small rows of a made-up table", false, tableWorkloads),
		compare(ctx, s, "What the marketplace's pages ask for", true, pageWorkloads),
	)
}

func compare(ctx context.Context, s settings, title string, marketplace bool, workloads []workload) error {
	workloads = slices.DeleteFunc(slices.Clone(workloads), func(w workload) bool { return !s.only.MatchString(w.name) })
	if len(workloads) == 0 {
		return nil
	}
	ours, err := startServer(ctx, s, s.binary, marketplace)
	if err != nil {
		return err
	}
	defer ours.stop()
	if err := ours.readRoles(ctx); err != nil {
		return err
	}
	if !marketplace {
		if err := checkSameContext(ctx, ours); err != nil {
			return err
		}
	}
	measured := []*server{ours}
	other, name := func(w workload) (rate, error) { return measureBare(ctx, s, ours, w) }, "bare"
	if s.against != "" {
		name = "other"
		before, err := startServer(ctx, s, s.against, marketplace)
		if err != nil {
			return err
		}
		defer before.stop()
		measured = append(measured, before)
		other = func(w workload) (rate, error) { return load(ctx, s, before, w, before.address) }
	}
	idle, err := idleMemories(ctx, measured...)
	if err != nil {
		return err
	}
	fmt.Printf("\n%-42s %9s %9s %9s %10s %8s %8s %8s %8s %8s\n", title,
		"pgbench/s", name+"/s", "plaza/s", "of pgbench", "of "+name, "p99 "+name, "p99 ms", "server", "database")
	for _, w := range workloads {
		if err := measure(ctx, s, ours, other, w); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
	}
	loaded, err := readMemories(measured)
	if err != nil {
		return err
	}
	again, err := idleMemories(ctx, measured...)
	if err != nil {
		return err
	}
	fmt.Println("server and database: µs of processor time a request")
	for i, which := range []string{"the server", "the other"}[:len(measured)] {
		fmt.Printf("memory of %s: %s idle, %s after the load, %s idle again\n", which, idle[i], loaded[i], again[i])
	}
	return nil
}

// idleMemories waits until the servers have returned garbage to the system, and reads their memory.
func idleMemories(ctx context.Context, servers ...*server) ([]memory, error) {
	const idle = 12 * time.Second // twice the interval at which package gc looks, and some more
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(idle):
		return readMemories(servers)
	}
}

func readMemories(servers []*server) ([]memory, error) {
	var all []memory
	for _, s := range servers {
		found, err := s.memory()
		if err != nil {
			return nil, err
		}
		all = append(all, found)
	}
	return all, nil
}

// measure runs all sides alternately, so that disturbances of the machine affect each.
func measure(ctx context.Context, s settings, server *server, other func(workload) (rate, error), w workload) error {
	var base, floor, ours, floorTail, tail, spent, database []float64
	direct := func() error {
		found, err := pgbench(ctx, s, server, w)
		base = append(base, found)
		return err
	}
	reference := func() error {
		found, err := other(w)
		if err != nil {
			return fmt.Errorf("other: %w", err)
		}
		floor, floorTail = append(floor, found.perSecond), append(floorTail, milliseconds(found.p99))
		return nil
	}
	served := func() error {
		before, err := server.share()
		if err != nil {
			return err
		}
		found, err := load(ctx, s, server, w, server.address)
		if err != nil {
			return err
		}
		after, err := server.share()
		used, requests := after.minus(before), found.perSecond*s.round.Seconds()
		ours, tail = append(ours, found.perSecond), append(tail, milliseconds(found.p99))
		spent, database = append(spent, used.server/requests), append(database, used.database/requests)
		return err
	}
	for round := range s.rounds + 1 {
		turns := []func() error{direct, reference, served}
		if s.against != "" {
			turns = turns[1:] // for two versions, pgbench would have the same result
		}
		if round%2 == 1 {
			slices.Reverse(turns) // the second one measured is some percent slower
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return err
			}
		}
		if round == 0 { // warm-up
			base, floor, ours, floorTail, tail, spent, database = nil, nil, nil, nil, nil, nil, nil
		}
	}
	pgbenchRate, share := "-", "-"
	if base != nil {
		pgbenchRate, share = fmt.Sprintf("%.0f", median(base)), fmt.Sprintf("%.0f%%", 100*median(ours)/median(base))
	}
	fmt.Printf("%-42s %9s %9.0f %9.0f %10s %7.0f%% %8.1f %8.1f %8.0f %8.0f\n", w.name, pgbenchRate, median(floor), median(ours),
		share, 100*median(ours)/median(floor), median(floorTail), median(tail), median(spent), median(database))
	return nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
