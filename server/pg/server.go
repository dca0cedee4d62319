package pg

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/apierr"
	"plaza/server/claims"
	"plaza/server/pg/queue"
	"plaza/server/pg/replica"
)

// server is one PostgreSQL server as callers reach it: the primary or a replica. Each has
// its own connections and its own queue for them.
type server struct {
	pool    *pgxpool.Pool
	queue   *queue.Queue[*job]
	roles   atomic.Pointer[roleSettings]
	epoch   atomic.Uint64    // grows when the schema changes: older prepared statements are dropped
	replica *replica.Replica // nil: it is the primary

	failover  *failover         // of the primary; nil for a replica
	elsewhere func(j *job) bool // runs a job on a replica, if one can; nil: there is none

	returnsPosition bool // writes return the position at which they are committed
	unprepared      bool // statements are not kept prepared
}

// outlast returns a context that does not end with ctx. On a replica it ends when that
// stops answering, as the primary can run the work again; on the primary it never ends.
func (s *server) outlast(ctx context.Context) context.Context {
	if s.replica != nil {
		return s.replica.Session()
	}
	return context.WithoutCancel(ctx)
}

func (s *server) reload(roles *roleSettings) {
	s.roles.Store(roles)
	s.epoch.Add(1)
	s.pool.Reset()
}

// do runs a job, on a connection of its own or in a batch with others.
//
// Errors: those of waiting for a connection. The job's own is j.err.
func (s *server) do(j *job) error {
	conn, others, err := s.acquire(j.ctx, j.who, j)
	if err != nil {
		return err
	}
	if conn != nil {
		defer conn.release()
		conn.run(j, others)
	}
	return nil
}

// acquire waits for a connection and, for a limited time, for a primary. For a job it may also return others to run in
// the same batch, or no connection if the job was run in the batch of another or on a replica.
func (s *server) acquire(ctx context.Context, who claims.Caller, j *job) (l *lease, others []*queue.Waiter[*job], err error) {
	if !s.failover.hasOutage() {
		l, others, err = s.tryAcquire(ctx, j)
		if !s.failover.shouldWait(ctx, err) {
			return l, others, err
		}
		s.failover.begin()
		if j != nil && s.elsewhere != nil && s.elsewhere(j) {
			return nil, nil, nil
		}
	}
	err = s.failover.retry(ctx, who, err, func() (err error) {
		l, others, err = s.tryAcquire(ctx, j)
		return err
	})
	return l, others, err
}

func (s *server) tryAcquire(ctx context.Context, j *job) (*lease, []*queue.Waiter[*job], error) {
	g, err := s.queue.Acquire(ctx, j)
	if err != nil || g.Done {
		return nil, nil, err
	}
	if g.Conn == nil {
		if g.Conn, err = s.connect(ctx); err != nil {
			s.queue.Release(nil, g.Short)
			return nil, nil, err
		}
	}
	return &lease{g.Conn, s, g.Short}, g.Others, nil
}

// connect acquires a connection of the pool, which may have to connect.
//
// Errors: 503 if the database cannot be reached or does not answer in time.
func (s *server) connect(ctx context.Context) (*pgxpool.Conn, error) {
	if s.failover.hasOutage() {
		return nil, errAway
	}
	within, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := s.pool.Acquire(within)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return nil, apierr.New(http.StatusServiceUnavailable, codeRefused, "Database connection error. Retrying the connection.").WithCause(err)
	}
	return conn, unavailable(err)
}

// lease is an acquired connection until its release.
type lease struct {
	*pgxpool.Conn
	at    *server
	short bool
}

func (l *lease) raw() *pgconn.PgConn { return l.Conn.Conn().PgConn() }

// release hands the connection to the next in the queue, or back to the pool.
func (l *lease) release() {
	raw := l.raw()
	if raw.IsClosed() || raw.IsBusy() || raw.TxStatus() != 'I' {
		l.Conn.Release() // which closes it
		l.at.queue.Release(nil, l.short)
		return
	}
	if !l.at.queue.Release(l.Conn, l.short) {
		l.Conn.Release()
	}
}
