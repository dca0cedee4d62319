//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"

	"plaza/tests/cluster/lab"
	"plaza/tests/testkit/load"
)

// scaleSteps are how many servers, each with a replica of its own, share the requests of a step.
var scaleSteps = []int{1, 2, 4}

const (
	// share is the processor time of each server and each replica: all of them, the load, the proxy and the
	// primary together need less than the machine has.
	share = 0.12

	readersPerServer = 8
	rowsOfReaders    = 2000
	scaleRounds      = 5
	scaleTime        = 6 * time.Second
	wantGrowth       = 1.8 // per doubling

	checkCount = 100_000 // of reads of one's own writes, on another server
	checkers   = 24
)

// scale measures reads per second with one, two and four servers, and checks that reads on another server show the
// client's own writes. It reports whether both goals are reached.
func (c *cluster) scale(ctx context.Context) (bool, error) {
	if err := c.startScaled(ctx); err != nil {
		return false, err
	}
	reader, err := c.newReader(ctx)
	if err != nil {
		return false, err
	}
	for i, s := range c.servers {
		if err := errors.Join(s.LimitCPU(ctx, share), c.databases[i+1].LimitCPU(ctx, share)); err != nil {
			return false, err
		}
	}
	grows, err := c.measureGrowth(ctx, reader)
	if err != nil {
		return false, err
	}
	broken, err := c.checkOwnWrites(ctx, reader)
	return grows && broken == 0, err
}

// startScaled starts a primary, and servers that each read from a replica of their own.
func (c *cluster) startScaled(ctx context.Context) error {
	if err := c.startObjects(); err != nil {
		return err
	}
	if err := c.startReplicas(ctx); err != nil {
		return err
	}
	if err := c.prepareServers(ctx); err != nil {
		return err
	}
	for i, s := range c.servers {
		s.replicas = replicaURLs(c.databases[i+1 : i+2])
		if err := c.startServer(s); err != nil {
			return err
		}
		if err := c.waitServer(ctx, s); err != nil {
			return err
		}
	}
	if err := c.startScaledProxy(); err != nil {
		return err
	}
	return c.until(ctx, "the proxy answers", func(ctx context.Context) bool {
		status, _ := c.get(ctx, c.scaledURL(1)+"/health")
		return status == http.StatusOK
	})
}

// scaledURL is the address at which the proxy uses the first n servers.
func (c *cluster) scaledURL(n int) string {
	return fmt.Sprintf("http://%s:%d", c.Nodes[proxyNode].IP, 8000+n)
}

func (c *cluster) startScaledProxy() error {
	node := c.Nodes[proxyNode]
	var config strings.Builder
	config.WriteString("global\n  maxconn 2000\ndefaults\n  mode http\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n")
	for _, n := range scaleSteps {
		fmt.Fprintf(&config, "listen step%d\n  bind %s:%d\n  balance roundrobin\n", n, node.IP, 8000+n)
		for _, s := range c.servers[:n] {
			fmt.Fprintf(&config, "  server %s %s:%s\n", s.Name, s.IP, port)
		}
	}
	if err := os.WriteFile(file(node, "haproxy.cfg"), []byte(config.String()), 0o644); err != nil {
		return err
	}
	_, err := node.Start(lab.Program{Name: "haproxy", Args: []string{"haproxy", "-db", "-f", file(node, "haproxy.cfg")}})
	return err
}

// reader is a user with rows, which policies show to nobody else.
type reader struct {
	http   *http.Client
	anon   string
	access string
	ids    []string
}

func (c *cluster) newReader(ctx context.Context) (*reader, error) {
	most := slices.Max(scaleSteps) * readersPerServer
	r := &reader{anon: c.anon, http: &http.Client{Timeout: requestTimeout, Transport: &http.Transport{
		DialContext: c.Nodes[clientNode].DialContext, MaxIdleConnsPerHost: max(most, checkers), DisableCompression: true,
	}}}
	response, body, err := r.send(ctx, http.MethodPost, c.scaledURL(1)+"/auth/v1/signup", "", []byte(`{"email":"reader@example.com","password":"Correct-horse-7"}`))
	if err != nil {
		return nil, err
	}
	var session struct {
		Access string              `json:"access_token"`
		User   struct{ ID string } `json:"user"`
	}
	if err := json.Unmarshal(body, &session); err != nil || session.Access == "" {
		return nil, fmt.Errorf("sign up: %s %s", response.Status, body)
	}
	r.access = session.Access
	conn, err := c.connect(ctx, "")
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, "insert into public.items (id, owner, body) select gen_random_uuid(), $1::uuid, repeat('x', 100) from generate_series(1, $2) returning id::text",
		session.User.ID, rowsOfReaders)
	if err != nil {
		return nil, err
	}
	if r.ids, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return nil, err
	}
	return r, c.until(ctx, "all replicas have the rows", func(ctx context.Context) bool {
		for _, s := range c.servers {
			_, body, err := r.send(ctx, http.MethodGet, s.url()+"/rest/v1/items?select=count", "", nil)
			if err != nil || !strings.Contains(string(body), strconv.Itoa(rowsOfReaders)) {
				return false
			}
		}
		return true
	})
}

func (s *server) url() string { return "http://" + s.IP + ":" + port }

// send sends a request as the user. position is that of a write that the response must show, or empty.
func (r *reader) send(ctx context.Context, method, url, position string, body []byte) (*http.Response, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("apikey", r.anon)
	request.Header.Set("Authorization", "Bearer "+r.anon)
	if r.access != "" {
		request.Header.Set("Authorization", "Bearer "+r.access)
	}
	if position != "" {
		request.Header.Set(load.PositionHeader, position)
	}
	if len(body) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := r.http.Do(request)
	if err != nil {
		return nil, nil, err
	}
	text, err := io.ReadAll(response.Body)
	return response, text, errors.Join(err, response.Body.Close())
}

// measureGrowth measures the steps in turn, several times, and compares those of each round.
func (c *cluster) measureGrowth(ctx context.Context, r *reader) (bool, error) {
	rates := make(map[int][]float64)
	fmt.Printf("\nreads per second of one row under a policy, %g of a processor for each server and each replica\n", share)
	for range scaleRounds {
		for _, n := range scaleSteps {
			rate, idle, err := c.readRate(ctx, r, n)
			if err != nil {
				return false, err
			}
			fmt.Printf("  %d servers: %6.0f/s, %2.0f %% of the machine idle\n", n, rate, 100*idle)
			rates[n] = append(rates[n], rate)
		}
	}
	grows := true
	for i, n := range scaleSteps {
		line := fmt.Sprintf("%d servers: median %6.0f/s", n, median(rates[n]))
		if i > 0 {
			var growths []float64 // of each round, since the machine is not equally fast in all
			for round, rate := range rates[n] {
				growths = append(growths, rate/rates[scaleSteps[i-1]][round])
			}
			growth := median(growths)
			line += fmt.Sprintf(", %.2f times the step before", growth)
			grows = grows && growth >= wantGrowth
		}
		fmt.Println(line)
	}
	return grows, nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// readRate sends reads through the proxy for scaleTime, with readersPerServer clients for each server. idle is the
// share of the machine's processor time that was not used.
func (c *cluster) readRate(ctx context.Context, r *reader, n int) (perSecond, idle float64, err error) {
	var count atomic.Int64
	failed := make(chan error, n*readersPerServer)
	within, stop := context.WithTimeout(ctx, scaleTime)
	defer stop()
	before, err := readProcessors()
	if err != nil {
		return 0, 0, err
	}
	began := time.Now()
	var running sync.WaitGroup
	for range n * readersPerServer {
		running.Go(func() {
			for within.Err() == nil {
				id := r.ids[mathrand.IntN(len(r.ids))]
				response, body, err := r.send(within, http.MethodGet, c.scaledURL(n)+"/rest/v1/items?select=id,version&id=eq."+id, "", nil)
				if within.Err() != nil {
					return
				}
				if err == nil && (response.StatusCode != http.StatusOK || !strings.Contains(string(body), id)) {
					err = fmt.Errorf("%s: %s", response.Status, body)
				}
				if err != nil {
					failed <- err
					return
				}
				count.Add(1)
			}
		})
	}
	running.Wait()
	took := time.Since(began).Seconds()
	after, err := readProcessors()
	if err != nil {
		return 0, 0, err
	}
	select {
	case err := <-failed:
		return 0, 0, err
	default:
	}
	return float64(count.Load()) / took, after.idleSince(before), context.Cause(ctx)
}

// processors are the times of all processors since the start of the machine, in ticks.
type processors struct{ total, idle int64 }

func readProcessors() (p processors, err error) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return p, err
	}
	line, _, _ := strings.Cut(string(text), "\n")
	for i, field := range strings.Fields(line)[1:] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return p, err
		}
		p.total += ticks
		if i == 3 || i == 4 { // idle, iowait
			p.idle += ticks
		}
	}
	return p, nil
}

func (p processors) idleSince(before processors) float64 {
	return float64(p.idle-before.idle) / float64(max(1, p.total-before.total))
}

// checkOwnWrites writes through one server and reads through another, and returns how many reads did not show the write.
func (c *cluster) checkOwnWrites(ctx context.Context, r *reader) (broken int64, err error) {
	before, err := c.replicaStatements(ctx)
	if err != nil {
		return 0, err
	}
	var left, wrong atomic.Int64
	left.Store(checkCount)
	failed := make(chan error, checkers)
	began := time.Now()
	var running sync.WaitGroup
	for i := range checkers {
		running.Go(func() {
			for version := 1; left.Add(-1) >= 0 && ctx.Err() == nil; version++ {
				seen, err := c.checkOwnWrite(ctx, r, r.ids[i], version)
				if err != nil {
					failed <- err
					return
				}
				if !seen {
					wrong.Add(1)
				}
			}
		})
	}
	running.Wait()
	select {
	case err := <-failed:
		return 0, err
	default:
	}
	after, err := c.replicaStatements(ctx)
	if err != nil {
		return 0, err
	}
	fmt.Printf("\nreads of one's own write on another server: %d checked in %.0f s, %d broken; replicas ran %.0f statements of them\n",
		checkCount, time.Since(began).Seconds(), wrong.Load(), after-before)
	return wrong.Load(), context.Cause(ctx)
}

// checkOwnWrite writes a version and reports whether another server shows it.
func (c *cluster) checkOwnWrite(ctx context.Context, r *reader, id string, version int) (bool, error) {
	writer := mathrand.IntN(len(c.servers))
	other := (writer + 1 + mathrand.IntN(len(c.servers)-1)) % len(c.servers)
	written, body, err := r.send(ctx, http.MethodPatch, c.servers[writer].url()+"/rest/v1/items?id=eq."+id, "", fmt.Appendf(nil, `{"version":%d}`, version))
	if err != nil {
		return false, err
	}
	position := written.Header.Get(load.PositionHeader)
	if written.StatusCode != http.StatusNoContent || position == "" {
		return false, fmt.Errorf("write: %s, position %q: %s", written.Status, position, body)
	}
	read, body, err := r.send(ctx, http.MethodGet, c.servers[other].url()+"/rest/v1/items?select=version&id=eq."+id, position, nil)
	if err != nil {
		return false, err
	}
	if read.StatusCode != http.StatusOK {
		return false, fmt.Errorf("read: %s: %s", read.Status, body)
	}
	return string(body) == fmt.Sprintf(`[{"version":%d}]`, version), nil
}

// replicaStatements returns how many statements of callers all replicas have run.
func (c *cluster) replicaStatements(ctx context.Context) (sum float64, err error) {
	for _, s := range c.servers {
		status, text := c.get(ctx, "http://"+s.IP+":9464/metrics")
		if status != http.StatusOK {
			return 0, fmt.Errorf("metrics of %s: %d %s", s.Name, status, text)
		}
		for line := range strings.Lines(text) {
			rest, ok := strings.CutPrefix(line, `plaza_db_trip_statements_total{pool="replica`)
			if !ok {
				continue
			}
			value, err := strconv.ParseFloat(strings.TrimSpace(rest[strings.LastIndex(rest, " ")+1:]), 64)
			if err != nil {
				return 0, err
			}
			sum += value
		}
	}
	return sum, nil
}
