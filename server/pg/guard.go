package pg

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/apierr"
)

const (
	// DefaultAnswerTimeout is after how long a silence the database is asked whether
	// it still answers.
	DefaultAnswerTimeout = 15 * time.Second

	// answerGrace is how long after a role's statement timeout the database may
	// take to say that it has passed.
	answerGrace = 2 * time.Second

	// connectTimeout bounds the making of a connection, unless a URL says otherwise.
	connectTimeout = 5 * time.Second

	// pulseAge is how long what a pulse has found is taken for true.
	pulseAge = time.Second
)

// errSilent is what a read or write fails with on a connection whose server has
// been silent and does not answer on a new connection either. The connection is
// broken then.
var errSilent = errors.New("the database accepts, but does not answer")

// silent is the answer for clients.
func silent(err error) error {
	return apierr.New(http.StatusGatewayTimeout, codeSilent, "The database did not answer in time.").WithCause(err)
}

// guardedConn is a connection that breaks when its server hangs. A server that is
// silent for a while may be at work, so it is asked on another connection. As long as
// it answers there, this one waits on: once where a statement timeout should have
// ended the silence, else for as long as it takes. While somebody else has set a
// deadline, that holds alone.
type guardedConn struct {
	net.Conn
	most  time.Duration             // of silence before the server is asked; 0: it is never asked
	alive func(address string) bool // asks
	limit atomic.Int64              // nanoseconds that a statement may take; 0: any number

	mu     sync.Mutex
	forced bool      // somebody has set a deadline
	armed  time.Time // the deadline of our own that stands; zero: none
}

// writePiece is how much is written under one deadline, so that a large body on a
// slow network is not taken for silence.
const writePiece = 256 << 10

// Read implements net.Conn.
func (c *guardedConn) Read(into []byte) (n int, err error) {
	began := time.Now()
	now := began
	due := c.due(began, now)
	for {
		own := c.arm(now, due)
		n, err = c.Conn.Read(into)
		if n > 0 || !own || !c.isSilence(err) {
			return n, err
		}
		if now = time.Now(); now.Before(due) {
			continue
		}
		if err := c.ask(began); err != nil {
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
		n, err := c.Conn.Write(from[written:min(len(from), written+writePiece)])
		written += n
		if err == nil && written == len(from) || err != nil && !(own && c.isSilence(err)) {
			return written, err
		}
		now = time.Now()
		switch {
		case n > 0:
			began = now
		case now.Before(due):
			continue
		default:
			if err := c.ask(began); err != nil {
				return written, err
			}
			now = time.Now()
		}
		due = c.due(began, now)
	}
}

// due returns when the server is to be asked about a silence that began some time
// ago; zero is never.
func (c *guardedConn) due(began, now time.Time) time.Time {
	if c.most <= 0 {
		return time.Time{}
	}
	if end := began.Add(time.Duration(c.limit.Load())); end.After(now) && end.Before(now.Add(c.most)) {
		return end
	}
	return now.Add(c.most)
}

// arm sets a deadline for reads and writes that is not after due, and reports whether
// one of its own stands. Setting one has its price, so one that was set before stays
// as long as a quarter of the time is left: what ends too early begins again. Where
// there is none to set, arm takes back one that was set before.
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

// isSilence reports whether err is of a deadline that nobody else has set.
func (c *guardedConn) isSilence(err error) bool {
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.forced
}

// ask returns an error where the server, silent for so long, cannot be at work.
func (c *guardedConn) ask(began time.Time) error {
	limit := time.Duration(c.limit.Load())
	if limit > 0 && time.Since(began) >= limit+c.most || !c.alive(c.RemoteAddr().String()) {
		return errSilent
	}
	return nil
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

// pulse finds out whether a server answers. Those who ask at once share an answer.
type pulse struct {
	config  *pgconn.Config
	timeout time.Duration

	mu      sync.Mutex
	address string
	alive   bool
	asked   time.Time
}

func (p *pulse) of(address string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.address != address || time.Since(p.asked) > pulseAge {
		p.alive = p.ask(address)
		p.address, p.asked = address, time.Now()
	}
	return p.alive
}

// ask connects and runs a statement. A refusal, such as of one connection too many,
// is an answer.
func (p *pulse) ask(address string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	config := p.config.Copy()
	config.ValidateConnect = nil
	config.DialFunc = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return p.config.DialFunc(ctx, network, address)
	}
	conn, err := pgconn.ConnectConfig(ctx, config)
	if err != nil {
		return IsRefused(err)
	}
	_, err = conn.Exec(ctx, "select 1").ReadAll()
	_ = conn.Close(ctx)
	return err == nil || IsRefused(err)
}

// keptAlive makes connections that break a minute after their other end has vanished.
var keptAlive = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}}

// guard has the connections of a configuration guarded.
func guard(config *pgconn.Config, limit time.Duration) {
	p := &pulse{config: config.Copy(), timeout: min(limit, connectTimeout)}
	p.config.DialFunc = keptAlive.DialContext
	dial := keptAlive.DialContext
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &guardedConn{Conn: conn, most: limit, alive: p.of}, nil
	}
}

// guardOf finds what guards a connection; nil where nothing does.
func guardOf(raw *pgconn.PgConn) *guardedConn {
	conn := raw.Conn()
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	guarded, _ := conn.(*guardedConn)
	return guarded
}

// setLimit says how long the statements that follow may take; 0: any time.
func setLimit(raw *pgconn.PgConn, limit time.Duration) {
	if guarded := guardOf(raw); guarded != nil {
		guarded.limit.Store(int64(limit))
	}
}

// waitForEver has the server never asked: there may be nothing to tell for days.
func waitForEver(raw *pgconn.PgConn) {
	if guarded := guardOf(raw); guarded != nil {
		guarded.most = 0
	}
}

// patience is how long the database may be silent while it works for a job before it
// is asked whether it lives: as long as the statement timeout that holds, and a little
// more; 0 for a role without one.
func (s *roleSettings) patience(j *job) time.Duration {
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

var timeoutPattern = regexp.MustCompile(`^\s*([0-9.]+)\s*(us|ms|s|min|h|d|)\s*$`)

var timeoutUnits = map[string]time.Duration{
	"": time.Millisecond, "us": time.Microsecond, "ms": time.Millisecond, "s": time.Second, "min": time.Minute, "h": time.Hour, "d": 24 * time.Hour,
}

// parseTimeout reads a duration as PostgreSQL's settings have it: "3s", "500", "1min".
func parseTimeout(text string) (time.Duration, bool) {
	parts := timeoutPattern.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	number, err := strconv.ParseFloat(parts[1], 64)
	if err != nil {
		return 0, false
	}
	return time.Duration(number * float64(timeoutUnits[parts[2]])), true
}
