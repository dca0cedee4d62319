package pg

import (
	"context"
	"time"
)

// watcher is a call of Watch.
type watcher struct{ current *session } // in which it has read what it missed; nil: none

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

// setCurrent notes that a watcher has read in a session what it missed.
func (f *failover) setCurrent(w *watcher, s *session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w.current = s
	f.caughtUp.Wake()
}

// behind returns how many watchers have caught up in an old session and not since.
func (f *failover) behind() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.session.Load()
	for w := range f.watchers {
		if w.current != nil && w.current != now {
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
		behind = f.behind()
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

// endSilent breaks the connections dialled before a time whose server does not answer. Of the requests that wait for one, reads
// are run again and writes fail: they would otherwise after AnswerTimeout.
func (f *failover) endSilent(before time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for conn, dialled := range f.open {
		if dialled.Before(before) {
			go conn.endIfSilent()
		}
	}
}
