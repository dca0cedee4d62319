package http1

import (
	"syscall"
	"time"
)

// watchEvery is how often clients of running requests are looked after. One that
// leaves is seen after two turns at most.
const watchEvery = 50 * time.Millisecond

// watch sees to it that there is a watcher while requests are served.
func (s *Server) watch() {
	if !s.watching.Load() && s.watching.CompareAndSwap(false, true) {
		go s.watchClients()
	}
}

// watchClients cancels requests whose clients have gone, until none is served.
func (s *Server) watchClients() {
	for {
		time.Sleep(watchEvery)
		if s.cancelAbandoned() > 0 {
			continue
		}
		s.watching.Store(false)
		// One may have begun that saw this watcher still at work.
		if s.cancelAbandoned() == 0 || !s.watching.CompareAndSwap(false, true) {
			return
		}
	}
}

// cancelAbandoned looks at the requests that were there at the last turn already,
// and gives the number of all.
func (s *Server) cancelAbandoned() (served int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		w := c.serving.Load()
		if w == nil || w == ended {
			continue
		}
		served++
		if w.seen.Swap(true) && c.abandoned() {
			w.cancel()
		}
	}
	return served
}

// abandoned reports whether the other side has closed the connection. What it sent
// before, such as another request, hides that, as it does in net/http.
func (c *conn) abandoned() bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	count, failed := 0, error(nil)
	err = raw.Control(func(socket uintptr) {
		var next [1]byte
		count, _, failed = syscall.Recvfrom(int(socket), next[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	switch {
	case err != nil:
		return true // closed here
	case failed != nil:
		return failed != syscall.EAGAIN && failed != syscall.EINTR // a plain number: errno is never wrapped
	}
	return count == 0
}
