package pg

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
	"plaza/server/lazyregexp"
	"plaza/server/nonblock"
)

const (
	// DefaultAnswerTimeout is after how long without an answer the database is probed.
	DefaultAnswerTimeout = 15 * time.Second

	// answerGrace is how long after a role's statement timeout the database may take to
	// report it.
	answerGrace = 2 * time.Second

	// connectTimeout bounds connecting, unless a URL says otherwise.
	connectTimeout = 5 * time.Second

	// probeAge is how long the outcome of a probe is valid.
	probeAge = time.Second

	// lostTimeout bounds the probe of a former primary on which requests still wait.
	lostTimeout = time.Second
)

// errUnresponsive is returned by Read and Write if the server has not answered in time and
// a probe on a new connection fails, too. The connection must be closed then.
var errUnresponsive = errors.New("the database does not answer")

// unresponsiveError is errUnresponsive as clients see it.
func unresponsiveError(err error) error {
	return apierr.New(http.StatusGatewayTimeout, codeUnresponsive, "The database did not answer in time.").WithCause(err)
}

// guardedConn is a connection whose reads and writes fail when its server hangs. A server
// that does not answer for a while may be working, so it is probed on another connection.
// As long as the probe succeeds, this connection keeps waiting; with a reply timeout, until
// that and probeAfter have passed. A deadline that somebody else has set takes precedence.
type guardedConn struct {
	net.Conn
	socket       io.ReadWriter                                    // reads and writes it
	address      string                                           // as dialled: a Unix socket's remote address may be relative to the server's folder
	probeAfter   time.Duration                                    // without an answer; 0: never
	probe        func(address string, timeout time.Duration) bool // reports whether the server answers; timeout 0: the usual one
	closed       func()                                           // called by Close; nil: nothing
	isOff        atomic.Bool                                      // it is never probed
	isLost       atomic.Bool                                      // its server does not answer, and another is the primary
	replyTimeout atomic.Int64                                     // nanoseconds in which an answer is expected; 0: any time

	mu     sync.Mutex
	forced bool      // somebody else has set a deadline
	armed  time.Time // our own deadline; zero: none is set
}

// maxWrite is how many bytes are written under one deadline, so that a large body on a
// slow network does not count as a server that hangs.
const maxWrite = 256 << 10

// Read implements net.Conn.
func (c *guardedConn) Read(into []byte) (n int, err error) {
	began := time.Now()
	now := began
	due := c.due(began, now)
	for {
		own := c.arm(now, due)
		if c.isLost.Load() {
			return 0, errUnresponsive
		}
		n, err = c.socket.Read(into)
		if n > 0 || !own || !c.isOwnTimeout(err) {
			return n, err
		}
		if now = time.Now(); now.Before(due) { // or it is lost
			continue
		}
		if err := c.checkServer(began); err != nil {
			return 0, err
		}
		now = time.Now()
		due = c.due(began, now)
	}
}

// Write implements net.Conn.
func (c *guardedConn) Write(from []byte) (written int, err error) {
	began := time.Now()
	now := began
	due := c.due(began, now)
	for {
		own := c.arm(now, due)
		if c.isLost.Load() {
			return written, errUnresponsive
		}
		n, err := c.socket.Write(from[written:min(len(from), written+maxWrite)])
		written += n
		if err == nil && written == len(from) || err != nil && !(own && c.isOwnTimeout(err)) {
			return written, err
		}
		now = time.Now()
		switch {
		case n > 0:
			began = now
		case now.Before(due):
			continue
		default:
			if err := c.checkServer(began); err != nil {
				return written, err
			}
			now = time.Now()
		}
		due = c.due(began, now)
	}
}

// due returns when the server is to be probed if it has not answered since began; zero
// means never.
func (c *guardedConn) due(began, now time.Time) time.Time {
	if c.probeAfter <= 0 || c.isOff.Load() {
		return time.Time{}
	}
	if end := began.Add(time.Duration(c.replyTimeout.Load())); end.After(now) && end.Before(now.Add(c.probeAfter)) {
		return end
	}
	return now.Add(c.probeAfter)
}

// arm sets a deadline for reads and writes that is not after due, and reports whether
// one of ours is set. Since setting one is expensive, an earlier one is kept while a
// quarter of the time is left: a read that ends too early is started again. A zero due
// removes an earlier deadline.
func (c *guardedConn) arm(now, due time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.forced:
		return false
	case due.IsZero() && c.armed.IsZero():
		return false
	case !due.IsZero() && !c.armed.After(due) && c.armed.After(now.Add(due.Sub(now)/4)):
		return true
	}
	c.armed = due
	return c.Conn.SetDeadline(due) == nil && !due.IsZero()
}

// isOwnTimeout reports whether err comes from our own deadline.
func (c *guardedConn) isOwnTimeout(err error) bool {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.forced
}

// checkServer returns errUnresponsive if the server, which has not answered since began,
// cannot be working.
func (c *guardedConn) checkServer(began time.Time) error {
	limit := time.Duration(c.replyTimeout.Load())
	if limit > 0 && time.Since(began) >= limit+c.probeAfter || !c.probe(c.address, 0) {
		return errUnresponsive
	}
	return nil
}

// endIfUnresponsive makes reads and writes fail if the server does not answer at once.
func (c *guardedConn) endIfUnresponsive() {
	if c.probe(c.address, lostTimeout) {
		return
	}
	c.isLost.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.forced { // otherwise it ends by itself
		c.armed = time.Now()
		_ = c.Conn.SetDeadline(c.armed)
	}
}

// Close implements net.Conn.
func (c *guardedConn) Close() error {
	if c.closed != nil {
		c.closed()
	}
	return c.Conn.Close()
}

// SetDeadline implements net.Conn.
func (c *guardedConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forced, c.armed = !t.IsZero(), time.Time{}
	return c.Conn.SetDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *guardedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forced = !t.IsZero()
	if !c.armed.IsZero() {
		c.armed = time.Time{}
		if err := c.Conn.SetWriteDeadline(time.Time{}); err != nil {
			return err
		}
	}
	return c.Conn.SetReadDeadline(t)
}

// prober finds out whether a server answers. Callers at the same time share a probe.
type prober struct {
	config  *pgconn.Config
	timeout time.Duration

	mu      sync.Mutex
	address string // of the last probe …
	alive   bool   // … its outcome
	probed  time.Time
}

func (p *prober) isAlive(address string, timeout time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.address != address || time.Since(p.probed) > probeAge {
		p.alive = p.connect(address, cmp.Or(timeout, p.timeout))
		p.address, p.probed = address, time.Now()
	}
	return p.alive
}

// connect connects and runs a statement. An error message, such as for too many
// connections, is an answer, too.
func (p *prober) connect(address string, timeout time.Duration) bool {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	config := p.config.Copy()
	config.ValidateConnect = nil
	config.DialFunc = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return p.config.DialFunc(ctx, network, address)
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return IsPgError(err)
	}
	_, err = conn.Exec(ctx, "select 1").ReadAll()
	_ = conn.Close(ctx)
	return err == nil || IsPgError(err)
}

// dialer makes connections that break a minute after the other end has vanished.
var dialer = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}}

// guard makes the connections of a configuration guarded ones.
func guard(config *pgconn.Config, probeAfter time.Duration) {
	p := &prober{config: config.Copy(), timeout: min(probeAfter, connectTimeout)}
	p.config.DialFunc = dialer.DialContext
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dialer.DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &guardedConn{Conn: conn, socket: nonblock.New(conn), address: address, probeAfter: probeAfter, probe: p.isAlive}, nil
	}
}

// guardOf returns the guarded connection below raw, or nil.
func guardOf(raw *pgconn.PgConn) *guardedConn {
	conn := raw.Conn()
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	guarded, _ := conn.(*guardedConn)
	return guarded
}

// setReplyTimeout sets in which time the next statements will be answered, because of their statement
// timeout; 0: any time. If they are not, the server hangs.
func setReplyTimeout(raw *pgconn.PgConn, limit time.Duration) {
	if guarded := guardOf(raw); guarded != nil {
		guarded.replyTimeout.Store(int64(limit))
	}
}

// listenKeepAlive is short enough to detect a vanished primary before another server is promoted.
var listenKeepAlive = net.KeepAliveConfig{Enable: true, Idle: 2 * time.Second, Interval: time.Second, Count: 3}

// disableProbing is for connections on which nothing may arrive for days: instead of probes, TCP
// keep-alive detects within some seconds that the other end has vanished.
func disableProbing(raw *pgconn.PgConn) {
	guarded := guardOf(raw)
	if guarded == nil {
		return
	}
	guarded.isOff.Store(true)
	if conn, ok := guarded.Conn.(*net.TCPConn); ok {
		_ = conn.SetKeepAliveConfig(listenKeepAlive)
	}
}

// answerTimeout returns how long the database may take for a job before it is probed: the
// statement timeout in effect plus answerGrace; 0 for a role without one.
func (s *roleSettings) answerTimeout(j *job) time.Duration {
	limit, known := s.timeouts[j.who.Role]
	if !known {
		limit = s.timeouts[s.user]
	}
	for _, local := range j.set.Locals {
		if local.Name == "statement_timeout" {
			limit, _ = parseTimeout(local.Value)
		}
	}
	if limit == 0 {
		return 0
	}
	return limit + answerGrace
}

var timeoutPattern = lazyregexp.New(`^\s*([0-9.]+)\s*(us|ms|s|min|h|d|)\s*$`)

var timeoutUnits = map[string]time.Duration{
	"": time.Millisecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// parseTimeout parses a duration in the form of PostgreSQL's settings: "3s", "500", "1min".
func parseTimeout(text string) (time.Duration, bool) {
	parts := timeoutPattern().FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	number, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return 0, false
	}
	return time.Duration(number * float64(timeoutUnits[parts[2]])), true
}
