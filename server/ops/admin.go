package ops

import (
	"context"
	"encoding/json"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Admin is the admin server. It is for operators and has no authentication, so its
// address must not be publicly reachable.
type Admin struct {
	Address func() net.Addr                // address of the main server; returns nil before it listens
	Ready   func(ctx context.Context) bool // reports whether the main server can serve requests
	Schema  func() any                     // returns the schema snapshot; nil without a data API
	Metrics prometheus.Gatherer
}

// Routes returns the handler of /live, /ready, /schema_cache and /metrics.
//
// Source: PostgREST's admin server.
func (a Admin) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(a.live())
	})
	mux.HandleFunc("GET /ready", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		status := a.live()
		if status == http.StatusOK && !a.Ready(ctx) {
			status = http.StatusServiceUnavailable
		}
		w.WriteHeader(status)
	})
	mux.HandleFunc("GET /schema_cache", func(w http.ResponseWriter, r *http.Request) {
		if a.Schema == nil {
			http.NotFound(w, r)
			return
		}
		if schema := a.Schema(); schema != nil {
			_ = json.NewEncoder(w).Encode(schema) // fails only if the client has disconnected
		}
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.Metrics, promhttp.HandlerOpts{}))
	return mux
}

// live returns 200 if the main server accepts connections, otherwise 500.
func (a Admin) live() int {
	address := a.Address()
	if address == nil {
		return http.StatusInternalServerError
	}
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		address = &net.TCPAddr{IP: loopback(tcp.IP), Port: tcp.Port}
	}
	conn, err := net.DialTimeout(address.Network(), address.String(), readyTimeout)
	if err != nil {
		return http.StatusInternalServerError
	}
	_ = conn.Close()
	return http.StatusOK
}

func loopback(unspecified net.IP) net.IP {
	if unspecified.To4() != nil {
		return net.IPv4(127, 0, 0, 1)
	}
	return net.IPv6loopback
}
