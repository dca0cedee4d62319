package ops

import (
	"maps"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"plaza/server/httpx"
)

// Requests counts what all services answer. Its labels take few values: a route is
// a pattern and never a path, a status its first digit.
//
// A request costs a look into a map that is never locked, and some additions. The
// series of a route begin with its first request.
type Requests struct {
	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.CounterVec
	sent     *prometheus.CounterVec
	inFlight *prometheus.GaugeVec

	known atomic.Pointer[map[answerKind]*answers]
	mu    sync.Mutex // held to add to known
}

// answerKind is what requests are counted apart by.
type answerKind struct {
	service, method, route string
	class                  int // first digit of the status; 0: nothing was sent
}

// answers are the series of a kind.
type answers struct {
	total          prometheus.Counter
	duration       prometheus.Observer
	received, sent prometheus.Counter
}

// durationBuckets are in seconds. A row by its key takes less than the first, a
// picture or a large upload seconds.
var durationBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// NewRequests makes counters that stand at nothing.
func NewRequests() *Requests {
	r := &Requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_requests_total", Help: "Requests answered, by the class of the status: 2xx and so on, none where nothing was sent.",
		}, []string{"service", "method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plaza_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer.", Buckets: durationBuckets,
		}, []string{"service", "method", "route"}),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_request_bytes_total", Help: "Bytes read of request bodies.",
		}, []string{"service", "route"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_response_bytes_total", Help: "Bytes written of response bodies.",
		}, []string{"service", "route"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "plaza_http_requests_in_flight", Help: "Requests being answered.",
		}, []string{"service"}),
	}
	r.known.Store(&map[answerKind]*answers{})
	return r
}

// Of stands before a service: what it answers is counted as its own.
func (r *Requests) Of(service string, next http.Handler) http.Handler {
	running := r.inFlight.WithLabelValues(service)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		running.Inc()
		defer running.Dec()
		httpx.NoteService(request.Context(), service)
		next.ServeHTTP(w, request)
	})
}

// Count takes in a request that is answered; it is an httpx.Write.
func (r *Requests) Count(request *http.Request, rec *httpx.Record, took time.Duration) {
	kind := answerKind{rec.Service, methodLabel(request.Method), rec.Route, rec.Status / 100}
	found, ok := (*r.known.Load())[kind]
	if !ok {
		found = r.add(kind)
	}
	found.total.Inc()
	found.duration.Observe(took.Seconds())
	found.received.Add(float64(rec.Received))
	found.sent.Add(float64(rec.Size))
}

// methodLabel tells the usual methods apart: a client may send any word.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// none is the label of what is missing: no service, no route, no status.
const none = "none"

func (r *Requests) add(kind answerKind) *answers {
	status := none
	if kind.class > 0 {
		status = strconv.Itoa(kind.class) + "xx"
	}
	service, route := orNone(kind.service), orNone(kind.route)
	made := &answers{
		total:    r.total.WithLabelValues(service, kind.method, route, status),
		duration: r.duration.WithLabelValues(service, kind.method, route),
		received: r.received.WithLabelValues(service, route), sent: r.sent.WithLabelValues(service, route),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := maps.Clone(*r.known.Load())
	known[kind] = made
	r.known.Store(&known)
	return made
}

func orNone(label string) string {
	if label == "" {
		return none
	}
	return label
}

// Describe lists the metrics, for Prometheus.
func (r *Requests) Describe(out chan<- *prometheus.Desc) {
	for _, one := range r.collectors() {
		one.Describe(out)
	}
}

// Collect reads the metrics, for Prometheus.
func (r *Requests) Collect(out chan<- prometheus.Metric) {
	for _, one := range r.collectors() {
		one.Collect(out)
	}
}

func (r *Requests) collectors() []prometheus.Collector {
	return []prometheus.Collector{r.total, r.duration, r.received, r.sent, r.inFlight}
}
