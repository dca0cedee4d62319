// Package queue decides who gets a connection to the database next.
//
// Most requests are short reads, and running more of them at once than there are cores
// makes none of them faster. So only a few connections serve short reads, and those that
// wait for one are sent as a batch: one write and one read for several transactions
// saves both sides system calls and context switches, as group commit saves writes to
// disk. Other requests take any connection that is idle.
package queue

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"plaza/server/lru"
)

// Shape identifies a statement: its duration is remembered by role and text.
type Shape struct{ Role, SQL string }

// Job is a statement that waits for a connection.
type Job interface {
	comparable
	Shape() Shape
	// MayShare reports whether the job may be part of a batch if it is short.
	MayShare() bool
}

// Limits of a queue.
const (
	// shortDuration is how long a statement may take to count as short. Those that follow
	// in its batch wait for it.
	shortDuration = time.Millisecond
	// shortTimeout is how long a short read waits for a batch while connections are idle:
	// the batch before it may be blocked by a lock.
	shortTimeout = 20 * time.Millisecond
	// sweepEvery is how often the waiters are checked.
	sweepEvery = shortTimeout / 2
	// maxShared bounds the jobs of one batch.
	maxShared = 8
	// maxShapes bounds the statements whose duration is remembered. A statement of more
	// than maxText bytes is never short.
	maxShapes = 4096
	maxText   = 4096
)

// Queue is the queue for the connections to one server.
type Queue[J Job] struct {
	timeout  time.Duration // how long a request waits
	busy     error         // returned after that
	maxShort int           // maximum of short
	counts   counters
	waiters  sync.Pool // of *Waiter

	mu        sync.Mutex
	idle      int                                 // connections nobody holds
	short     int                                 // connections that serve short reads now
	waiting   list.List                           // of *Waiter
	sweeping  bool                                // a sweep is scheduled
	durations *lru.Unlocked[Shape, time.Duration] // of statements, as moving averages
	timeouts  uint64
}

// New returns a queue for a number of connections. Acquire returns busy after timeout.
func New[J Job](connections int32, timeout time.Duration, busy error) *Queue[J] {
	return &Queue[J]{
		timeout: timeout, busy: busy, idle: int(connections), maxShort: runtime.GOMAXPROCS(0) + 1,
		durations: lru.NewUnlocked[Shape, time.Duration](maxShapes, nil),
		waiters:   sync.Pool{New: func() any { return &Waiter[J]{granted: make(chan Grant[J], 1)} }},
	}
}

// Waiter waits in the queue until it is granted a connection or its job is done.
type Waiter[J Job] struct {
	Job J // the zero value for a request that needs a connection to itself

	ctx     context.Context // of the request that waits
	since   time.Time
	granted chan Grant[J]
	element *list.Element // nil once it has left the queue
}

// Done ends the wait of a job that was run in the batch of another.
func (w *Waiter[J]) Done() { w.granted <- Grant[J]{Done: true} }

// Grant is the outcome of a wait.
type Grant[J Job] struct {
	Conn   *pgxpool.Conn // nil: take one from the pool
	Short  bool          // the connection counts as one for short reads
	Others []*Waiter[J]  // whose jobs are run in the same batch
	Done   bool          // the job was run in another's batch

	err error
}

// Acquire waits for a connection.
//
// Errors: the queue's busy; ctx's.
func (q *Queue[J]) Acquire(ctx context.Context, job J) (Grant[J], error) {
	q.mu.Lock()
	short := q.isShort(job)
	if q.idle > 0 && (!short || q.short < q.maxShort) {
		q.idle--
		q.count(short)
		q.mu.Unlock()
		return Grant[J]{Short: short}, nil
	}
	w := q.waiters.Get().(*Waiter[J])
	w.ctx, w.Job, w.since = ctx, job, time.Now()
	w.element = q.waiting.PushBack(w)
	q.scheduleSweep()
	q.mu.Unlock()

	g := <-w.granted
	q.counts.waited(w.since)
	var none J
	w.ctx, w.Job = nil, none
	q.waiters.Put(w)
	return g, g.err
}

// scheduleSweep schedules a sweep. One timer for all waiters is cheaper than one each.
func (q *Queue[J]) scheduleSweep() {
	if !q.sweeping {
		q.sweeping = true
		time.AfterFunc(sweepEvery, q.sweep)
	}
}

// sweep ends the waits that timed out or whose client disconnected, and gives idle
// connections to short reads that have waited long enough for a batch.
func (q *Queue[J]) sweep() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	var next *list.Element
	for element := q.waiting.Front(); element != nil; element = next {
		next = element.Next()
		w := element.Value.(*Waiter[J])
		waited := now.Sub(w.since)
		switch err := w.ctx.Err(); {
		case err != nil:
			q.end(w, Grant[J]{err: err})
		case waited >= q.timeout:
			q.timeouts++
			q.end(w, Grant[J]{err: q.busy})
		case waited >= shortTimeout && q.idle > 0:
			q.idle--
			q.end(w, Grant[J]{})
		}
	}
	q.sweeping = false
	if q.waiting.Len() > 0 {
		q.scheduleSweep()
	}
}

// end removes a waiter from the queue and ends its wait.
func (q *Queue[J]) end(w *Waiter[J], g Grant[J]) {
	q.remove(w)
	w.granted <- g
}

func (q *Queue[J]) remove(w *Waiter[J]) {
	q.waiting.Remove(w.element)
	w.element = nil
}

func (q *Queue[J]) count(short bool) {
	if short {
		q.short++
	}
}

// isShort reports whether a job may be part of a batch: it is a read, since a write can
// wait for a lock, and known to be short.
func (q *Queue[J]) isShort(job J) bool {
	var none J
	if job == none || !job.MayShare() {
		return false
	}
	took, _ := q.durations.Peek(job.Shape())
	return took > 0 && took < shortDuration
}

// Release grants a connection to the next in the queue; with a nil conn, the right to
// open one. It reports whether somebody was waiting.
func (q *Queue[J]) Release(conn *pgxpool.Conn, short bool) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if short {
		q.short--
	}
	next := q.next()
	if next == nil {
		q.idle++
		return false
	}
	q.remove(next)
	g := Grant[J]{Conn: conn, Short: q.isShort(next.Job)}
	q.count(g.Short)
	if g.Short && conn != nil {
		g.Others = q.takeOthers()
	}
	next.granted <- g
	return true
}

// next returns the waiter that is granted a free connection: the first one, unless it is
// a short read and enough of these are running.
func (q *Queue[J]) next() *Waiter[J] {
	for element := q.waiting.Front(); element != nil; element = element.Next() {
		w := element.Value.(*Waiter[J])
		if q.short < q.maxShort || !q.isShort(w.Job) {
			return w
		}
	}
	return nil
}

// takeOthers removes those from the queue that are run in the same batch: an equal share
// for each connection that serves short reads.
func (q *Queue[J]) takeOthers() []*Waiter[J] {
	share := min(maxShared-1, q.waiting.Len()/q.maxShort)
	var others []*Waiter[J]
	for element := q.waiting.Front(); element != nil && len(others) < share; {
		w := element.Value.(*Waiter[J])
		element = element.Next()
		if q.isShort(w.Job) {
			q.remove(w)
			others = append(others, w)
		}
	}
	return others
}

// Observe updates the moving average of a statement's duration.
func (q *Queue[J]) Observe(s Shape, took time.Duration) {
	if len(s.SQL) > maxText {
		return
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	before, known := q.durations.Peek(s)
	if !known {
		before = took
	}
	q.durations.Add(s, before+(took-before)/4)
}

// Stats are the figures of a queue; all but Waiting count from the start.
type Stats struct {
	Waiting    int           // requests that wait for a connection
	Waits      uint64        // requests that had to wait
	Waited     time.Duration // … the sum of their waits
	Timeouts   uint64        // … that got no connection in time
	Batches    uint64        // round trips to the server
	Statements uint64        // jobs of these batches
}

// Stats returns the figures of the queue.
func (q *Queue[J]) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{
		Waiting: q.waiting.Len(), Timeouts: q.timeouts, Waits: q.counts.waits.Load(), Waited: time.Duration(q.counts.nanoseconds.Load()),
		Batches: q.counts.batches.Load(), Statements: q.counts.statements.Load(),
	}
}

// CountBatch counts a batch of some jobs.
func (q *Queue[J]) CountBatch(jobs int) {
	q.counts.batches.Add(1)
	q.counts.statements.Add(uint64(jobs))
}

// counters are updated without the queue's lock.
type counters struct {
	waits, batches, statements atomic.Uint64
	nanoseconds                atomic.Int64 // waited
}

func (c *counters) waited(since time.Time) {
	c.waits.Add(1)
	c.nanoseconds.Add(int64(time.Since(since)))
}
