// Package session marks sessions as closing when their page closes.
package session

import (
	"net/http"
	"net/netip"

	"plaza/functions/beacon"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/project"
)

// maxBody is the largest beacon read, in bytes: a token in a JSON object.
const maxBody = 1 << 10

// cleanup marks the session of a token as closing. The session ends if no activity follows.
const cleanup = `select public.session_cleanup($1)`

// request is the body of a beacon.
type request struct {
	SessionToken string `json:"sessionToken"`
}

// Cleanup handles POST /api/session-cleanup, a beacon that a page sends when it closes
// (AUTH-24, FN-13, S-19).
func Cleanup(p project.Parts) http.Handler {
	return beacon.Handler(p, maxBody, func(r *http.Request, _ netip.Addr, body request) {
		if body.SessionToken == "" {
			return
		}
		_, err := p.DB.QueryAsCaller(r.Context(), claims.ForRole(claims.Anon), pg.Settings{},
			pg.Statement{SQL: cleanup, Args: [][]byte{[]byte(body.SessionToken)}}, func([][]byte) error { return nil })
		if err != nil {
			p.Log.WarnContext(r.Context(), "session was not marked as closing", "error", err)
		}
	})
}
