package httpx

import (
	"net/http"
	"strings"
)

// corsMaxAge is how long a browser may remember a preflight's answer, in seconds.
// Source: PostgREST answers 86400.
const corsMaxAge = "86400"

// CORS lets pages of other origins call the API. Credentials travel in headers,
// never in cookies, so any origin may ask.
func CORS(exposed []string, next http.Handler) http.Handler {
	expose := strings.Join(exposed, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if origin == "" {
			next.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		asked := r.Header.Get("Access-Control-Request-Method")
		if r.Method != http.MethodOptions || asked == "" {
			header.Set("Access-Control-Expose-Headers", expose)
			next.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD")
		header.Set("Access-Control-Max-Age", corsMaxAge)
		if wanted := r.Header.Get("Access-Control-Request-Headers"); wanted != "" {
			header.Set("Access-Control-Allow-Headers", wanted)
			header.Add("Vary", "Access-Control-Request-Headers")
		}
		w.WriteHeader(http.StatusNoContent)
	})
}
