package httpx

import (
	"net/http"
	"slices"
	"strings"
)

// corsMaxAge is how long a browser may cache a preflight response, in seconds.
// Source: PostgREST sends 86400.
const corsMaxAge = "86400"

var anyOrigin = []string{"*"}

// CORS lets pages of any origin call the API and read the exposed response headers. This is safe
// because credentials are sent in headers, never in cookies.
func CORS(exposed []string, next http.Handler) http.Handler {
	return CORSFrom(exposed, func() []string { return nil }, next)
}

// CORSFrom is CORS for some origins only. An empty list means all origins.
//
// Source: preflight responses are the same as PostgREST's.
func CORSFrom(exposed []string, origins func() []string, next http.Handler) http.Handler {
	expose := strings.Join(exposed, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		origin := r.Header.Get("Origin")
		if allowed := allowOrigin(header, origin, origins()); !allowed || origin == "" {
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

// allowOrigin reports whether pages of an origin may call the API, and sets the headers for the browser.
func allowOrigin(header http.Header, origin string, origins []string) bool {
	if len(origins) == 0 {
		header["Access-Control-Allow-Origin"] = anyOrigin
		return true
	}
	header.Add("Vary", "Origin")
	if !slices.Contains(origins, origin) {
		return false
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Credentials", "true")
	return true
}
