// Package beacon hears of pages by navigator.sendBeacon: small posts without an
// API key or a sign-in, whose answer nobody reads.
package beacon

import (
	"encoding/json"
	"net/http"
	"net/netip"

	"plaza/server/httpx"
	"plaza/server/project"
)

// Handler reads JSON of type T, at most maxBody bytes, and gives it to hear with
// the sender's address. Every beacon is answered alike, 204 and nothing else:
// what is no such JSON is not heard, and of an address that sends too many those
// beyond the limit are not looked at.
func Handler[T any](p project.Parts, maxBody int64, hear func(r *http.Request, from netip.Addr, told T)) http.Handler {
	limit := newLimit(p.Now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := httpx.ClientAddress(r, p.TrustedProxies)
		if limit.allow(from) {
			var told T
			if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&told) == nil {
				hear(r, from, told)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
