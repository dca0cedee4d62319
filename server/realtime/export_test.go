package realtime

// Sweep ends the channels whose tokens are no longer valid, as Run does each second.
func (s *Server) Sweep() { s.sweep() }
