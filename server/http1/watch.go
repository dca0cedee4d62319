package http1

import "time"

// watchEvery is how often the connections of running requests are checked. A client that
// disconnects is noticed after two checks at most.
const watchEvery = 50 * time.Millisecond

// watch starts the goroutine that checks connections, unless it is running.
func (s *Server) watch() {
	if !s.watching.Load() && s.watching.CompareAndSwap(false, true) {
		go s.watchClients()
	}
}

// watchClients cancels requests whose clients have disconnected, until none is served.
func (s *Server) watchClients() {
	for {
		time.Sleep(watchEvery)
		if s.cancelAbandoned() > 0 {
			continue
		}
		s.watching.Store(false)
		// A request may have started that saw this watcher still running.
		if s.cancelAbandoned() == 0 || !s.watching.CompareAndSwap(false, true) {
			return
		}
	}
}

// cancelAbandoned checks the requests that were already running at the last check. It
// returns the number of all running requests.
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
