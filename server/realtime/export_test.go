package realtime

import "time"

// Sweep ends the channels whose tokens are no longer valid, as Run does each second.
func (s *Server) Sweep() { s.sweep() }

// SetResubscribePause replaces resubscribePause.
func (s *Server) SetResubscribePause(pause time.Duration) { s.resubscribePause = pause }
