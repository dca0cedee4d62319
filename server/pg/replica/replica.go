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

	wake.Signal             // starts a check soon: a read needs a position that is not replayed yet
	ask         atomic.Bool // the next check reads the primary's position
	foreign     atomic.Bool // when the primary answered last, the replica was not its

	// Used only by the goroutine that watches the replica.
	mark   LSN       // a position of the primary that the replica has to reach
	marked time.Time // when mark was read
	asked  time.Time // when the primary's position was last asked for
	away   bool      // the primary did not answer then
}

// session is a context that lasts from a replica's first answer until it stops answering.
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

// Answers reports whether the replica answers, even if it is excluded because it is too far behind.
func (r *Replica) Answers() bool {
	current := r.session.Load()
	return current != nil && current.Err() == nil
}

// Intervals of the checks of a replica.
const (
	// checkInterval is the usual one. It bounds how long reads are sent to a replica that hangs.
	checkInterval = time.Second
	// minCheckInterval is the shortest, while reads need positions that are not replayed yet.
	minCheckInterval = 5 * time.Millisecond
	// checkTimeout is how long each query of a check may take.
	checkTimeout = 2 * time.Second
)

// AskPrimary starts a check of the replica soon, which reads the primary's position.
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

// Close ends the session, and so the reads that wait for the replica.
func (r *Replica) Close() {
	if current := r.session.Load(); current != nil {
		current.end()
	}
}

// Reasons why a replica is excluded.
var (
	errNoReplica = errors.New("it is no replica, or has been promoted")
	errLagging   = errors.New("it is too far behind")
	errForeign   = errors.New("it belongs to another cluster than the primary, or has records that the primary lacks")
)

// check reads the replica's position, and includes or excludes the replica.
func (r *Replica) check(ctx context.Context, primary *pgxpool.Pool, all []*Replica) {
	replayed, system, err := r.position(ctx)
	if err != nil {
		r.mark = 0 // once it answers again, it must catch up with the primary of that time
	} else {
		err = r.compare(ctx, primary, all, replayed, system)
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

// Include lets the replica answer reads that need no later position than replayed.
func (r *Replica) Include(ctx context.Context, replayed LSN) {
	if old := r.session.Load(); old == nil || old.Err() != nil {
		current, end := context.WithCancel(context.Background())
		r.session.Store(&session{current, end})
	}
	r.replayed.Store(uint64(replayed))
	r.log.InfoContext(ctx, "the replica answers reads")
}

// Exclude keeps reads from the replica until a check succeeds.
func (r *Replica) Exclude(reason error) {
	if r.replayed.Swap(0) != 0 {
		r.log.Warn("the replica is excluded", "reason", reason)
		r.Wake()
	}
}

// ReplayedSQL selects the position that a replica has replayed; NULL if the server is not,
// or no longer, a replica.
const ReplayedSQL = "case when pg_catalog.pg_is_in_recovery() then pg_catalog.pg_last_wal_replay_lsn() end"

// SystemSQL selects the identifier that a primary and its replicas share.
const SystemSQL = "(select system_identifier::text from pg_catalog.pg_control_system())"

// position returns what the replica has replayed and, while it is excluded, its system identifier. At other times that is not
// needed: PostgreSQL reads a file for it, and connections would have broken if another server had taken the address.
func (r *Replica) position(ctx context.Context) (at LSN, system string, err error) {
	var replayed *string
	sql := "select (" + ReplayedSQL + ")::text, ''"
	if r.replayed.Load() == 0 {
		sql = "select (" + ReplayedSQL + ")::text, " + SystemSQL
	}
	if err := queryRow(ctx, r.pool, sql, &replayed, &system); err != nil {
		return 0, "", err
	}
	if replayed == nil {
		return 0, "", errNoReplica
	}
	return ParseLSN(*replayed), system, nil
}

// queryRow runs a query of a check.
func queryRow(ctx context.Context, pool *pgxpool.Pool, sql string, dest ...any) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return pool.QueryRow(ctx, sql).Scan(dest...)
}

// flushedSQL selects the position up to which the primary may send its log to replicas. The
// insert position would not do: if the last record ends a page, it is in the next page, which
// no replica reaches until more is written.
const flushedSQL = "select pg_catalog.pg_current_wal_flush_lsn()::text, " + SystemSQL

// compare compares the replica with the primary. Once the replica has reached mark, the primary's
// current position becomes the next mark. While the primary does not answer, the replica has to
// reach all that any replica has received: what the primary has acknowledged may have reached
// only one of them.
//
// A replica of the primary is never ahead of it. One that is has followed a former primary, whose last records the
// primary lacks.
//
// Errors: errLagging if the replica has not reached mark within maxLag or, while it is excluded,
// has not reached it yet; errForeign.
func (r *Replica) compare(ctx context.Context, primary *pgxpool.Pool, all []*Replica, replayed LSN, system string) error {
	if r.ask.Swap(false) || r.mark == 0 || time.Since(r.asked) >= checkInterval {
		r.asked = time.Now()
		var flushed, ofPrimary string
		wasAway := r.away
		r.away = queryRow(ctx, primary, flushedSQL, &flushed, &ofPrimary) != nil
		if !r.away {
			r.foreign.Store(system != "" && system != ofPrimary || replayed > ParseLSN(flushed))
		}
		switch {
		case r.foreign.Load():
			r.mark = 0
			return errForeign
		case r.away:
			if received := LatestReceived(ctx, all); replayed < received {
				r.mark, r.marked = received, r.asked
				return errLagging
			}
		case r.mark == 0, wasAway, replayed >= r.mark:
			r.mark, r.marked = ParseLSN(flushed), r.asked
		}
	}
	if replayed < r.mark && (r.replayed.Load() == 0 || time.Since(r.marked) > r.maxLag) {
		return errLagging
	}
	return nil
}

// receivedSQL selects the position up to which a replica has received the log, replayed or not.
const receivedSQL = "select greatest(pg_catalog.pg_last_wal_receive_lsn(), pg_catalog.pg_last_wal_replay_lsn())::text where pg_catalog.pg_is_in_recovery()"

// LatestReceived returns the latest position that a replica of the primary has received, of those that answer; zero if none does.
func LatestReceived(ctx context.Context, all []*Replica) LSN {
	var position atomic.Uint64
	var asked sync.WaitGroup
	for _, r := range all {
		if r.foreign.Load() {
			continue
		}
		asked.Go(func() {
			var received string
			if queryRow(ctx, r.pool, receivedSQL, &received) == nil {
				advance(&position, ParseLSN(received))
			}
		})
	}
	asked.Wait()
	return LSN(position.Load())
}
