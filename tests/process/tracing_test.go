package process

import (
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	otlp "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver is a trace collector: it accepts OTLP over HTTP.
type receiver struct {
	url string

	mu      sync.Mutex
	spans   []*otlp.Span
	service string
	came    chan struct{}
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{came: make(chan struct{}, 1000)}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if request.URL.Path != "/v1/traces" || request.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("the collector is sent %s as %s", request.URL.Path, request.Header.Get("Content-Type"))
		}
		var body io.Reader = request.Body
		if request.Header.Get("Content-Encoding") == "gzip" {
			unpacked, err := gzip.NewReader(body)
			if err != nil {
				t.Error(err)
				return
			}
			body = unpacked
		}
		text, err := io.ReadAll(body)
		var sent collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(text, &sent) != nil {
			t.Errorf("the collector cannot read what it is sent: %v", err)
		}
		r.take(&sent)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(web.Close)
	r.url = web.URL
	return r
}

func (r *receiver) take(sent *collector.ExportTraceServiceRequest) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, of := range sent.GetResourceSpans() {
		for _, attribute := range of.GetResource().GetAttributes() {
			if attribute.GetKey() == "service.name" {
				r.service = attribute.GetValue().GetStringValue()
			}
		}
		for _, scope := range of.GetScopeSpans() {
			r.spans = append(r.spans, scope.GetSpans()...)
		}
	}
	r.came <- struct{}{}
}

// trace waits until the span of a request has arrived, the last of its trace, and returns all of
// them.
func (r *receiver) trace(t *testing.T, id string) (request *otlp.Span, all []*otlp.Span) {
	t.Helper()
	for {
		r.mu.Lock()
		all = nil
		for _, span := range r.spans {
			if hex.EncodeToString(span.GetTraceId()) == id {
				all = append(all, span)
				if span.GetKind() == otlp.Span_SPAN_KIND_SERVER {
					request = span
				}
			}
		}
		r.mu.Unlock()
		if request != nil {
			return request, all
		}
		select {
		case <-r.came:
		case <-t.Context().Done():
			t.Fatalf("no trace %s came", id)
		}
	}
}

// intAttribute returns an attribute of a span; -1 if it is missing.
func intAttribute(span *otlp.Span, key string) int64 {
	for _, attribute := range span.GetAttributes() {
		if attribute.GetKey() == key {
			return attribute.GetValue().GetIntValue()
		}
	}
	return -1
}

// sendTraced sends a request of a client that also traces.
func (s *server) sendTraced(t *testing.T, trace, method, path, key, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Traceparent", "00-"+trace+"-00f067aa0ba902b7-01")
	request.Header.Set("Apikey", key)
	request.Header.Set("Authorization", "Bearer "+key)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode
}

func TestRequestsAreTraced(t *testing.T) {
	t.Parallel()
	took := newReceiver(t)
	traceparents := make(chan string, 1)
	functions := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { traceparents <- r.Header.Get("Traceparent") }))
	t.Cleanup(functions.Close)
	s := start(t, project(t), "OTEL_EXPORTER_OTLP_ENDPOINT="+took.url, "OTEL_BSP_SCHEDULE_DELAY=20", "FUNCTIONS_UPSTREAM="+functions.URL,
		"PLAZA_LOG_LEVEL=info", "PLAZA_LOG_FORMAT=json")
	const secret = "ana-secret"
	trace := func(last string) string { return "4bf92f3577b34da6a3ce929d0e0e47" + last }
	for _, test := range []struct {
		trace, method, path, key, body string
		name                           string
		status                         int
		steps                          []string
	}{
		{trace("01"), "GET", "/rest/v1/notes?body=eq." + secret, s.keys.Anon, "", "GET /rest/v1/{table}", 200, []string{"query"}},
		{trace("02"), "POST", "/auth/v1/token?grant_type=password", s.keys.Anon, `{"email":"ana-secret@example.com","password":"ana-secret"}`,
			"POST /auth/v1/token", 400, []string{"query", "check password"}},
		{trace("03"), "POST", "/storage/v1/bucket", s.keys.Service, `{"name":"ana-secret"}`, "POST /storage/v1/bucket", 200, []string{"query"}},
		{trace("04"), "POST", "/storage/v1/object/ana-secret/ana-secret.json", s.keys.Service, `{}`, "POST /storage/v1/object/{bucket}/{key}", 200, []string{"query", "blob put"}},
		{trace("05"), "POST", "/functions/v1/hello?token=ana-secret", s.keys.Anon, "{}", "POST /functions/v1/{name}", 200, []string{"function"}},
	} {
		if status := s.sendTraced(t, test.trace, test.method, test.path, test.key, test.body); status != test.status {
			t.Errorf("%s: %d\n%s", test.path, status, s.output)
			continue
		}
		request, all := took.trace(t, test.trace)
		if request.GetName() != test.name || intAttribute(request, "http.response.status_code") != int64(test.status) || hex.EncodeToString(request.GetParentSpanId()) != "00f067aa0ba902b7" {
			t.Errorf("%s: span %v", test.path, request)
		}
		checkSteps(t, request, all, test.steps, secret, s.keys.Anon)
	}
	if parent := <-traceparents; !strings.HasPrefix(parent, "00-"+trace("05")+"-") || strings.Contains(parent, "00f067aa0ba902b7") {
		t.Errorf("the function receives trace %q", parent)
	}
	if took.service != "plaza" {
		t.Errorf("service.name is %q", took.service)
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	checkLog(t, s.output.String(), secret, s.keys.Anon, trace("02"))
}

// checkSteps checks that there are steps below the span of a request, and no client input in any of
// them.
func checkSteps(t *testing.T, request *otlp.Span, all []*otlp.Span, steps []string, hidden ...string) {
	t.Helper()
	for _, step := range steps {
		found := false
		for _, span := range all {
			found = found || span.GetName() == step && string(span.GetParentSpanId()) == string(request.GetSpanId())
		}
		if !found {
			t.Errorf("%s has no step %q: %v", request.GetName(), step, all)
		}
	}
	for _, span := range all {
		text := span.String()
		for _, secret := range hidden {
			if strings.Contains(text, secret) {
				t.Errorf("a span contains %q: %s", secret, text)
			}
		}
	}
}

// checkLog checks that there is one line per request, with the trace id if it is traced, and no
// client input.
func checkLog(t *testing.T, log, secret, key, trace string) {
	t.Helper()
	lines := 0
	for line := range strings.Lines(log) {
		var entry struct {
			Msg, Service, Method, Route, Role string
			RequestID                         string `json:"request_id"`
			TraceID                           string `json:"trace_id"`
			Status                            int
			Received                          int64    `json:"received_bytes"`
			Size                              *int64   `json:"size_bytes"`
			Duration                          *float64 `json:"duration_ms"`
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Msg != "request" {
			continue
		}
		if strings.Contains(line, secret) || strings.Contains(line, key) {
			t.Errorf("the log contains what was sent: %s", line)
		}
		if entry.RequestID == "" || entry.Service == "" || entry.Route == "" || entry.Status == 0 || entry.Size == nil || entry.Duration == nil {
			t.Errorf("a line lacks something: %s", line)
		}
		if entry.TraceID == trace {
			lines++
			if entry.Service != "auth" || entry.Route != "/auth/v1/token" || entry.Role != "anon" || entry.Status != http.StatusBadRequest || entry.Received == 0 {
				t.Errorf("the line of a request: %s", line)
			}
		}
	}
	if lines != 1 {
		t.Errorf("%d lines for one request\n%s", lines, log)
	}
}

// A collector that accepts connections and never responds delays neither requests nor shutdown.
func TestDeadCollectorDelaysNothing(t *testing.T) {
	t.Parallel()
	silent := newListener(t)
	var busyPort sync.WaitGroup
	connected := make(chan net.Conn, 100)
	busyPort.Go(func() {
		for {
			conn, err := silent.Accept()
			if err != nil {
				return
			}
			connected <- conn
		}
	})
	// Without its own timeouts the server would wait for the collector for an hour.
	s := start(t, project(t), "OTEL_EXPORTER_OTLP_ENDPOINT=http://"+silent.Addr().String(), "OTEL_EXPORTER_OTLP_TIMEOUT=3600000", "OTEL_BSP_EXPORT_TIMEOUT=3600000",
		"OTEL_BSP_SCHEDULE_DELAY=10", "OTEL_BSP_MAX_QUEUE_SIZE=8", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE=4")
	for range 50 {
		if status, body := s.call(t, http.MethodGet, "/rest/v1/notes?select=body", s.keys.Anon, ""); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
	}
	select {
	case conn := <-connected: // otherwise nothing was tested
		defer func() { _ = conn.Close() }()
	case <-t.Context().Done():
		t.Fatal("the collector was never called")
	}
	if err := s.stop(t, os.Interrupt); err != nil {
		t.Errorf("ended with %v\n%s", err, s.output)
	}
	_ = silent.Close()
	busyPort.Wait()
}

func TestTracingOverGRPCIsRefused(t *testing.T) {
	t.Parallel()
	output := startFailure(t, project(t), "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4317", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc")
	if !strings.Contains(output, "only http/protobuf") {
		t.Errorf("output: %s", output)
	}
}
