package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/crypto/bcrypt"

	"plaza/server/auth/password"
)

const benchPassword = "Correct-Horse-1"

// account is a signed-in user of the auth benchmark.
type account struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	email   string
}

// authServer is a measured auth API.
type authServer struct {
	address       string // host:port
	path          string // such as /auth/v1
	anon, service string // keys
}

// The operations that are measured.
const (
	signingIn = iota
	refreshing
	readingUser
	authWorks
)

// runAuth measures the auth server: sign-ins compared with password hashing alone, refreshes and
// GET /user, with the processor time of the server and of PostgreSQL. If upstream's server is
// given, the two alternate.
func runAuth(ctx context.Context, s settings) error {
	server, err := startServer(ctx, s, s.binary, false)
	if err != nil {
		return err
	}
	defer server.stop()
	sides := []authServer{{server.address, "/auth/v1", server.secrets.Keys.Anon, server.secrets.Keys.Service}}
	if s.gotrue != "" {
		upstream, err := newGotrue(s.gotrue, s.gotrueSecret)
		if err != nil {
			return err
		}
		sides = append(sides, upstream)
	}
	accounts := make([][]*account, len(sides))
	for i, side := range sides {
		for number := range s.clients {
			joined, err := side.signUp(ctx, number)
			if err != nil {
				return err
			}
			accounts[i] = append(accounts[i], joined)
		}
	}
	hash, err := bcrypt.GenerateFromPassword([]byte(benchPassword), password.Cost)
	if err != nil {
		return err
	}
	fmt.Printf("\n%d clients, %d cores, %s, %d turns of %s; medians\n", s.clients, runtime.NumCPU(), runtime.Version(), s.rounds, s.round)
	var alone []float64
	rates := make([][authWorks][]float64, len(sides))
	var spent [authWorks]cpuShare
	for range s.rounds {
		rate, err := runWorkers(ctx, s.round, runtime.NumCPU(), func(context.Context, int) error {
			return bcrypt.CompareHashAndPassword(hash, []byte(benchPassword))
		})
		if err != nil {
			return err
		}
		alone = append(alone, rate)
		for work := range spent {
			for i, side := range sides {
				before, err := server.share()
				if err != nil {
					return err
				}
				rate, err := side.runRound(ctx, s, work, accounts[i])
				if err != nil {
					return err
				}
				rates[i][work] = append(rates[i][work], rate)
				after, err := server.share()
				if err != nil {
					return err
				}
				if i == 0 {
					spent[work].add(after.minus(before), rate*s.round.Seconds())
				}
			}
		}
	}
	fmt.Printf("%-28s %10s %14s %16s %12s %10s\n", "", "per s", "server µs/req", "database µs/req", "upstream's", "ratio")
	fmt.Printf("%-28s %10.1f\n", "the hash alone", median(alone))
	for work, name := range []string{"sign-in", "refresh", "GET /user"} {
		rate := median(rates[0][work])
		fmt.Printf("%-28s %10.1f %14.0f %16.0f", name, rate, spent[work].server, spent[work].database)
		if len(sides) > 1 {
			upstream := median(rates[1][work])
			fmt.Printf(" %12.1f %10.2f", upstream, rate/upstream)
		}
		fmt.Println()
	}
	fmt.Printf("sign-in spends %.0f %% of its time hashing\n", 100*median(rates[0][signingIn])/median(alone))
	return nil
}

// runRound runs one kind of operation for the length of a round.
func (a authServer) runRound(ctx context.Context, s settings, work int, accounts []*account) (float64, error) {
	switch work {
	case signingIn:
		return runWorkers(ctx, s.round, s.clients, func(ctx context.Context, i int) error { return a.signIn(ctx, accounts[i]) })
	case refreshing:
		return runWorkers(ctx, s.round, s.clients, func(ctx context.Context, i int) error { return a.refresh(ctx, accounts[i]) })
	}
	return a.users(ctx, s, accounts[0])
}

// newGotrue returns upstream's server at an address such as http://127.0.0.1:9999.
func newGotrue(address, secret string) (authServer, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return authServer{}, err
	}
	upstream := authServer{address: parsed.Host, path: parsed.Path}
	for role, key := range map[string]*string{"anon": &upstream.anon, "service_role": &upstream.service} {
		token := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{"role": role, "exp": time.Now().Add(time.Hour).Unix()})
		if *key, err = token.SignedString([]byte(secret)); err != nil {
			return authServer{}, err
		}
	}
	return upstream, nil
}

// runWorkers runs do in several workers until the time is over, and returns its rate per second.
func runWorkers(ctx context.Context, length time.Duration, workers int, do func(ctx context.Context, worker int) error) (float64, error) {
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

// call sends a request to the auth API and reads its response.
func (a authServer) call(ctx context.Context, method, path, token string, body, answer any) error {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return err
		}
	}
	request, err := http.NewRequestWithContext(ctx, method, "http://"+a.address+a.path+path, &sent)
	if err != nil {
		return err
	}
	request.Header.Set("apikey", a.anon)
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

// signUp creates a user and signs in.
func (a authServer) signUp(ctx context.Context, number int) (*account, error) {
	who := &account{email: fmt.Sprintf("user%d@bench.test", number)}
	var made struct{ ID string }
	user := map[string]any{"email": who.email, "password": benchPassword, "email_confirm": true}
	if err := a.call(ctx, http.MethodPost, "/admin/users", a.service, user, &made); err != nil {
		return nil, err
	}
	return who, a.signIn(ctx, who)
}

func (a authServer) signIn(ctx context.Context, who *account) error {
	return a.call(ctx, http.MethodPost, "/token?grant_type=password", a.anon, map[string]string{"email": who.email, "password": benchPassword}, who)
}

func (a authServer) refresh(ctx context.Context, who *account) error {
	return a.call(ctx, http.MethodPost, "/token?grant_type=refresh_token", a.anon, map[string]string{"refresh_token": who.Refresh}, who)
}

// users returns the rate of GET /user per second. The request is constant, so it uses the load
// generator of the other benchmarks.
func (a authServer) users(ctx context.Context, run settings, who *account) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, run.round)
	defer cancel()
	request := fmt.Appendf(nil, "GET %s/user HTTP/1.1\r\nHost: %s\r\napikey: %s\r\nAuthorization: Bearer %s\r\n\r\n", a.path, a.address, a.anon, who.Access)
	took, err := generateLoad(ctx, a.address, request, run.clients, false)
	return float64(len(took)) / run.round.Seconds(), err
}

// cpuShare is processor time, of the server and of its PostgreSQL.
type cpuShare struct{ server, database float64 }

func (c cpuShare) minus(other cpuShare) cpuShare {
	return cpuShare{c.server - other.server, c.database - other.database}
}

// add records the times of a round, in microseconds per request. Only the last round counts, when
// everything is warm.
func (c *cpuShare) add(round cpuShare, requests float64) {
	c.server, c.database = round.server/requests, round.database/requests
}

// share returns the processor time used so far, in microseconds. PostgreSQL's time is that of all
// child processes of the server.
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
			continue // the process has ended
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
