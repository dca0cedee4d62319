package ops

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"plaza/server/httpx"
)

// Tracer traces requests and sends the spans to a collector by OTLP over HTTP. A nil
// Tracer does nothing.
type Tracer struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
}

// Tracing configures tracing. OpenTelemetry reads these and all other OTEL_ variables
// itself; they are listed here so that Known includes them and Check can check them.
type Tracing struct {
	Endpoint       string `env:"EXPORTER_OTLP_ENDPOINT"` // if both endpoints are empty, tracing is off
	TracesEndpoint string `env:"EXPORTER_OTLP_TRACES_ENDPOINT"`
	Protocol       string `env:"EXPORTER_OTLP_PROTOCOL" envDefault:"http/protobuf"`
	Headers        string `env:"EXPORTER_OTLP_HEADERS"` // may contain a key of the collector
	Sampler        string `env:"TRACES_SAMPLER" envDefault:"parentbased_always_on"`
	SamplerArg     string `env:"TRACES_SAMPLER_ARG"`
	ServiceName    string `env:"SERVICE_NAME" envDefault:"plaza"`
	Attributes     string `env:"RESOURCE_ATTRIBUTES"`
	Disabled       bool   `env:"SDK_DISABLED" envDefault:"false"`
}

// Check returns an error if the settings are invalid.
func (t Tracing) Check() error {
	if t.enabled() && t.Protocol != "http/protobuf" {
		return fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q: only http/protobuf is supported, usually at port 4318", t.Protocol)
	}
	return nil
}

func (t Tracing) enabled() bool { return (t.Endpoint != "" || t.TracesEndpoint != "") && !t.Disabled }

// NewTracer returns a tracer, or nil if tracing is off. The collector need not be
// reachable.
func NewTracer(ctx context.Context, cfg Tracing, log *slog.Logger) (*Tracer, error) {
	if !cfg.enabled() {
		return nil, nil
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("cannot send traces", "error", err) }))
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("send traces to %s: %w", cfg.Endpoint, err)
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithFromEnv(),
		resource.WithAttributes(attribute.String("service.name", cfg.ServiceName), attribute.String("service.version", Version)))
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about))
	return &Tracer{provider, provider.Tracer("plaza")}, nil
}

// incoming reads the W3C trace context of requests.
var incoming = propagation.TraceContext{}

// Wrap returns a handler that starts a span for each request, as a child of the
// client's span if the request has a trace context.
func (t *Tracer) Wrap(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := incoming.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Record adds the result of a request to its span. It is an httpx.Observer. With a nil
// Tracer, requests have no recording span.
func (t *Tracer) Record(r *http.Request, rec *httpx.Record, _ time.Duration) {
	span := trace.SpanFromContext(r.Context())
	if !span.IsRecording() {
		return
	}
	method := methodLabel(r.Method)
	span.SetName(method + " " + orNone(rec.Route))
	span.SetAttributes(
		attribute.String("http.request.method", method), attribute.String("http.route", rec.Route),
		attribute.Int("http.response.status_code", rec.Status), attribute.Int64("http.response.body.size", rec.Size),
		attribute.Int64("http.request.body.size", rec.Received),
		attribute.String("plaza.service", rec.Service), attribute.String("plaza.role", rec.Role), attribute.String("plaza.request_id", rec.ID),
	)
	if rec.Err != nil {
		span.SetAttributes(attribute.String("error.type", rec.Err.Code))
	}
	if rec.Status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
}

// flushTimeout is how long shutdown waits for the collector.
const flushTimeout = 3 * time.Second

// Close sends the remaining spans, up to flushTimeout.
func (t *Tracer) Close(ctx context.Context) {
	if t == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
	defer cancel()
	_ = t.provider.Shutdown(ctx) // spans that could not be sent are lost; the error is logged
}

// Log returns a logger that adds the trace to messages about traced requests.
func (t *Tracer) Log(log *slog.Logger) *slog.Logger {
	if t == nil {
		return log
	}
	return slog.New(tracedLog{log.Handler()})
}

// tracedLog adds trace_id and span_id to records.
type tracedLog struct{ slog.Handler }

// Handle adds the attributes and passes the record on.
func (l tracedLog) Handle(ctx context.Context, record slog.Record) error {
	if within := trace.SpanContextFromContext(ctx); within.IsValid() {
		record = record.Clone()
		record.AddAttrs(slog.String("trace_id", within.TraceID().String()), slog.String("span_id", within.SpanID().String()))
	}
	return l.Handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (l tracedLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tracedLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (l tracedLog) WithGroup(name string) slog.Handler { return tracedLog{l.Handler.WithGroup(name)} }
