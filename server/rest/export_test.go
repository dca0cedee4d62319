package rest

// Shapes counts the reads that are remembered by their shape.
func (s *Server) Shapes() int {
	shapes := s.state.Load().shapes
	shapes.mu.RLock()
	defer shapes.mu.RUnlock()
	return len(shapes.entries)
}
