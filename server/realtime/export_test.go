package realtime

import "time"

// Sweep ends the channels whose tokens are no longer valid, as Run does each second.
func (s *Server) Sweep() { s.sweep() }

// SetResubscribePause replaces resubscribePause.
func (s *Server) SetResubscribePause(pause time.Duration) { s.resubscribePause = pause }

// Members returns how many channels have joined a public topic.
func (s *Server) Members(name string) int {
	r := s.rooms.get(roomKey{name, false})
	if r == nil {
		return 0
	}
	return len(r.copyMembers())
}
