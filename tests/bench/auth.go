package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/bcrypt"

	"plaza/server/auth/password"
)

// What upstream does in a second on the machine that design.md's figures are of,
// and how many passwords that machine hashes, by which other machines compare.
const (
	upstreamRefreshes = 355.0
	upstreamUsers     = 2072.0
	upstreamHashes    = 35.0
)

const benchPassword = "Correct-Horse-1"

// account is a signed-in user of the auth benchmark.
type account struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	email   string
}

// runAuth measures the auth server: sign-ins beside the hash alone, refreshes and
// GET /user, with the processor time of the server and of PostgreSQL.
func runAuth(ctx context.Context, s settings) error {
	server, err := startServer(ctx, s, false)
	if err != nil {
		return err
	}
	defer server.stop()
	accounts := make([]*account, s.clients)
	for i := range accounts {
		if accounts[i], err = server.join(ctx, i); err != nil {
			return err
		}
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(benchPassword), password.Cost)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d clients, %d cores, %s, %d turns of %s; medians\n", s.clients, runtime.NumCPU(), runtime.Version(), s.rounds, s.round)
	var alone, signIns, refreshes, users []float64
	var spent [3]cpuShare
	for range s.rounds {
		rate, err := together(ctx, s.round, runtime.NumCPU(), func(context.Context, int) error {
			return bcrypt.CompareHashAndPassword(hash, []byte(benchPassword))
		})
		if err != nil {
			return err
		}
		alone = append(alone, rate)
		for i, work := range []struct {
			rates *[]float64
			do    func(context.Context, int) error
		}{
			{&signIns, func(ctx context.Context, i int) error { return server.signIn(ctx, accounts[i]) }},
			{&refreshes, func(ctx context.Context, i int) error { return server.refresh(ctx, accounts[i]) }},
			{&users, nil},
		} {
			before, err := server.share()
			if err != nil {
				return err
			}
			rate := 0.0
			if work.do == nil {
				rate, err = server.users(ctx, s, accounts[0])
			} else {
				rate, err = together(ctx, s.round, s.clients, work.do)
			}
			if err != nil {
				return err
			}
			after, err := server.share()
			if err != nil {
				return err
			}
			*work.rates = append(*work.rates, rate)
			spent[i].add(after.minus(before), rate*s.round.Seconds())
		}
	}
	fmt.Printf("%-28s %10s %14s %16s %14s\n", "", "per s", "server µs/req", "database µs/req", "of upstream's*")
	fmt.Printf("%-28s %10.1f\n", "the hash alone", median(alone))
	for i, line := range []struct {
		name     string
		rates    []float64
		upstream float64
	}{{"sign-in", signIns, 0}, {"refresh", refreshes, upstreamRefreshes}, {"GET /user", users, upstreamUsers}} {
		of := ""
		if line.upstream > 0 {
			of = fmt.Sprintf("%.1f times", median(line.rates)/median(alone)/(line.upstream/upstreamHashes))
		}
		fmt.Printf("%-28s %10.1f %14.0f %16.0f %14s\n", line.name, median(line.rates), spent[i].server, spent[i].database, of)
	}
	fmt.Println("* by the passwords that each machine hashes: upstream's are of another one")
	fmt.Printf("sign-in spends %.0f %% of its time hashing\n", 100*median(signIns)/median(alone))
	return nil
}

// together lets workers do something until the time is over, and gives how often
// they did it in a second.
func together(ctx context.Context, length time.Duration, workers int, do func(ctx context.Context, worker int) error) (float64, error) {
	until, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	began := time.Now()
	var done atomic.Int64
	var failed error
	var once sync.Once
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			for until.Err() == nil {
				if err := do(ctx, worker); err != nil {
					once.Do(func() { failed = err })
					cancel()
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / time.Since(began).Seconds(), failed
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 1024}}

// call sends a request to the auth API and reads its answer.
func (s *server) call(ctx context.Context, method, path, token string, body, answer any) error {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+s.address+"/auth/v1"+path, &sent)
	if err != nil {
		return err
	}
	request.Header.Set("apikey", s.secrets.Keys.Anon)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %s", method, path, response.StatusCode, text)
	}
	return json.Unmarshal(text, answer)
}

// join makes a user and signs in.
func (s *server) join(ctx context.Context, number int) (*account, error) {
	who := &account{email: fmt.Sprintf("user%d@bench.test", number)}
	var made struct{ ID string }
	user := map[string]any{"email": who.email, "password": benchPassword, "email_confirm": true}
	if err := s.call(ctx, http.MethodPost, "/admin/users", s.secrets.Keys.Service, user, &made); err != nil {
		return nil, err
	}
	return who, s.signIn(ctx, who)
}

func (s *server) signIn(ctx context.Context, who *account) error {
	return s.call(ctx, http.MethodPost, "/token?grant_type=password", s.secrets.Keys.Anon, map[string]string{"email": who.email, "password": benchPassword}, who)
}

func (s *server) refresh(ctx context.Context, who *account) error {
	return s.call(ctx, http.MethodPost, "/token?grant_type=refresh_token", s.secrets.Keys.Anon, map[string]string{"refresh_token": who.Refresh}, who)
}

// users gives how often GET /user is answered in a second. The request is always
// the same, so the generator of the other benchmarks does it.
func (s *server) users(ctx context.Context, run settings, who *account) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, run.round)
	defer cancel()
	request := fmt.Appendf(nil, "GET /auth/v1/user HTTP/1.1\r\nHost: %s\r\napikey: %s\r\nAuthorization: Bearer %s\r\n\r\n", s.address, s.secrets.Keys.Anon, who.Access)
	began := time.Now()
	done, err := drive(ctx, s.address, request, run.clients, false)
	return float64(done) / time.Since(began).Seconds(), err
}

// cpuShare is processor time, of the server and of its PostgreSQL.
type cpuShare struct{ server, database float64 }

func (c cpuShare) minus(other cpuShare) cpuShare {
	return cpuShare{c.server - other.server, c.database - other.database}
}

// add notes what a round took, in microseconds a request. The last round counts:
// by then all is warm.
func (c *cpuShare) add(round cpuShare, requests float64) {
	c.server, c.database = round.server/requests, round.database/requests
}

// share is the time used so far, in microseconds. PostgreSQL is all that the
// server started.
func (s *server) share() (cpuShare, error) {
	own, err := s.cpu()
	if err != nil {
		return cpuShare{}, err
	}
	all, err := os.ReadDir("/proc")
	if err != nil {
		return cpuShare{}, err
	}
	parents, times := map[int]int{}, map[int]time.Duration{}
	for _, entry := range all {
		id, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		parents[id], _ = strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		times[id] = time.Duration(user+system) * time.Second / ticksPerSecond
	}
	var database time.Duration
	for id, used := range times {
		for parent := parents[id]; parent > 1; parent = parents[parent] {
			if parent == s.process.Process.Pid {
				database += used
				break
			}
		}
	}
	return cpuShare{float64(own.Microseconds()), float64(database.Microseconds())}, nil
}
