package pg

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
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
	// DefaultAnswerTimeout bounds the wait for a database that accepts and never
	// answers, where no statement timeout says how long an answer may take.
	DefaultAnswerTimeout = 15 * time.Second

	// answerGrace is how long after a role's statement timeout the database may
	// take to say that it has passed.
	answerGrace = 2 * time.Second

	// connectTimeout bounds the making of a connection, unless a URL says otherwise.
	connectTimeout = 5 * time.Second
)

// errSilent is what a read or write fails with on a connection whose server has
// been silent for too long. The connection is broken then.
var errSilent = errors.New("the database accepts, but does not answer")

// silent is the answer for clients.
func silent(err error) error {
	return apierr.New(http.StatusGatewayTimeout, codeSilent, "The database did not answer in time.").WithCause(err)
}

// guardedConn is a connection whose reads and writes fail when its server is silent
// for longer than a limit. While somebody else has set a deadline, that holds alone.
type guardedConn struct {
	net.Conn
	limit atomic.Int64 // nanoseconds; 0: none

	mu     sync.Mutex
	forced bool // somebody has set a deadline
}

// writePiece is how much is written under one deadline, so that a large body on a
// slow network is not taken for silence.
const writePiece = 256 << 10

// Read implements net.Conn.
func (c *guardedConn) Read(into []byte) (int, error) {
	own := c.arm(c.Conn.SetReadDeadline)
	n, err := c.Conn.Read(into)
	return n, c.explain(own, err)
}

// Write implements net.Conn.
func (c *guardedConn) Write(from []byte) (written int, err error) {
	for written < len(from) || len(from) == 0 {
		own := c.arm(c.Conn.SetDeadline) // somebody may read meanwhile
		n, err := c.Conn.Write(from[written:min(len(from), written+writePiece)])
		written += n
		if err != nil || len(from) == 0 {
			return written, c.explain(own, err)
		}
	}
	return written, nil
}

// arm sets a deadline and reports whether it did.
func (c *guardedConn) arm(set func(time.Time) error) bool {
	limit := time.Duration(c.limit.Load())
	if limit <= 0 {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.forced && set(time.Now().Add(limit)) == nil
}

func (c *guardedConn) explain(own bool, err error) error {
	if !own || err == nil || !errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forced {
		return err
	}
	return fmt.Errorf("%w for %s", errSilent, time.Duration(c.limit.Load()))
}

// SetDeadline implements net.Conn.
func (c *guardedConn) SetDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forced = !t.IsZero()
	return c.Conn.SetDeadline(t)
}

// SetReadDeadline implements net.Conn.
func (c *guardedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forced = !t.IsZero()
	return c.Conn.SetReadDeadline(t)
}

// guard has the connections of a configuration guarded.
func guard(config *pgconn.Config, limit time.Duration) {
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		guarded := &guardedConn{Conn: conn}
		guarded.limit.Store(int64(limit))
		return guarded, nil
	}
}

// setLimit changes for how long a connection's server may be silent; 0 is for ever.
func setLimit(raw *pgconn.PgConn, limit time.Duration) {
	conn := raw.Conn()
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	if guarded, ok := conn.(*guardedConn); ok {
		guarded.limit.Store(int64(limit))
	}
}

// patience is how long the database may be silent while it works for a job: as long
// as the statement timeout that holds, and a little more. A role without one is
// waited for.
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
