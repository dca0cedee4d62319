package ops

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

// Scrape is one reading of all numbers. Services keep their own counts and know
// nothing of Prometheus; a Source turns these into metrics when it asks, so that
// requests pay for no more than the counts.
type Scrape struct{ out chan<- prometheus.Metric }

// Source gives numbers to a reading. It may be called by several at once.
type Source func(Scrape)

// Count gives a number that only grows. labels are names and values in turn.
func (s Scrape) Count(name, help string, value float64, labels ...string) {
	s.give(prometheus.CounterValue, name, help, value, labels)
}

// Gauge gives a number that is what it is now. labels are names and values in turn.
func (s Scrape) Gauge(name, help string, value float64, labels ...string) {
	s.give(prometheus.GaugeValue, name, help, value, labels)
}

// Time gives a moment, in seconds since 1970; none where there was no such moment.
func (s Scrape) Time(name, help string, moment time.Time, labels ...string) {
	if !moment.IsZero() {
		s.Gauge(name, help, float64(moment.UnixMilli())/1000, labels...)
	}
}

// Job tells when a kind of background work last went well, if it ever did.
func (s Scrape) Job(name string, last time.Time) {
	s.Time("plaza_job_last_success_timestamp_seconds", "When a kind of background work last went well.", last, "job", name)
}

func (s Scrape) give(kind prometheus.ValueType, name, help string, value float64, labels []string) {
	var names, values []string
	for i := 0; i+1 < len(labels); i += 2 {
		names, values = append(names, labels[i]), append(values, labels[i+1])
	}
	s.out <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, value, values...)
}

// Describe tells nothing: which labels there are shows when it is asked.
func (Source) Describe(chan<- *prometheus.Desc) {}

// Collect reads the numbers, for Prometheus.
func (s Source) Collect(out chan<- prometheus.Metric) { s(Scrape{out}) }

// NewRegistry gathers all that there is to tell, with what is known of the process.
func NewRegistry(all ...prometheus.Collector) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	build := Source(func(s Scrape) {
		s.Gauge("plaza_build_info", "The version that runs.", 1, "version", Version, "go_version", runtime.Version())
	})
	registry.MustRegister(build, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	registry.MustRegister(all...)
	return registry
}
