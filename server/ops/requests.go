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

// Requests counts the requests of all services. Its labels have few values: the route
// is a pattern rather than a path, and the status is only its first digit.
//
// Counting a request takes a map lookup without a lock and a few additions. The series
// of a route are created at its first request.
type Requests struct {
	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec
	received *prometheus.CounterVec
	sent     *prometheus.CounterVec
	inFlight *prometheus.GaugeVec

	known atomic.Pointer[map[seriesKey]*series] // copied on write
	mu    sync.Mutex                            // held while known is replaced
}

// seriesKey holds the values of the labels.
type seriesKey struct {
	service, method, route string
	class                  int // first digit of the status; 0 if nothing was sent
}

// series holds the series of a key.
type series struct {
	total          prometheus.Counter
	duration       prometheus.Observer
	received, sent prometheus.Counter
}

// durationBuckets holds the histogram buckets in seconds. Reading a row by its key takes
// less than the first; transforming an image or a large upload takes seconds.
var durationBuckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}

// NewRequests returns a Requests without series.
func NewRequests() *Requests {
	r := &Requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_requests_total", Help: "Requests by status class: 2xx and so on, none if nothing was sent.",
		}, []string{"service", "method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plaza_http_request_duration_seconds", Help: "Time from a request's headers to the end of its response.", Buckets: durationBuckets,
		}, []string{"service", "method", "route"}),
		received: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_request_bytes_total", Help: "Bytes read of request bodies.",
		}, []string{"service", "route"}),
		sent: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plaza_http_response_bytes_total", Help: "Bytes written of response bodies.",
		}, []string{"service", "route"}),
		inFlight: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "plaza_http_requests_in_flight", Help: "Requests in progress.",
		}, []string{"service"}),
	}
	r.known.Store(&map[seriesKey]*series{})
	return r
}

// Instrument returns a handler that counts the requests of next under the name of a service.
func (r *Requests) Instrument(service string, next http.Handler) http.Handler {
	running := r.inFlight.WithLabelValues(service)
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		running.Inc()
		defer running.Dec()
		httpx.RecordService(request.Context(), service)
		next.ServeHTTP(w, request)
	})
}

// Count counts a finished request. It is an httpx.Observer.
func (r *Requests) Count(request *http.Request, rec *httpx.Record, took time.Duration) {
	key := seriesKey{rec.Service, methodLabel(request.Method), rec.Route, rec.Status / 100}
	s, ok := (*r.known.Load())[key]
	if !ok {
		s = r.add(key)
	}
	s.total.Inc()
	s.duration.Observe(took.Seconds())
	s.received.Add(float64(rec.Received))
	s.sent.Add(float64(rec.Size))
}

// methodLabel returns the label of a method. Clients may send any method, so all
// unusual ones share a label.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// none is the label for a missing service, route or status.
const none = "none"

func (r *Requests) add(key seriesKey) *series {
	status := none
	if key.class > 0 {
		status = strconv.Itoa(key.class) + "xx"
	}
	service, route := orNone(key.service), orNone(key.route)
	created := &series{
		total:    r.total.WithLabelValues(service, key.method, route, status),
		duration: r.duration.WithLabelValues(service, key.method, route),
		received: r.received.WithLabelValues(service, route), sent: r.sent.WithLabelValues(service, route),
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known := maps.Clone(*r.known.Load())
	known[key] = created
	r.known.Store(&known)
	return created
}

func orNone(label string) string {
	if label == "" {
		return none
	}
	return label
}

// Describe implements prometheus.Collector.
func (r *Requests) Describe(out chan<- *prometheus.Desc) {
	for _, one := range r.collectors() {
		one.Describe(out)
	}
}

// Collect implements prometheus.Collector.
func (r *Requests) Collect(out chan<- prometheus.Metric) {
	for _, one := range r.collectors() {
		one.Collect(out)
	}
}

func (r *Requests) collectors() []prometheus.Collector {
	return []prometheus.Collector{r.total, r.duration, r.received, r.sent, r.inFlight}
}
