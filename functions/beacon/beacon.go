// Package beacon receives what pages send by navigator.sendBeacon: small POST requests
// without an API key or a user token, whose response nobody reads.
package beacon

import (
	"encoding/json"
	"net/http"
	"net/netip"

	"plaza/server/httpx"
	"plaza/server/project"
)

// Handler decodes JSON of type T, at most maxBody bytes, and passes it to handle with
// the client's address. The response is always an empty 204: invalid JSON is ignored,
// and so are the beacons of an address beyond its rate limit.
func Handler[T any](p project.Parts, maxBody int64, handle func(r *http.Request, from netip.Addr, body T)) http.Handler {
	limiter := newLimiter(p.Now)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from := httpx.ClientAddress(r, p.TrustedProxies)
		if limiter.allow(from) {
			var body T
			if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&body) == nil {
				handle(r, from, body)
			}
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
