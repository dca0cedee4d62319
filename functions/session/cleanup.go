// Package session hears of pages that are leaving.
package session

import (
	"net/http"
	"net/netip"

	"plaza/functions/beacon"
	"plaza/server/claims"
	"plaza/server/pg"
	"plaza/server/project"
)

// maxBody is the largest beacon read, in bytes: a token and what is around it.
const maxBody = 1 << 10

// cleanup marks the session of a token as closing; it ends when no activity follows.
const cleanup = `select public.session_cleanup($1)`

// leaving is what a page sends.
type leaving struct {
	SessionToken string `json:"sessionToken"`
}

// Cleanup answers POST /api/session-cleanup, a beacon that a page sends when it
// leaves (AUTH-24, FN-13, S-19).
func Cleanup(p project.Parts) http.Handler {
	return beacon.Handler(p, maxBody, func(r *http.Request, _ netip.Addr, page leaving) {
		if page.SessionToken == "" {
			return
		}
		_, err := p.DB.QueryAsCaller(r.Context(), claims.ForRole(claims.Anon), pg.Settings{},
			pg.Statement{SQL: cleanup, Args: [][]byte{[]byte(page.SessionToken)}}, func([][]byte) error { return nil })
		if err != nil {
			p.Log.WarnContext(r.Context(), "a page's leaving was not noted", "error", err)
		}
	})
}
