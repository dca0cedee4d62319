// Package session hears of pages that are leaving.
package session

import (
	"encoding/json"
	"log/slog"
	"net/http"

	"plaza/server/claims"
	"plaza/server/pg"
)

// maxBody is the largest beacon read, in bytes: a token and what is around it.
const maxBody = 1 << 10

// cleanup marks the session of a token as closing; it ends when no activity follows.
const cleanup = `select public.session_cleanup($1)`

// Cleanup answers POST /api/session-cleanup, which a page sends when it leaves
// (AUTH-24): a beacon, so without an API key or a sign-in. Whatever it brings is
// answered alike (S-19).
func Cleanup(db *pg.DB, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
