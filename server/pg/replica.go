package pg

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// replica is a streaming replica, watched by one goroutine.
type replica struct {
	server
	maxLag   time.Duration
	replayed atomic.Uint64 // what it has replayed at least; 0: it is left out
	wanted   chan struct{} // somebody waits for it to replay more
	log      *slog.Logger

	// Of the goroutine that watches it: a position of the primary, and since when
	// it is known.
	mark   LSN
	marked time.Time
}

// How often a replica is looked at.
const (
	// replicaBeat is the usual pause: so long may one that hangs be asked.
	replicaBeat = time.Second
	// replicaPause is the least, where reads wait for it to replay more.
	replicaPause = 5 * time.Millisecond
	// replicaPatience is how long a look may take.
	replicaPatience = 2 * time.Second
)

// want has the replica looked at soon.
func (r *replica) want() {
	select {
	case r.wanted <- struct{}{}:
	default:
	}
}

// watch keeps up with the replica until ctx ends.
func (r *replica) watch(ctx context.Context, primary *pgxpool.Pool) {
	beat := time.NewTicker(replicaBeat)
	defer beat.Stop()
	pause := time.NewTimer(0)
	defer pause.Stop()
	for ctx.Err() == nil {
		r.look(ctx, primary)
		pause.Reset(replicaPause)
		select {
		case <-ctx.Done():
		case <-pause.C:
			select {
			case <-ctx.Done():
			case <-beat.C:
			case <-r.wanted:
			}
		}
	}
}

// Reasons why a replica is left out.
var (
	errNoReplica = errors.New("it is no replica, or has been promoted")
	errLagging   = errors.New("it is too far behind")
)

// look asks the replica how far it is.
func (r *replica) look(ctx context.Context, primary *pgxpool.Pool) {
	patient, cancel := context.WithTimeout(ctx, replicaPatience)
	defer cancel()
	replayed, err := r.position(patient)
	if err != nil {
		r.mark = 0 // once it answers again, it has to catch up with the primary of then
	} else if r.lags(patient, primary, replayed) {
		err = errLagging
	}
	switch {
	case ctx.Err() != nil:
	case err != nil:
		r.leaveOut(err)
		if r.mark == 0 {
			r.endPresence()
			r.pool.Reset()
		}
	case r.replayed.Load() == 0:
		r.comeIn(ctx, replayed)
	default:
		r.replayed.Store(uint64(replayed))
	}
}

func (r *replica) comeIn(ctx context.Context, replayed LSN) {
	if old := r.present.Load(); old == nil || old.Err() != nil {
		now, end := context.WithCancel(context.Background())
		r.present.Store(&presence{now, end})
	}
	r.replayed.Store(uint64(replayed))
	r.log.InfoContext(ctx, "the replica answers reads")
}

// endPresence ends what still waits for an answer.
func (r *replica) endPresence() {
	if old := r.present.Load(); old != nil {
		old.end()
	}
}

// leaveOut gives it no reads until the next look finds it well.
func (r *replica) leaveOut(reason error) {
	if r.replayed.Swap(0) != 0 {
		r.log.Warn("the replica is left out", "reason", reason)
		r.want()
	}
}

func (r *replica) position(ctx context.Context) (LSN, error) {
	var replayed *string
	if err := r.pool.QueryRow(ctx, "select ("+replayedSQL+")::text").Scan(&replayed); err != nil {
		return 0, err
	}
	if replayed == nil {
		return 0, errNoReplica
	}
	return ParseLSN(*replayed), nil
}

// flushedSQL is what the primary has for its replicas. The position of an insert
// would be beyond the end of the last record at the end of a page.
const flushedSQL = "select pg_catalog.pg_current_wal_flush_lsn()::text"

// lags reports whether the replica has not come as far as the primary was when it
// was asked: for longer than is allowed or, while it is left out, at all. Without
// the primary it stays as it was: the replica has all there is.
func (r *replica) lags(ctx context.Context, primary *pgxpool.Pool, replayed LSN) bool {
	if r.mark == 0 || replayed >= r.mark && time.Since(r.marked) >= replicaBeat {
		asked := time.Now()
		var flushed string
		if primary.QueryRow(ctx, flushedSQL).Scan(&flushed) == nil {
			r.mark, r.marked = ParseLSN(flushed), asked
		}
	}
	return replayed < r.mark && (r.replayed.Load() == 0 || time.Since(r.marked) > r.maxLag)
}
