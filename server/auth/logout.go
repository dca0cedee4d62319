package auth

import "net/http"

// logout answers POST /logout.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	in, err := s.anyCaller(r)
	if err != nil {
		return err
	}
	if err := s.sessions.SignOut(r.Context(), in, r.URL.Query().Get("scope"), s.visitor(r)); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
