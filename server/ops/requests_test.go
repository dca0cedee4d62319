package ops_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"plaza/server/httpx"
	"plaza/server/ops"
)

// observed is an instrumented service with one route.
func observed() (*ops.Requests, http.Handler) {
	requests := ops.NewRequests()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.CopyN(io.Discard, r.Body, 4)
		_, _ = io.WriteString(w, "answer")
	})
	mux.HandleFunc("GET /broken", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	return requests, httpx.Observe(slog.New(slog.DiscardHandler), time.Now, requests.Instrument("things", mux), requests.Count)
}

func TestLabelsTakeFewValues(t *testing.T) {
	t.Parallel()
	requests, handler := observed()
	for i := range 20 {
		path := "/things/" + strconv.Itoa(i)
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, path, strings.NewReader("123456")))
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("METHOD"+strconv.Itoa(i), path+"/x", nil))
	}
	func() {
		defer func() { _ = recover() }() // as net/http does
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/broken", nil))
	}()
	const want = `
# HELP plaza_http_request_bytes_total Bytes read of request bodies.
# TYPE plaza_http_request_bytes_total counter
plaza_http_request_bytes_total{route="/broken",service="things"} 0
plaza_http_request_bytes_total{route="/things/{id}",service="things"} 80
plaza_http_request_bytes_total{route="none",service="things"} 0
# HELP plaza_http_requests_in_flight Requests in progress.
# TYPE plaza_http_requests_in_flight gauge
plaza_http_requests_in_flight{service="things"} 0
# HELP plaza_http_requests_total Requests by status class: 2xx and so on, none if nothing was sent.
# TYPE plaza_http_requests_total counter
plaza_http_requests_total{method="GET",route="/broken",service="things",status="none"} 1
plaza_http_requests_total{method="POST",route="/things/{id}",service="things",status="2xx"} 20
plaza_http_requests_total{method="other",route="none",service="things",status="4xx"} 20
`
	if err := testutil.CollectAndCompare(requests, strings.NewReader(want),
		"plaza_http_requests_total", "plaza_http_request_bytes_total", "plaza_http_requests_in_flight"); err != nil {
		t.Error(err)
	}
}

// Counting a request of a known kind does not allocate. This test is not parallel,
// because allocations of other tests would be counted.
func TestCountingAllocatesNothing(t *testing.T) {
	requests := ops.NewRequests()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	rec := &httpx.Record{Service: "things", Route: "/things/{id}", Status: 200, Size: 10}
	count := func() { requests.Count(r, rec, time.Millisecond) }
	count()
	if made := testing.AllocsPerRun(100, count); made != 0 {
		t.Errorf("%v allocations for a request", made)
	}
}

func BenchmarkCount(b *testing.B) {
	requests := ops.NewRequests()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	rec := &httpx.Record{Service: "rest", Route: "/rest/v1/{table}", Status: 200, Size: 10}
	for b.Loop() {
		requests.Count(r, rec, time.Millisecond)
	}
}
