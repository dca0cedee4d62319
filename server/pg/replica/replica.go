// Package replica watches streaming replicas and knows how much of the primary's log a
// read of each caller must see.
package replica

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/wake"
)

// Replica is a streaming replica. One goroutine watches it.
type Replica struct {
	pool     *pgxpool.Pool
	maxLag   time.Duration
	replayed atomic.Uint64 // what it has replayed at least; 0: it is excluded
	session  atomic.Pointer[session]
	log      *slog.Logger

	wake.Signal             // has the replica checked soon: a read waits for it to replay more
	ask         atomic.Bool // the next check asks the primary

	// Of the goroutine that watches it: a position of the primary, and when it was read.
	mark   LSN
	marked time.Time
	asked  time.Time // when the primary was asked last
	away   bool      // it did not answer
}

// session is the time from a replica's first answer until it stops answering.
type session struct {
	context.Context
	end context.CancelFunc
}

// New returns a replica that is excluded until Watch has found it usable. maxLag is how
// far it may be behind.
func New(pool *pgxpool.Pool, maxLag time.Duration, log *slog.Logger) *Replica {
	return &Replica{pool: pool, maxLag: maxLag, Signal: wake.NewSignal(), log: log}
}

// Replayed returns what the replica has replayed at least; zero while it is excluded.
func (r *Replica) Replayed() LSN { return LSN(r.replayed.Load()) }

// Session returns a context that ends when the replica stops answering. It must have
// answered before.
func (r *Replica) Session() context.Context { return r.session.Load() }

// Intervals of the checks of a replica.
const (
	// checkInterval is the usual one. It bounds how long reads are sent to a replica that hangs.
	checkInterval = time.Second
	// minCheckInterval is the shortest, while reads wait for it to replay more.
	minCheckInterval = 5 * time.Millisecond
	// checkTimeout is how long a check may take.
	checkTimeout = 2 * time.Second
)

// AskPrimary has the replica checked soon, and the primary asked.
func (r *Replica) AskPrimary() {
	r.ask.Store(true)
	r.Wake()
}

// Watch checks the replica until ctx ends. All are the primary's replicas.
func (r *Replica) Watch(ctx context.Context, primary *pgxpool.Pool, all []*Replica) {
	ticker := time.NewTicker(checkInterval)
	defer ticker.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for ctx.Err() == nil {
		r.check(ctx, primary, all)
		pause.Reset(minCheckInterval)
		select {
		case <-ctx.Done():
		case <-pause.C:
			select {
			case <-ctx.Done():
			case <-ticker.C:
			case <-r.Signal:
			}
		}
	}
}

// Close ends the reads that wait for the replica.
func (r *Replica) Close() {
	if current := r.session.Load(); current != nil {
		current.end()
	}
}

// Reasons why a replica is excluded.
var (
	errNoReplica = errors.New("it is no replica, or has been promoted")
	errLagging   = errors.New("it is too far behind")
	errForeign   = errors.New("it belongs to another cluster than the primary")
)

// check asks the replica for its position.
func (r *Replica) check(ctx context.Context, primary *pgxpool.Pool, all []*Replica) {
	within, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	replayed, system, err := r.position(within)
	if err != nil {
		r.mark = 0 // once it answers again, it must catch up with the primary of that time
	} else {
		err = r.compare(within, primary, all, replayed, system)
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.Exclude(err)
		if r.mark == 0 {
			r.Close()
			r.pool.Reset()
		}
	case r.replayed.Load() == 0:
		r.Include(ctx, replayed)
	default:
		r.replayed.Store(uint64(replayed))
	}
}

// Include sends it reads that need no more than a position.
func (r *Replica) Include(ctx context.Context, replayed LSN) {
	if old := r.session.Load(); old == nil || old.Err() != nil {
		current, end := context.WithCancel(context.Background())
		r.session.Store(&session{current, end})
	}
	r.replayed.Store(uint64(replayed))
	r.log.InfoContext(ctx, "the replica answers reads")
}

// Exclude sends it no reads until the next check succeeds.
func (r *Replica) Exclude(reason error) {
	if r.replayed.Swap(0) != 0 {
		r.log.Warn("the replica is excluded", "reason", reason)
		r.Wake()
	}
}

// ReplayedSQL selects the position of a replica; NULL where the server is none, or no
// longer.
const ReplayedSQL = "case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() end"

// SystemSQL selects the identifier that a primary and its replicas share.
const SystemSQL = "(select system_identifier::text from pg_catalog.pg_control_system())"

// position returns what the replica has replayed and, while it is excluded, its system: PostgreSQL reads a file for
// that, and another server behind the address would have ended the connections.
func (r *Replica) position(ctx context.Context) (at LSN, system string, err error) {
	var replayed *string
	sql := "select (" + ReplayedSQL + ")::text, ''"
	if r.replayed.Load() == 0 {
		sql = "select (" + ReplayedSQL + ")::text, " + SystemSQL
	}
	if err := r.pool.QueryRow(ctx, sql).Scan(&replayed, &system); err != nil {
		return 0, "", err
	}
	if replayed == nil {
		return 0, "", errNoReplica
	}
	return ParseLSN(*replayed), system, nil
}

// flushedSQL selects what the primary has sent to its replicas. The insert position is
// past the end of the last record where that ends a page.
const flushedSQL = "select pg_catalog.pg_current_wal_flush_lsn()::text, " + SystemSQL

// compare returns errLagging if the replica has not reached the position that the primary had
// when it was last asked: for longer than maxLag or, while it is excluded, at all. While the
// primary does not answer, it must have all that any replica has received: what the primary has
// acknowledged may have reached only one of them.
func (r *Replica) compare(ctx context.Context, primary *pgxpool.Pool, all []*Replica, replayed LSN, system string) error {
	if r.ask.Swap(false) || r.mark == 0 || time.Since(r.asked) >= checkInterval {
		r.asked = time.Now()
		var flushed, ofPrimary string
		wasAway := r.away
		r.away = primary.QueryRow(ctx, flushedSQL).Scan(&flushed, &ofPrimary) != nil
		switch {
		case r.away:
			if received := latest(ctx, all); replayed < received {
				r.mark, r.marked = received, r.asked
				return errLagging
			}
		case system != "" && system != ofPrimary:
			r.mark = 0
			return errForeign
		case r.mark == 0, wasAway, replayed >= r.mark:
			r.mark, r.marked = ParseLSN(flushed), r.asked
		}
	}
	if replayed < r.mark && (r.replayed.Load() == 0 || time.Since(r.marked) > r.maxLag) {
		return errLagging
	}
	return nil
}

// receivedSQL selects what a replica has received, replayed or not.
const receivedSQL = "select greatest(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())::text where pg_catalog.pg_is_in_recovery()"

// latest returns the latest position that one of the replicas that answer has received.
func latest(ctx context.Context, all []*Replica) LSN {
	var position atomic.Uint64
	var asked sync.WaitGroup
	for _, r := range all {
		asked.Go(func() {
			var received string
			if r.pool.QueryRow(ctx, receivedSQL).Scan(&received) == nil {
				advance(&position, ParseLSN(received))
			}
		})
	}
	asked.Wait()
	return LSN(position.Load())
}
