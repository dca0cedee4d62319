package auth

import (
	"fmt"
	"net/http"

	"plaza/server/auth/keys"
	"plaza/server/httpx"
)

// keySet answers GET /.well-known/jwks.json. The shared secret is in no key set.
func (s *Server) keySet(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Cache-Control", fmt.Sprintf("public, max-age=%d", int(keys.MaxAge.Seconds())))
	return httpx.WriteJSON(w, http.StatusOK, s.deps.Auth.Verifier.Ring().JWKS())
}
