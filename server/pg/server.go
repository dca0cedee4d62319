package pg

import (
	"context"
	"net/http"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/apierr"
)

// server is one PostgreSQL server as callers reach it: the primary or a replica,
// each with its own connections and its own line for them.
type server struct {
	pool    *pgxpool.Pool
	line    *line
	roles   atomic.Pointer[roleSettings]
	epoch   atomic.Uint64 // grows when the schema changes: older prepared statements are dropped
	replica bool
	tells   bool // writes tell the position at which they are committed
	present atomic.Pointer[presence]

	unprepared bool // no statement is kept
}

// presence is a time in which a replica answers. The primary has none: it is
// waited for.
type presence struct {
	context.Context
	end context.CancelFunc
}

// outlast gives a context for work that may not end with ctx.
func (s *server) outlast(ctx context.Context) context.Context {
	if now := s.present.Load(); now != nil {
		return now
	}
	return context.WithoutCancel(ctx)
}

func (s *server) reload(roles *roleSettings) {
	s.roles.Store(roles)
	s.epoch.Add(1)
	s.pool.Reset()
}

// do runs a job, on a connection of its own or along with others.
//
// Errors: those of waiting for a connection; the job's own is in it.
func (s *server) do(j *job) error {
	conn, riders, err := s.acquire(j.ctx, j)
	if err != nil {
		return err
	}
	if conn != nil {
		defer conn.release()
		conn.run(j, riders)
	}
	return nil
}

// acquire waits for a connection. With a job it may also get others to take
// along; or no connection, when another took the job along and it is done.
func (s *server) acquire(ctx context.Context, j *job) (*lease, []*waiter, error) {
	t, err := s.line.wait(ctx, j)
	if err != nil || t.done {
		return nil, nil, err
	}
	if t.conn == nil {
		if t.conn, err = s.connect(ctx); err != nil {
			s.line.pass(nil, t.short)
			return nil, nil, err
		}
	}
	return &lease{t.conn, s, t.short}, t.riders, nil
}

// connect takes a connection of the pool, which may have to be made.
//
// Errors: 503 where the database is away, or does not answer in time.
func (s *server) connect(ctx context.Context) (*pgxpool.Conn, error) {
	within, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, err := s.pool.Acquire(within)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		return nil, apierr.New(http.StatusServiceUnavailable, codeRefused, "Database connection error. Retrying the connection.").WithCause(err)
	}
	return conn, unavailable(err)
}

// lease is a connection of callers and its place in line.
type lease struct {
	*pgxpool.Conn
	at    *server
	short bool
}

func (l *lease) raw() *pgconn.PgConn { return l.Conn.Conn().PgConn() }

// release hands the connection to the next in line, or back to the pool.
func (l *lease) release() {
	raw := l.raw()
	if raw.IsClosed() || raw.IsBusy() || raw.TxStatus() != 'I' {
		l.Conn.Release() // which gives it up
		l.at.line.pass(nil, l.short)
		return
	}
	if !l.at.line.pass(l.Conn, l.short) {
		l.Conn.Release()
	}
}
