package pg

import (
	"context"
	"time"
)

// watcher is the state of a call of Watch.
type watcher struct{ caughtUpIn *term } // the last term in which it read what it had missed; nil: none

// watch adds a watcher. The caller must call end.
func (f *failover) watch() (w *watcher, end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w = &watcher{}
	f.watchers[w] = struct{}{}
	return w, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, w)
		f.caughtUp.Wake()
	}
}

// setCaughtUp notes that a watcher has read in a term what it had missed.
func (f *failover) setCaughtUp(w *watcher, in *term) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.caughtUpIn = in
	f.caughtUp.Wake()
}

// countBehind returns how many watchers have caught up in an earlier term, but not in the current one.
func (f *failover) countBehind() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	current := f.term.Load()
	for w := range f.watchers {
		if w.caughtUpIn != nil && w.caughtUpIn != current {
			n++
		}
	}
	return n
}

// catchUp waits, for a limited time, until no watcher is behind. It returns how many still are.
func (f *failover) catchUp(ctx context.Context) (behind int) {
	ctx, cancel := context.WithTimeout(ctx, catchUpTimeout)
	defer cancel()
	for {
		behind = f.countBehind()
		if behind == 0 || ctx.Err() != nil {
			return behind
		}
		select {
		case <-ctx.Done():
		case <-f.caughtUp:
		}
	}
}

// track remembers a connection until it is closed.
func (f *failover) track(conn *guardedConn) {
	conn.closed = func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.open, conn)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open[conn] = time.Now()
}

// endUnresponsive ends the use of connections that were dialled before a time and whose server does not answer. Requests that
// wait on one fail now instead of after AnswerTimeout; reads are run again.
func (f *failover) endUnresponsive(before time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn, dialled := range f.open {
		if dialled.Before(before) {
			go conn.endIfUnresponsive()
		}
	}
}
