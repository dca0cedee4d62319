package walarchive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"

	"plaza/storage/blob"
)

// Config configures an Archiver.
type Config struct {
	// Open opens the archive's blob store. It is retried, so that the server starts even if the store cannot
	// be reached. The returned closer may be nil.
	Open        func(ctx context.Context) (blob.Store, io.Closer, error)
	DatabaseURL string        // for a superuser
	Interval    time.Duration // the WAL is archived at least this often
	Keep        time.Duration // WAL is kept to restore any time within Keep, from the backup before it
	Log         *slog.Logger
	Now         func() time.Time
}

// Delays and timeouts of an Archiver.
const (
	minRetryDelay = time.Second
	maxRetryDelay = 30 * time.Second

	// storeTimeout bounds storing a chunk, and waiting for PostgreSQL to send its WAL up to a position.
	storeTimeout = 5 * time.Minute
	// queryTimeout is how long the database may take to answer.
	queryTimeout = 10 * time.Second
	// finishTimeout is how long the last chunk may take when the server stops.
	finishTimeout = 5 * time.Second

	pruneInterval = time.Hour
)

// Stats are counts of an Archiver.
type Stats struct {
	Covered  time.Time // all commits until then are archived
	Stored   uint64    // bytes of WAL
	Packed   uint64    // the same, compressed
	Chunks   uint64
	Failures uint64 // times that archiving was interrupted
	Gaps     uint64 // runs that could not be continued
}

// Archiver archives the WAL of a database.
type Archiver struct {
	*Archive // nil until it was opened
	cfg      Config
	packer   *zstd.Encoder
	closer   io.Closer // of the blob store; may be nil
	pruned   time.Time

	mu    sync.Mutex
	stats Stats
}

// NewArchiver returns an Archiver. The caller must call Run in a goroutine.
func NewArchiver(cfg Config) (*Archiver, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return &Archiver{cfg: cfg, packer: packer}, nil
}

// Stats returns counts since the start.
func (a *Archiver) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stats
}

func (a *Archiver) count(change func(*Stats)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.stats)
}

// Run archives the WAL until ctx ends, and then what is left, for finishTimeout at most. It retries after errors.
func (a *Archiver) Run(ctx context.Context) {
	defer func() {
		if a.closer != nil {
			_ = a.closer.Close()
		}
	}()
	for delay := minRetryDelay; ctx.Err() == nil; delay = min(2*delay, maxRetryDelay) {
		stored := a.Stats().Chunks
		err := a.runSession(ctx)
		if err == nil {
			return
		}
		a.count(func(s *Stats) { s.Failures++ })
		if a.Stats().Chunks > stored {
			delay = minRetryDelay
		}
		a.cfg.Log.WarnContext(ctx, "archiving the WAL failed; PostgreSQL keeps it until the next attempt, up to max_slot_wal_keep_size", "error", err, "retry_ms", delay.Milliseconds())
		select {
		case <-ctx.Done():
		case <-time.After(delay):
		}
	}
}

// runSession archives over one pair of connections until one fails. It returns nil when ctx ends.
func (a *Archiver) runSession(ctx context.Context) error {
	if a.Archive == nil {
		store, closer, err := a.cfg.Open(ctx)
		if err != nil {
			return ifRunning(ctx, err)
		}
		a.Archive, a.closer = New(store), closer
	}
	conn, err := connect(ctx, a.cfg.DatabaseURL)
	if err != nil {
		return ifRunning(ctx, fmt.Errorf("connect to the database: %w", err))
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	run, next, gap, err := a.resume(ctx, conn, a.cfg.Now())
	if err != nil {
		return ifRunning(ctx, err)
	}
	if gap != "" {
		a.count(func(s *Stats) { s.Gaps++ })
		a.cfg.Log.ErrorContext(ctx, "the archive of the WAL has a gap: make a backup now, as no time after the gap can be restored without it", "reason", gap)
	}
	wal, err := receive(ctx, a.cfg.DatabaseURL, run, next)
	if err != nil {
		return ifRunning(ctx, err)
	}
	defer func() { _ = wal.close() }()
	s := session{archiver: a, conn: conn, wal: wal, run: run, start: next}
	for ctx.Err() == nil {
		if err := s.interval(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTimeout)
	defer cancel()
	if err := s.catchUp(last); err != nil {
		a.cfg.Log.WarnContext(ctx, "the last WAL is archived at the next start", "error", err)
	}
	return nil
}

// ifRunning returns nil in place of an error that a stop has caused.
func ifRunning(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// session is what an Archiver has while it is connected.
type session struct {
	archiver *Archiver
	conn     *pgx.Conn
	wal      *receiver
	run      Run
	start    LSN       // position of pending
	pending  []byte    // WAL that is not archived yet
	covered  time.Time // all commits until then are archived, or in pending
}

// interval archives all commits until now, prunes the archive, and receives WAL for an interval. Complete segments are
// archived as they arrive.
func (s *session) interval(ctx context.Context) error {
	if err := s.catchUp(ctx); err != nil {
		return err
	}
	s.archiver.prune(ctx, s.run)
	for deadline := time.Now().Add(s.archiver.cfg.Interval); ctx.Err() == nil && time.Now().Before(deadline); {
		if err := s.receive(ctx, deadline); err != nil {
			return err
		}
	}
	return nil
}

// catchUp archives all commits until now.
func (s *session) catchUp(ctx context.Context) error {
	now, to, err := s.heartbeat(ctx)
	if err != nil {
		return fmt.Errorf("read the database's WAL position: %w", err)
	}
	deadline := time.Now().Add(storeTimeout)
	for s.wal.next < to {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case time.Now().After(deadline):
			return errors.New("PostgreSQL does not send its WAL")
		}
		if err := s.receive(ctx, deadline); err != nil {
			return err
		}
	}
	s.covered = now
	return s.store(ctx)
}

// heartbeat commits a transaction. It returns a time before the commit and a position after it: once the WAL until that
// position is archived, all commits until that time are.
func (s *session) heartbeat(ctx context.Context) (now time.Time, to LSN, err error) {
	// A query that is cancelled closes the connection, which is needed once more at the end.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), queryTimeout)
	defer cancel()
	var position string
	if err := s.conn.QueryRow(ctx, emitHeartbeat).Scan(&now, &position); err != nil {
		return now, 0, err
	}
	if err := s.conn.QueryRow(ctx, askFlushed).Scan(&position); err != nil {
		return now, 0, err
	}
	to, err = ParseLSN(position)
	return now.Add(-time.Microsecond), to, err
}

// receive waits for the next WAL, at most until the deadline, adds it to pending, and archives complete segments.
func (s *session) receive(ctx context.Context, deadline time.Time) error {
	data, err := s.wal.read(ctx, deadline)
	if err != nil {
		return err
	}
	for len(data) > 0 {
		end := s.run.segmentStart(s.start) + LSN(s.run.Segment)
		n := min(len(data), int(end-s.start)-len(s.pending))
		s.pending, data = append(s.pending, data[:n]...), data[n:]
		if s.start+LSN(len(s.pending)) == end {
			if err := s.store(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// store archives the pending WAL, and tells PostgreSQL that it no longer needs to keep it.
func (s *session) store(ctx context.Context) error {
	a := s.archiver
	end := s.start + LSN(len(s.pending))
	if len(s.pending) > 0 {
		within, cancel := context.WithTimeout(ctx, storeTimeout)
		defer cancel()
		packed := a.packer.EncodeAll(s.pending, nil)
		if err := a.write(within, s.run.chunkName(chunk{start: s.start, end: end, covered: s.covered}), packed); err != nil {
			return err
		}
		a.count(func(stats *Stats) {
			stats.Stored, stats.Packed, stats.Chunks = stats.Stored+uint64(len(s.pending)), stats.Packed+uint64(len(packed)), stats.Chunks+1
			stats.Covered = s.covered
		})
		s.start, s.pending = end, s.pending[:0]
	}
	return s.wal.confirm(end, a.cfg.Now())
}
