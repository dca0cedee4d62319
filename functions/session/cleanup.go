// Package session hears of pages that are leaving.
package session

import (
	"encoding/json"
	"net/http"

	"plaza/server/claims"
	"plaza/server/httpx"
	"plaza/server/pg"
	"plaza/server/project"
)

// maxBody is the largest beacon read, in bytes: a token and what is around it.
const maxBody = 1 << 10

// cleanup marks the session of a token as closing; it ends when no activity follows.
const cleanup = `select public.session_cleanup($1)`

// Cleanup answers POST /api/session-cleanup, which a page sends when it leaves
// (AUTH-24, FN-13): a beacon, so without an API key or a sign-in. Whatever it
// brings is answered alike; of an address that sends too many, those beyond the
// limit are not looked at (S-19).
func Cleanup(p project.Parts) http.Handler {
	db, log, limit := p.DB, p.Log, newLimit(p.Now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !limit.allow(httpx.ClientAddress(r, p.TrustedProxies)) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		var beacon struct {
			SessionToken string `json:"sessionToken"`
		}
		body := http.MaxBytesReader(w, r.Body, maxBody)
		if err := json.NewDecoder(body).Decode(&beacon); err == nil && beacon.SessionToken != "" {
			_, err := db.QueryAsCaller(r.Context(), claims.ForRole(claims.Anon), pg.Settings{},
				pg.Statement{SQL: cleanup, Args: [][]byte{[]byte(beacon.SessionToken)}}, func([][]byte) error { return nil })
			if err != nil {
				log.WarnContext(r.Context(), "a page's leaving was not noted", "error", err)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
