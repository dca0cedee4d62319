package realtime

import (
	"plaza/server/realtime/bus"
	"plaza/server/realtime/changes"
	"plaza/server/realtime/socket"
	"plaza/server/tally"
)

// counts are the counters since the start.
type counts struct {
	joins     tally.Of[string] // by outcome
	delivered tally.Of[string] // messages, by kind
}

// Stats are the counters of the server.
type Stats struct {
	Sockets   socket.Stats
	Channels  int               // joined now
	Joins     map[string]uint64 // by outcome: ok or refused
	Delivered map[string]uint64 // messages to channels, by kind: broadcast
	Changes   changes.Stats
	Bus       bus.Stats
}

// Stats returns the current counters.
func (s *Server) Stats() Stats {
	channels := 0
	for _, c := range s.snapshot() {
		c.mu.Lock()
		channels += len(c.channels)
		c.mu.Unlock()
	}
	stats := Stats{Sockets: s.sockets.Stats(), Channels: channels, Joins: s.counts.joins.All(), Delivered: s.counts.delivered.All(), Changes: s.changes.Stats()}
	if s.cluster != nil {
		stats.Bus = s.cluster.bus.Stats()
	}
	return stats
}

// State returns the state of table changes for operators: live, idle (no client listens), interrupted,
// or unavailable (the database does not allow logical replication).
func (s *Server) State() string { return s.changes.State() }
