package pg

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/wake"
)

// While a primary is replaced there is none for some seconds. Requests that cannot connect wait for the next one,
// without a place in the queue for connections, and one goroutine looks for it. They wait until FailoverTimeout has passed
// since the start of the outage; after that, all that cannot connect fail at once. With FailoverTimeout 0 none waits.
//
// Other Plaza servers may reach the new primary first, and change data there that this process caches. So an outage is over
// only when those who watch for such changes have read what they missed; then requests that waited are rechecked.

const (
	// findInterval is the pause between attempts to find the primary at a server.
	findInterval = 100 * time.Millisecond

	// findTimeout is how long an attempt may take.
	findTimeout = connectTimeout

	// catchUpTimeout is how long watchers may delay the end of an outage.
	catchUpTimeout = 2 * time.Second
)

// errStandby is the error of a connection that was to be one to the primary.
var errStandby = errors.New("the server is a standby")

// failover knows whether the primary is away, and where it is.
type failover struct {
	limit  time.Duration  // how long requests wait; 0: they don't
	tracks bool           // outages are noted: requests wait, or replicas answer reads meanwhile
	config *pgconn.Config // names all servers that may be the primary
	begun  func()         // called when an outage begins
	log    *slog.Logger

	recheck atomic.Pointer[func(who claims.Caller) error] // see SetRecheck

	address atomic.Pointer[string] // of the server that was found last
	current atomic.Pointer[outage]
	term    atomic.Pointer[term]
	ctx     context.Context
	close   context.CancelFunc

	mu       sync.Mutex
	watchers map[*watcher]struct{}
	caughtUp wake.Signal                // a watcher has
	open     map[*guardedConn]time.Time // connections, and when they were dialled
}

// term is a context that ends when a primary is found after an outage, which may be another server.
type term struct {
	context.Context
	end context.CancelFunc
}

// outage is a period without a primary.
type outage struct {
	began time.Time
	found atomic.Bool   // only the watchers are still waited for
	over  chan struct{} // closed at the end
}

func newFailover(c Config) (*failover, error) {
	config, err := poolConfig(c, c.ServiceURL, 1, nil)
	if err != nil {
		return nil, err
	}
	f := &failover{
		limit: c.FailoverTimeout, tracks: c.FailoverTimeout > 0 || len(c.ReplicaURLs) > 0, config: &config.ConnConfig.Config, log: c.Log, begun: func() {},
		watchers: make(map[*watcher]struct{}), caughtUp: wake.NewSignal(), open: make(map[*guardedConn]time.Time),
	}
	f.requirePrimary(f.config)
	f.ctx, f.close = context.WithCancel(context.Background())
	f.newTerm()
	return f, nil
}

func (f *failover) newTerm() (old *term) {
	ctx, end := context.WithCancel(f.ctx)
	return f.term.Swap(&term{ctx, end})
}

// withTerm returns a context that also ends with the current term. It is for connections that only receive: such a
// connection to a former primary may stay open without an error.
func (f *failover) withTerm(ctx context.Context) (within context.Context, current *term, end context.CancelFunc) {
	within, cancel := context.WithCancel(ctx)
	current = f.term.Load()
	stop := context.AfterFunc(current, cancel)
	return within, current, func() { stop(); cancel() }
}

// locate finds the primary before the first connection: a replica that lags may reject a password that was just set.
// If no primary is found, the first connection returns the reason.
func (f *failover) locate(ctx context.Context) {
	if f.limit == 0 || len(serversOf(f.config)) < 2 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	if address, ok := f.find(ctx); ok {
		f.address.Store(&address)
	}
}

// apply makes a pool connect to the primary that was found last.
func (f *failover) apply(config *pgxpool.Config) {
	f.requirePrimary(&config.ConnConfig.Config)
	config.BeforeConnect = func(_ context.Context, to *pgx.ConnConfig) error {
		f.prefer(&to.Config)
		return nil
	}
	dial := config.ConnConfig.DialFunc
	config.ConnConfig.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if guarded, ok := conn.(*guardedConn); ok {
			f.track(guarded)
		}
		return conn, err
	}
}

// shouldWait reports whether a request whose attempt to connect has failed should wait, for limit at most.
func (f *failover) shouldWait(ctx context.Context, err error) bool {
	return f != nil && f.tracks && ctx.Err() == nil && isUnreachable(err)
}

// retry calls connect until it succeeds, fails for another reason than an outage, or the outage lasts too long. failed is the
// error of an earlier attempt, or nil if there was none. who is the caller of the request, or zero if there is none.
//
// Errors: that of the last attempt; that of the function given to SetRecheck.
func (f *failover) retry(ctx context.Context, who claims.Caller, failed error, connect func() error) error {
	until := time.Now().Add(f.limit)
	for {
		o := f.current.Load()
		if o == nil && failed != nil {
			o = f.begin()
		}
		isOver := o == nil || o.wait(ctx, minTime(until, o.began.Add(f.limit)))
		if !isOver && failed != nil {
			return failed
		}
		if recheck := f.recheck.Load(); recheck != nil {
			if err := (*recheck)(who); err != nil {
				return err
			}
		}
		if failed = connect(); !f.shouldWait(ctx, failed) || !isOver || time.Now().After(until) {
			return failed
		}
	}
}

// begin notes that the primary cannot be reached.
func (f *failover) begin() *outage {
	o := &outage{began: time.Now(), over: make(chan struct{})}
	if !f.current.CompareAndSwap(nil, o) {
		if o = f.current.Load(); o == nil {
			return f.begin()
		}
		return o
	}
	f.begun()
	go f.awaitPrimary(o)
	return o
}

// FailoverTimeout returns how long requests wait while there is no primary.
func (db *DB) FailoverTimeout() time.Duration { return db.failover.limit }

// SetRecheck sets a function that is called when a request has waited for a primary. If it returns an error, the request fails
// with it. who is the request's caller, or zero for work of the server itself.
func (db *DB) SetRecheck(check func(who claims.Caller) error) { db.failover.recheck.Store(&check) }

// hasOutage reports whether there is an outage. f may be nil.
func (f *failover) hasOutage() bool { return f != nil && f.current.Load() != nil }

// isEnding reports whether there is an outage whose end only waits for the watchers.
func (f *failover) isEnding() bool {
	o := f.current.Load()
	return o != nil && o.found.Load()
}

// awaitPrimary ends an outage once the primary is found.
func (f *failover) awaitPrimary(o *outage) {
	address, ok := f.find(f.ctx)
	if !ok {
		return
	}
	f.address.Store(&address)
	o.found.Store(true)
	f.newTerm().end() // after the new term is set: whoever waits for the end connects in it
	f.endUnresponsive(o.began)
	behind := f.catchUp(f.ctx)
	f.log.WarnContext(f.ctx, "the primary is back", "address", address, "away_ms", time.Since(o.began).Milliseconds(), "listeners_behind", behind)
	f.current.Store(nil)
	close(o.over)
}

// wait waits until the outage is over, and reports whether it is.
func (o *outage) wait(ctx context.Context, until time.Time) bool {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-o.over:
		return true
	case <-ctx.Done():
	case <-timer.C:
	}
	return false
}

// find tries all servers, each again and again, until one is the primary, whose address it returns, or until ctx ends. None waits
// for the others, since some may not answer at all.
func (f *failover) find(ctx context.Context) (address string, ok bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	servers := serversOf(f.config)
	found := make(chan string, len(servers))
	for address, config := range servers {
		go func() {
			for pause(ctx, findInterval) == nil {
				if isPrimary(ctx, config) {
					found <- address
					return
				}
			}
		}()
	}
	select {
	case address = <-found:
		return address, true
	case <-ctx.Done():
		return "", false
	}
}

func isPrimary(ctx context.Context, config *pgconn.Config) bool {
	ctx, cancel := context.WithTimeout(ctx, findTimeout)
	defer cancel()
	conn, err := pgconn.ConnectConfig(ctx, config)
	return err == nil && conn.Close(ctx) == nil
}

// requirePrimary makes a configuration refuse standbys. Without a limit only its URL decides, which may be that of a standby.
func (f *failover) requirePrimary(config *pgconn.Config) {
	if f.limit == 0 {
		return
	}
	config.AfterConnect = func(_ context.Context, conn *pgconn.PgConn) error {
		if conn.ParameterStatus("in_hot_standby") == "on" {
			return errStandby
		}
		return nil
	}
}

// serversOf returns a configuration for each server of one that may name several.
func serversOf(config *pgconn.Config) map[string]*pgconn.Config {
	servers := make(map[string]*pgconn.Config)
	for _, host := range hostsOf(config) {
		address := addressOf(host)
		if known := servers[address]; known != nil { // the same with or without TLS
			known.Fallbacks = append(known.Fallbacks, host)
			continue
		}
		one := config.Copy()
		one.Host, one.Port, one.TLSConfig, one.Fallbacks = host.Host, host.Port, host.TLSConfig, nil
		servers[address] = one
	}
	return servers
}

// prefer makes a configuration try the server first that was found last: the others may not answer at all.
func (f *failover) prefer(config *pgconn.Config) {
	last := f.address.Load()
	if last == nil || len(config.Fallbacks) == 0 {
		return
	}
	var first, others []*pgconn.FallbackConfig
	for _, host := range hostsOf(config) {
		if addressOf(host) == *last {
			first = append(first, host)
		} else {
			others = append(others, host)
		}
	}
	all := append(first, others...)
	config.Host, config.Port, config.TLSConfig, config.Fallbacks = all[0].Host, all[0].Port, all[0].TLSConfig, all[1:]
}

func hostsOf(config *pgconn.Config) []*pgconn.FallbackConfig {
	return append([]*pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}, config.Fallbacks...)
}

func addressOf(host *pgconn.FallbackConfig) string {
	return net.JoinHostPort(host.Host, strconv.Itoa(int(host.Port)))
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// isUnreachable reports whether an attempt to connect failed since no primary could be reached. Nothing was sent then.
func isUnreachable(err error) bool {
	if err == nil {
		return false
	}
	if answer := apierr.As(err); answer != nil {
		return answer.Code == codeRefused && (answer.Err == nil || isTransient(answer.Err))
	}
	return ConnectError(err) != nil && isTransient(err)
}

// isTransient reports whether connecting again may succeed: PostgreSQL cannot be reached or is shutting down, but did not
// refuse the connection for a reason such as a wrong password.
func isTransient(err error) bool {
	refusal := AsPgError(err)
	return refusal == nil || isShutdown(refusal.Code)
}

// errAway is the error of an attempt to connect that was not made because of an outage.
var errAway = apierr.New(http.StatusServiceUnavailable, codeRefused, "Database connection error. Retrying the connection.")
