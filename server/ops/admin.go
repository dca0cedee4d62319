package ops

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/common/expfmt"
)

// Admin is what the admin server tells of a data API.
type Admin struct {
	Address net.Addr                       // of the main server
	Ready   func(ctx context.Context) bool // whether it can answer
	Schema  func() any                     // its picture of the schema; nil while there is none
	Metrics func() Metrics
}

// Metrics are numbers of the data API; all but gauges count from the start.
type Metrics struct {
	PoolTimeouts                             float64
	PoolMax, PoolAvailable, PoolWaiting      float64 // gauges
	SchemaLoads, SchemaFailures              float64
	SchemaSeconds                            float64 // gauge: of the last reading
	TokenLookups, TokenHits, TokensForgotten float64
}

// Routes serves /live, /ready, /schema_cache and /metrics.
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
	mux.HandleFunc("GET /schema_cache", func(w http.ResponseWriter, _ *http.Request) {
		if schema := a.Schema(); schema != nil {
			_ = json.NewEncoder(w).Encode(schema) // fails only where the client has gone
		}
	})
	registry := prometheus.NewRegistry()
	registry.MustRegister(a, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) { serveMetrics(w, registry) })
	return mux
}

// live tells whether the main server takes connections.
func (a Admin) live() int {
	address := a.Address
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

func loopback(any net.IP) net.IP {
	if any.To4() != nil {
		return net.IPv4(127, 0, 0, 1)
	}
	return net.IPv6loopback
}

func serveMetrics(w http.ResponseWriter, registry *prometheus.Registry) {
	families, err := registry.Gather()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	var text bytes.Buffer
	for _, family := range families {
		if _, err := expfmt.MetricFamilyToText(&text, family); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(text.Bytes())
}

// The names are PostgREST's.
var (
	poolTimeouts  = prometheus.NewDesc("pgrst_db_pool_timeouts_total", "The total number of pool connection timeouts", nil, nil)
	poolAvailable = prometheus.NewDesc("pgrst_db_pool_available", "Available connections in the pool", nil, nil)
	poolWaiting   = prometheus.NewDesc("pgrst_db_pool_waiting", "Requests waiting to acquire a pool connection", nil, nil)
	poolMax       = prometheus.NewDesc("pgrst_db_pool_max", "Max pool connections", nil, nil)
	schemaLoads   = prometheus.NewDesc("pgrst_schema_cache_loads_total", "The total number of times the schema cache was loaded", []string{"status"}, nil)
	schemaSeconds = prometheus.NewDesc("pgrst_schema_cache_query_time_seconds", "The query time in seconds of the last schema cache load", nil, nil)
	tokenLookups  = prometheus.NewDesc("pgrst_jwt_cache_requests_total", "The total number of JWT cache lookups", nil, nil)
	tokenHits     = prometheus.NewDesc("pgrst_jwt_cache_hits_total", "The total number of JWT cache hits", nil, nil)
	tokensGone    = prometheus.NewDesc("pgrst_jwt_cache_evictions_total", "The total number of JWT cache evictions", nil, nil)
)

// Describe lists the metrics, for Prometheus.
func (a Admin) Describe(out chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{
		poolTimeouts, poolAvailable, poolWaiting, poolMax, schemaLoads, schemaSeconds, tokenLookups, tokenHits, tokensGone,
	} {
		out <- desc
	}
}

// Collect reads the metrics, for Prometheus: only when it asks, so that requests
// pay for no more than the counters they keep anyway.
func (a Admin) Collect(out chan<- prometheus.Metric) {
	m := a.Metrics()
	count := func(desc *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.CounterValue, value, labels...)
	}
	gauge := func(desc *prometheus.Desc, value float64) {
		out <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value)
	}
	count(poolTimeouts, m.PoolTimeouts)
	gauge(poolAvailable, m.PoolAvailable)
	gauge(poolWaiting, m.PoolWaiting)
	gauge(poolMax, m.PoolMax)
	count(schemaLoads, m.SchemaLoads, "SUCCESS")
	count(schemaLoads, m.SchemaFailures, "FAIL")
	gauge(schemaSeconds, m.SchemaSeconds)
	count(tokenLookups, m.TokenLookups)
	count(tokenHits, m.TokenHits)
	count(tokensGone, m.TokensForgotten)
}
