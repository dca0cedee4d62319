package pg

import (
	"container/list"
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// line is the queue for the connections of callers.
//
// Most requests are short reads, and more of them at once than there are cores
// make none of them faster. So only a few connections serve these, and those
// that wait for one share its next trip: one write and one read for several
// transactions spares both sides system calls and changes of process, as group
// commit spares writes to disk. All else takes any connection that is idle.
type line struct {
	patience time.Duration // how long a request waits
	enough   int           // connections for short reads at a time
	counts   lineCounts
	waiters  sync.Pool // those that have got their turn, for reuse

	mu      sync.Mutex
	idle    int                     // connections nobody holds
	short   int                     // connections short reads hold
	waiting list.List               // of *waiter
	watched bool                    // a look over it is to come
	took    map[shape]time.Duration // how long statements took lately
	vain    uint64                  // waits that ended without a connection
}

// Limits of the line.
const (
	// shortStatement is how long a statement may take to share a trip: those
	// behind it wait for it.
	shortStatement = time.Millisecond
	// shortPatience is how long a short read waits to share a trip while
	// connections are idle: those before it may be stuck at a lock.
	shortPatience = 20 * time.Millisecond
	// lookEvery is how exactly waits are ended.
	lookEvery = shortPatience / 2
	// maxShared bounds the jobs of one trip.
	maxShared = 8
	// maxTimed bounds the statements whose time is known; then all are forgotten.
	// What has a text longer than maxTimedText, in bytes, is never short.
	maxTimed     = 4096
	maxTimedText = 4096
)

func newLine(places int32, patience time.Duration) *line {
	return &line{
		patience: patience, idle: int(places), enough: runtime.GOMAXPROCS(0) + 1,
		took:    make(map[shape]time.Duration),
		waiters: sync.Pool{New: func() any { return &waiter{turn: make(chan turn, 1)} }},
	}
}

// waiter stands in line until it gets its turn.
type waiter struct {
	ctx   context.Context // of the request that waits
	job   *job            // nil for one that wants a connection to itself
	since time.Time
	turn  chan turn
	spot  *list.Element // nil once it has left the line
}

// turn is what the end of a wait brings.
type turn struct {
	conn   *pgxpool.Conn // nil: take one from the pool
	short  bool          // the place is one of those for short reads
	riders []*waiter     // whose jobs go along
	done   bool          // the job was done by another: it rode along
	err    error         // why there is none
}

// wait stands in line.
//
// Errors: ErrBusy, or ctx's.
func (l *line) wait(ctx context.Context, j *job) (turn, error) {
	l.mu.Lock()
	short := l.isShort(j)
	if l.idle > 0 && !(short && l.short >= l.enough) {
		l.idle--
		l.take(short)
		l.mu.Unlock()
		return turn{short: short}, nil
	}
	w := l.waiters.Get().(*waiter)
	w.ctx, w.job, w.since = ctx, j, time.Now()
	w.spot = l.waiting.PushBack(w)
	l.look()
	l.mu.Unlock()

	t := <-w.turn
	l.counts.wait(w.since)
	w.ctx, w.job = nil, nil
	l.waiters.Put(w)
	return t, t.err
}

// look has the line looked over after a while. One timer for all who wait costs
// less than one for each.
func (l *line) look() {
	if !l.watched {
		l.watched = true
		time.AfterFunc(lookEvery, l.lookOver)
	}
}

// lookOver sends those away who have waited too long, or whose client has gone,
// and lets short reads that have waited for a shared trip take an idle connection.
func (l *line) lookOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	var next *list.Element
	for spot := l.waiting.Front(); spot != nil; spot = next {
		next = spot.Next()
		w := spot.Value.(*waiter)
		waited := now.Sub(w.since)
		switch err := w.ctx.Err(); {
		case err != nil:
			l.end(w, turn{err: err})
		case waited >= l.patience:
			l.vain++
			l.end(w, turn{err: ErrBusy})
		case waited >= shortPatience && l.idle > 0:
			l.idle--
			l.end(w, turn{})
		}
	}
	l.watched = false
	if l.waiting.Len() > 0 {
		l.look()
	}
}

// end takes a waiter out of the line and gives it its turn.
func (l *line) end(w *waiter, t turn) {
	l.remove(w)
	w.turn <- t
}

func (l *line) stats() (waiting int, vain uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting.Len(), l.vain
}

func (l *line) remove(w *waiter) {
	l.waiting.Remove(w.spot)
	w.spot = nil
}

func (l *line) take(short bool) {
	if short {
		l.short++
	}
}

// isShort tells whether a job may share a trip. Only reads may, since a write
// can wait for a lock; and only those known to be short.
func (l *line) isShort(j *job) bool {
	if j == nil || !j.set.ReadOnly || j.set.Rollback || j.set.Verify != nil {
		return false
	}
	took := l.took[j.shape()]
	return took > 0 && took < shortStatement
}

// pass gives a place to the next in line, with the connection that goes with it,
// if there is one. It tells whether somebody took it.
func (l *line) pass(conn *pgxpool.Conn, short bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if short {
		l.short--
	}
	next := l.next()
	if next == nil {
		l.idle++
		return false
	}
	l.remove(next)
	t := turn{conn: conn, short: l.isShort(next.job)}
	l.take(t.short)
	if t.short && conn != nil {
		t.riders = l.riders()
	}
	next.turn <- t
	return true
}

// next is who gets a place that is free: the first, unless it is a short read
// and enough of these are under way.
func (l *line) next() *waiter {
	for spot := l.waiting.Front(); spot != nil; spot = spot.Next() {
		w := spot.Value.(*waiter)
		if l.short < l.enough || !l.isShort(w.job) {
			return w
		}
	}
	return nil
}

// riders takes those out of the line that go along: as many as leave the same to
// each connection.
func (l *line) riders() []*waiter {
	share := min(maxShared-1, l.waiting.Len()/l.enough)
	var riders []*waiter
	for spot := l.waiting.Front(); spot != nil && len(riders) < share; {
		w := spot.Value.(*waiter)
		spot = spot.Next()
		if l.isShort(w.job) {
			l.remove(w)
			riders = append(riders, w)
		}
	}
	return riders
}

// note remembers how long a statement took, as a moving average.
func (l *line) note(s shape, now time.Duration) {
	if len(s.sql) > maxTimedText {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.took) >= maxTimed {
		clear(l.took)
	}
	before, known := l.took[s]
	if !known {
		before = now
	}
	l.took[s] = before + (now-before)/4
}
