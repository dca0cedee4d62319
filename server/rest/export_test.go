package rest

// Shapes returns the number of cached read shapes.
func (s *Server) Shapes() int {
	shapes := s.state.Load().shapes
	shapes.mu.RLock()
	defer shapes.mu.RUnlock()
	return len(shapes.entries)
}
