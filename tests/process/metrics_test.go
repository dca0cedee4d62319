package process

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"plaza/tests/testkit/freeport"
)

// scrape reads all metrics of an admin server, by name.
func scrape(t *testing.T, admin string) map[string]*dto.MetricFamily {
	t.Helper()
	response, err := http.Get("http://" + admin + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// value returns a metric's value for the wanted labels; ok is false if there is none.
func value(families map[string]*dto.MetricFamily, name string, labels ...string) (sum float64, ok bool) {
	for _, metric := range families[name].GetMetric() {
		have := map[string]string{}
		for _, label := range metric.GetLabel() {
			have[label.GetName()] = label.GetValue()
		}
		fits := true
		for i := 0; i < len(labels); i += 2 {
			fits = fits && have[labels[i]] == labels[i+1]
		}
		if fits {
			ok = true
			sum += metric.GetCounter().GetValue() + metric.GetGauge().GetValue() + float64(metric.GetHistogram().GetSampleCount())
		}
	}
	return sum, ok
}

func TestMetricsOfEachService(t *testing.T) {
	t.Parallel()
	admin := "127.0.0.1:" + freeport.Pick()
	s := start(t, project(t), "PLAZA_ADMIN_ADDR="+admin)
	secret := "ana-secret"
	for range 3 {
		s.call(t, http.MethodGet, "/rest/v1/notes?body=eq."+secret, s.keys.Anon, "")
	}
	s.call(t, http.MethodGet, "/rest/v1/"+secret, s.keys.Anon, "")
	s.call(t, "BREW", "/rest/v1/notes", s.keys.Anon, "")
	s.call(t, http.MethodPost, "/auth/v1/token?grant_type=password", s.keys.Anon, `{"email":"nobody@example.com","password":"`+secret+`"}`)
	s.call(t, http.MethodPost, "/storage/v1/bucket", s.keys.Service, `{"name":"`+secret+`","public":true}`)
	s.call(t, http.MethodPost, "/storage/v1/object/"+secret+"/"+secret+".json", s.keys.Service, `{"a":1}`)
	s.call(t, http.MethodGet, "/storage/v1/object/public/"+secret+"/"+secret+".json", "", "")
	s.call(t, http.MethodPost, "/storage/v1/upload/resumable", s.keys.Service, "")
	s.call(t, http.MethodGet, "/storage/v1/s3/"+secret, "", "")
	s.call(t, http.MethodPost, "/functions/v1/"+secret, s.keys.Anon, "{}")
	s.call(t, http.MethodGet, "/"+secret, "", "")

	families := scrape(t, admin)
	for _, want := range []struct {
		name   string
		labels []string
		least  float64
	}{
		{"plaza_http_requests_total", []string{"service", "rest", "method", "GET", "route", "/rest/v1/{table}", "status", "2xx"}, 3},
		{"plaza_http_requests_total", []string{"service", "rest", "method", "GET", "route", "/rest/v1/{table}", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "rest", "method", "other", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "auth", "method", "POST", "route", "/auth/v1/token", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "storage", "route", "/storage/v1/object/{bucket}/{key}", "status", "2xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "storage", "route", "/storage/v1/object/public/{bucket}/{key}", "status", "2xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "tus", "route", "/storage/v1/upload/resumable", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "s3", "route", "/storage/v1/s3/{bucket}", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "functions", "route", "/functions/v1/{name}", "status", "4xx"}, 1},
		{"plaza_http_requests_total", []string{"service", "site", "route", "/", "status", "4xx"}, 1},
		{"plaza_http_request_duration_seconds", []string{"service", "rest", "method", "GET", "route", "/rest/v1/{table}"}, 4},
		{"plaza_http_request_bytes_total", []string{"service", "storage", "route", "/storage/v1/object/{bucket}/{key}"}, 7},
		{"plaza_http_response_bytes_total", []string{"service", "storage", "route", "/storage/v1/object/public/{bucket}/{key}"}, 7},
		{"plaza_http_requests_in_flight", []string{"service", "rest"}, 0},
		{"plaza_db_pool_max_connections", []string{"pool", "callers"}, 1},
		{"plaza_db_pool_max_connections", []string{"pool", "service"}, 1},
		{"plaza_db_trips_total", []string{"pool", "callers"}, 3},
		{"plaza_rest_schema_reloads_total", []string{"outcome", "ok"}, 1},
		{"plaza_rest_schema_loaded_timestamp_seconds", nil, 1e9},
		{"plaza_jwt_cache_lookups_total", nil, 1},
		{"plaza_auth_sign_ins_total", []string{"method", "password", "outcome", "refused"}, 1},
		{"plaza_auth_password_hashes_total", nil, 1},
		{"plaza_auth_mails_waiting", nil, 0},
		{"plaza_job_leader", []string{"job", "storage_sweep"}, 1},
		{"plaza_job_runs_total", []string{"job", "storage_sweep", "outcome", "ok"}, 1},
		{"plaza_job_last_success_timestamp_seconds", []string{"job", "storage_sweep"}, 1e9},
		{"plaza_storage_unused_blobs", nil, 0},
		{"plaza_storage_render_cache_hits_total", nil, 0},
		{"plaza_storage_memory_cache_misses_total", nil, 1},
		{"plaza_build_info", nil, 1},
		{"go_goroutines", nil, 1},
		{"process_resident_memory_bytes", nil, 1},
		{"pgrst_db_pool_max", nil, 10},
	} {
		if got, ok := value(families, want.name, want.labels...); !ok || got < want.least {
			t.Errorf("%s %v is %v, there: %v; want %v or more", want.name, want.labels, got, ok, want.least)
		}
	}
	checkLabels(t, families, secret)
	if status, _ := s.call(t, http.MethodGet, "/metrics", s.keys.Service, ""); status != http.StatusNotFound {
		t.Errorf("the public port serves /metrics: %d", status)
	}
}

// checkLabels finds client input in labels, and names that violate Prometheus's naming rules.
func checkLabels(t *testing.T, families map[string]*dto.MetricFamily, sent string) {
	t.Helper()
	var all []*dto.MetricFamily
	for name, family := range families {
		if strings.HasPrefix(name, "plaza_") {
			all = append(all, family)
		}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if strings.Contains(label.GetValue(), sent) || label.GetValue() == "BREW" {
					t.Errorf("%s has %s=%q", name, label.GetName(), label.GetValue())
				}
			}
		}
	}
	slices.SortFunc(all, func(a, b *dto.MetricFamily) int { return strings.Compare(a.GetName(), b.GetName()) })
	problems, err := promlint.NewWithMetricFamilies(all).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Errorf("%s: %s", problem.Metric, problem.Text)
	}
}
