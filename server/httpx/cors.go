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
//
// Source: the answers to preflights are PostgREST's.
func CORS(exposed []string, next http.Handler) http.Handler {
	expose := strings.Join(exposed, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		if r.Header.Get("Origin") == "" {
			next.ServeHTTP(w, r)
			return
		}
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			header.Set("Access-Control-Expose-Headers", expose)
			next.ServeHTTP(w, r)
			return
		}
		allowed := []string{"Authorization"}
		for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
			if name = strings.TrimSpace(name); name != "" {
				allowed = append(allowed, name)
			}
		}
		allowed = append(allowed, "Accept", "Accept-Language", "Content-Language")
		header.Set("Access-Control-Allow-Headers", strings.Join(allowed, ", "))
		header.Set("Access-Control-Allow-Methods", "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD")
		header.Set("Access-Control-Max-Age", corsMaxAge)
		header.Add("Vary", "Access-Control-Request-Headers")
		w.WriteHeader(http.StatusOK)
	})
}
