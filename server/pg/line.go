package pg

import (
	"container/list"
	"context"
	"errors"
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

	mu      sync.Mutex
	idle    int                     // connections nobody holds
	short   int                     // connections short reads hold
	waiting list.List               // of *waiter
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
		took: make(map[shape]time.Duration),
	}
}

// waiter stands in line until it gets its turn.
type waiter struct {
	job  *job // nil for one that wants a connection to itself
	turn chan turn
	spot *list.Element // nil once it has left the line
}

// turn is what the end of a wait brings.
type turn struct {
	conn   *pgxpool.Conn // nil: take one from the pool
	short  bool          // the place is one of those for short reads
	riders []*waiter     // whose jobs go along
	done   bool          // the job was done by another: it rode along
}

// wait stands in line. A request that need not wait sets no timer.
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
	w := &waiter{job: j, turn: make(chan turn, 1)}
	w.spot = l.waiting.PushBack(w)
	l.mu.Unlock()

	defer l.counts.wait(time.Now())
	patience := l.patience
	if short {
		patience = min(patience, shortPatience)
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	for {
		select {
		case t := <-w.turn:
			return t, nil
		case <-timer.C:
			if !short {
				return l.leave(w, ErrBusy)
			}
			if l.takeIdle(w) {
				return turn{}, nil
			}
			short = false
			timer.Reset(l.patience - patience)
		case <-ctx.Done():
			return l.leave(w, ctx.Err())
		}
	}
}

// takeIdle gives up sharing for an idle connection.
func (l *line) takeIdle(w *waiter) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if w.spot == nil || l.idle == 0 {
		return false
	}
	l.remove(w)
	l.idle--
	return true
}

// leave gives up, unless the turn came at that moment: it may not be lost, and a
// job that rides along is under way.
func (l *line) leave(w *waiter, reason error) (turn, error) {
	l.mu.Lock()
	waiting := w.spot != nil
	if waiting {
		l.remove(w)
		if errors.Is(reason, ErrBusy) {
			l.vain++
		}
	}
	l.mu.Unlock()
	if waiting {
		return turn{}, reason
	}
	return <-w.turn, nil
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
