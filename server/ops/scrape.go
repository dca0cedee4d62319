package ops

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Scrape collects the metrics of one scrape. Services keep plain counters and do not
// depend on Prometheus; a Source converts them to metrics during a scrape.
type Scrape struct{ out chan<- prometheus.Metric }

// Source writes the metrics of a service to a Scrape. It may be called concurrently.
type Source func(Scrape)

// Count writes a counter. labels are alternating names and values.
func (s Scrape) Count(name, help string, value float64, labels ...string) {
	s.write(prometheus.CounterValue, name, help, value, labels)
}

// Gauge writes a gauge. labels are alternating names and values.
func (s Scrape) Gauge(name, help string, value float64, labels ...string) {
	s.write(prometheus.GaugeValue, name, help, value, labels)
}

// Time writes a gauge with a time in seconds since 1970, or nothing for the zero time.
func (s Scrape) Time(name, help string, moment time.Time, labels ...string) {
	if !moment.IsZero() {
		s.Gauge(name, help, float64(moment.UnixMilli())/1000, labels...)
	}
}

// Job writes when a background job last succeeded, or nothing for the zero time.
func (s Scrape) Job(name string, last time.Time) {
	s.Time("plaza_job_last_success_timestamp_seconds", "When a background job last succeeded, on any server.", last, "job", name)
}

func (s Scrape) write(kind prometheus.ValueType, name, help string, value float64, labels []string) {
	var names, values []string
	for i := 0; i+1 < len(labels); i += 2 {
		names, values = append(names, labels[i]), append(values, labels[i+1])
	}
	s.out <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, value, values...)
}

// Describe implements prometheus.Collector. It sends nothing, because the metrics are
// only known during a scrape.
func (Source) Describe(chan<- *prometheus.Desc) {}

// Collect implements prometheus.Collector.
func (s Source) Collect(out chan<- prometheus.Metric) { s(Scrape{out}) }

// NewRegistry returns a registry with the given collectors and with metrics of the process.
func NewRegistry(all ...prometheus.Collector) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := Source(func(s Scrape) {
		s.Gauge("plaza_build_info", "The running version.", 1, "version", Version, "go_version", runtime.Version())
	})
	registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry.MustRegister(all...)
	return registry
}
