// Package peers records the servers that use a database. A server with other secrets than the running ones, or with a
// wrong clock, does not start.
package peers

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// renewInterval is how often a server renews its row.
	renewInterval = 5 * time.Second
	// lease is how long a row counts after it was renewed.
	lease = 3 * renewInterval
	// removeTimeout is how long a stopping server may take to remove its row.
	removeTimeout = time.Second

	// MaxClockOffset is how far the machine's clock may be off the database's. Tokens that one server issues are
	// otherwise not valid yet on another, or have expired.
	MaxClockOffset = 30 * time.Second
)

var (
	// ErrOtherSecret means that a running server uses other secrets.
	ErrOtherSecret = errors.New("another server uses this database with other secrets")
	// ErrClock means that the machine's clock is wrong, or the database's.
	ErrClock = errors.New("the clocks of this machine and of the database differ")
)

// Peer is a server that uses a database.
type Peer struct {
	id      uuid.UUID
	version string
	hash    string
	log     *slog.Logger
	now     func() time.Time

	clock atomic.Pointer[reading] // the last one; nil: none yet
	isOff bool                    // it was logged that the clock is off
}

// reading compares the machine's clock with the database's.
type reading struct {
	at     time.Time     // by the machine's clock, with a monotonic reading
	offset time.Duration // how far that was ahead
}

// New returns a peer. secrets are those that all servers of the database must share; a hash of them is stored.
func New(version string, secrets []string, log *slog.Logger, now func() time.Time) *Peer {
	return &Peer{id: uuid.New(), version: version, hash: hashOf(secrets), log: log, now: now}
}

func hashOf(secrets []string) string {
	mac := hmac.New(sha256.New, []byte("plaza/servers"))
	for _, secret := range secrets {
		fmt.Fprintf(mac, "%d:%s", len(secret), secret)
	}
	return hex.EncodeToString(mac.Sum(nil))
}

// CheckClock compares the machine's clock with the database's.
//
// Errors: ErrClock if they differ by more than MaxClockOffset.
func CheckClock(ctx context.Context, conn *pgx.Conn, now func() time.Time) error {
	var theirs time.Time
	before := now()
	if err := conn.QueryRow(ctx, "select pg_catalog.clock_timestamp()").Scan(&theirs); err != nil {
		return fmt.Errorf("read the database's time: %w", err)
	}
	offset := offsetOf(before, now(), theirs)
	if offset.Abs() <= MaxClockOffset {
		return nil
	}
	direction := "ahead of"
	if offset < 0 {
		direction = "behind"
	}
	return fmt.Errorf("%w: this machine's is %s %s the database's; synchronise both, since tokens expire by them", ErrClock, offset.Abs().Round(time.Second), direction)
}

// offsetOf returns how far this machine's clock is at least ahead of the database's, which was read between before
// and after.
func offsetOf(before, after, theirs time.Time) time.Duration {
	switch {
	case theirs.Before(before):
		return before.Sub(theirs)
	case theirs.After(after):
		return after.Sub(theirs)
	}
	return 0
}

// Offset returns how far this machine's clock was ahead of the database's when it was last compared; negative: behind.
func (p *Peer) Offset() time.Duration {
	if last := p.clock.Load(); last != nil {
		return last.offset
	}
	return 0
}

// Now returns the time by the database's clock, which all its servers share: that of the last reading, and
// what has passed since by the machine's monotonic clock. A wall clock that is off, or set while the server
// runs, changes nothing: otherwise its tokens would not be valid yet, or have expired, on the other servers.
func (p *Peer) Now() time.Time {
	now, last := p.now(), p.clock.Load()
	if last == nil {
		return now
	}
	return last.at.Round(0).Add(now.Sub(last.at) - last.offset)
}

// read notes a reading of the database's clock, asked for at before.
func (p *Peer) read(before, theirs time.Time) time.Duration {
	after := p.now()
	offset := offsetOf(before, after, theirs)
	p.clock.Store(&reading{at: after, offset: offset})
	return offset
}

const (
	lockServers = `select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('plaza.servers', 0))`
	selectOther = `select id, version, started_at, seen_at from plaza.servers
		where secret_hash <> $1 and seen_at > pg_catalog.now() - $2::interval order by seen_at desc limit 1`
	insertServer  = `insert into plaza.servers (id, version, secret_hash) values ($1, $2, $3) returning pg_catalog.clock_timestamp()`
	removeExpired = `delete from plaza.servers where seen_at < pg_catalog.now() - interval '1 hour'`
	renewServer   = `insert into plaza.servers (id, version, secret_hash) values ($1, $2, $3)
		on conflict (id) do update set seen_at = pg_catalog.now() returning pg_catalog.clock_timestamp()`
	removeServer = `delete from plaza.servers where id = $1`
)

// other is a server with other secrets.
type other struct {
	id            uuid.UUID
	version       string
	started, seen time.Time
}

// Register records the server. If there is a row of a server with other secrets, it waits until that is renewed, or
// until the row's lease ends because that server was killed.
//
// Errors: ErrOtherSecret if the row is renewed.
func (p *Peer) Register(ctx context.Context, conn *pgx.Conn, progress func(string)) error {
	var first *other
	for {
		found, err := p.tryRegister(ctx, conn)
		if err != nil {
			return fmt.Errorf("register the server: %w", err)
		}
		if found == nil {
			return nil
		}
		if first != nil && first.id == found.id && found.seen.After(first.seen) {
			return fmt.Errorf("%w: it has run since %s (version %s). All servers of a database need the same JWT_SECRET and the same secrets.json; stop the others first to change them",
				ErrOtherSecret, found.started.UTC().Format(time.DateTime+" MST"), found.version)
		}
		if first == nil || first.id != found.id {
			first = found
			progress("A server with other secrets was seen a moment ago; waiting to see whether it still runs")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(renewInterval / 10):
		}
	}
}

// tryRegister records the server, or returns one with other secrets.
func (p *Peer) tryRegister(ctx context.Context, conn *pgx.Conn) (found *other, err error) {
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, lockServers); err != nil {
			return err
		}
		var o other
		err := tx.QueryRow(ctx, selectOther, p.hash, lease).Scan(&o.id, &o.version, &o.started, &o.seen)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			before := p.now()
			var theirs time.Time
			if err = tx.QueryRow(ctx, insertServer, p.id, p.version, p.hash).Scan(&theirs); err == nil {
				p.read(before, theirs)
			}
		case err == nil:
			found = &o
		}
		return err
	})
	return found, err
}

// Run renews the server's row until ctx ends, and then removes it.
func (p *Peer) Run(ctx context.Context, db *pgxpool.Pool) {
	tick := time.NewTicker(renewInterval)
	defer tick.Stop()
	if _, err := db.Exec(ctx, removeExpired); err != nil && ctx.Err() == nil {
		p.log.WarnContext(ctx, "cannot remove the rows of servers that were killed", "error", err)
	}
	for {
		select {
		case <-ctx.Done():
			within, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
			defer cancel()
			if _, err := db.Exec(within, removeServer, p.id); err != nil {
				p.log.WarnContext(ctx, "the other servers count this one as running for a while", "error", err)
			}
			return
		case <-tick.C:
			p.renew(ctx, db)
		}
	}
}

// renew renews the row and compares the clocks.
func (p *Peer) renew(ctx context.Context, db *pgxpool.Pool) {
	before := p.now()
	var theirs time.Time
	if err := db.QueryRow(ctx, renewServer, p.id, p.version, p.hash).Scan(&theirs); err != nil {
		if ctx.Err() == nil {
			p.log.DebugContext(ctx, "cannot renew the row of this server", "error", err) // the outage itself is logged elsewhere
		}
		return
	}
	offset := p.read(before, theirs)
	isOff := offset.Abs() > MaxClockOffset
	if isOff && !p.isOff {
		p.log.ErrorContext(ctx, "this machine's clock is off the database's, whose time is used: synchronise both", "ahead", offset.String())
	}
	p.isOff = isOff
}
