package realtime

import (
	"sync"
	"sync/atomic"
	"time"
)

// rateWindow is the number of seconds over which rates are averaged.
const rateWindow = 60

// rate limits the events per second on all servers together, averaged over the last minute. Without a
// limit it counts nothing.
type rate struct {
	limit  int
	now    func() time.Time
	others atomic.Int64 // the rate of the other servers

	mu      sync.Mutex
	first   int64 // second of the first event
	last    int64 // second of the newest bucket
	buckets [rateWindow]int
	sum     int
}

func newRate(limit int, now func() time.Time) *rate { return &rate{limit: limit, now: now} }

// add counts events and reports whether the limit is exceeded.
func (r *rate) add(events int) (exceeded bool) {
	if r.limit == 0 {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance()
	r.buckets[r.last%rateWindow] += events
	r.sum += events
	return r.mean()+int(r.others.Load()) > r.limit
}

// advance drops the buckets that are older than the window.
func (r *rate) advance() {
	second := r.now().Unix()
	if r.first == 0 {
		r.first, r.last = second, second
	}
	for passed := 0; r.last < second && passed < rateWindow; passed++ {
		r.last++
		r.sum -= r.buckets[r.last%rateWindow]
		r.buckets[r.last%rateWindow] = 0
	}
	r.last = max(r.last, second)
}

func (r *rate) mean() int {
	return r.sum / int(min(r.last-r.first+1, rateWindow))
}

// callLimiter limits the calls of one channel in a window.
type callLimiter struct{ times []time.Time }

// add counts a call and reports whether there are more than limit in the window.
func (c *callLimiter) add(now time.Time, limit int, window time.Duration) (exceeded bool) {
	if limit == 0 {
		return false
	}
	first := 0
	for first < len(c.times) && now.Sub(c.times[first]) >= window {
		first++
	}
	c.times = append(c.times[first:], now)
	return len(c.times) > limit
}

// current returns the rate of all servers.
func (r *rate) current() int { return r.own() + int(r.others.Load()) }

// own returns the rate of this server.
func (r *rate) own() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.advance()
	return r.mean()
}

// usage is how much a server uses of the limits that all servers share.
type usage struct {
	Users     int `json:"u,omitempty"` // connections
	Events    int `json:"e,omitempty"` // per second, as all below
	Joins     int `json:"j,omitempty"`
	Presences int `json:"p,omitempty"`
}

func (u usage) plus(other usage) usage {
	return usage{u.Users + other.Users, u.Events + other.Events, u.Joins + other.Joins, u.Presences + other.Presences}
}

// usage returns what this server uses.
func (s *Server) usage() usage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return usage{len(s.clients), s.events.own(), s.joins.own(), s.presences.own()}
}

// setOthers sets what the other servers use together.
func (s *Server) setOthers(u usage) {
	s.events.others.Store(int64(u.Events))
	s.joins.others.Store(int64(u.Joins))
	s.presences.others.Store(int64(u.Presences))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.otherUsers = u.Users
}
