// Package tracing records spans of traced requests, as children of the span that the request's
// service has started. A request that is not traced only costs a context lookup.
//
// Spans contain the operation and its duration, never its data: no statement parameters, no object
// names, no user addresses, no tokens.
package tracing

import (
	"context"
	"errors"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"plaza/server/apierr"
)

// name is the name of the tracer.
const name = "plaza"

// Span is a span of a traced request. A nil Span belongs to a request that is not traced; its methods
// do nothing.
type Span struct{ span trace.Span }

// Start starts a span of an operation within this process. The caller must End it.
func Start(ctx context.Context, step string) (context.Context, *Span) {
	return start(ctx, step, trace.SpanKindInternal)
}

// StartCall starts a span of a call to another process.
func StartCall(ctx context.Context, step string) (context.Context, *Span) {
	return start(ctx, step, trace.SpanKindClient)
}

func start(ctx context.Context, step string, kind trace.SpanKind) (context.Context, *Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, nil
	}
	ctx, span := parent.TracerProvider().Tracer(name).Start(ctx, step, trace.WithSpanKind(kind))
	return ctx, &Span{span}
}

// Text sets a string attribute.
func (s *Span) Text(key, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Number sets an integer attribute.
func (s *Span) Number(key string, value int64) {
	if s != nil {
		s.span.SetAttributes(attribute.Int64(key, value))
	}
}

// Event adds an event with the current time.
func (s *Span) Event(event string) {
	if s != nil {
		s.span.AddEvent(event)
	}
}

// End ends the span. It records the code of an error, but not its text, which may contain user data.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, "")
		s.span.SetAttributes(attribute.String("error.type", errorType(err)))
	}
	s.span.End()
}

// errorType returns the code of an error.
func errorType(err error) string {
	visible := apierr.As(err)
	switch {
	case visible != nil:
		return visible.Code
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "_OTHER" // OpenTelemetry's value for other errors
}

// carrier writes the W3C Trace Context headers.
var carrier = propagation.TraceContext{}

// Inject adds the trace context to the headers of a request to another process.
func Inject(ctx context.Context, header http.Header) {
	if trace.SpanFromContext(ctx).IsRecording() {
		carrier.Inject(ctx, propagation.HeaderCarrier(header))
	}
}

// Transport wraps next with spans for requests to other processes. A nil next means
// http.DefaultTransport. The trace context is sent only if propagate is true.
func Transport(next http.RoundTripper, propagate bool) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return transport{next, propagate}
}

// Client returns an HTTP client whose requests have spans.
func Client() *http.Client { return &http.Client{Transport: Transport(nil, false)} }

type transport struct {
	next      http.RoundTripper
	propagate bool
}

// RoundTrip sends a request with a span that ends with the response headers.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := StartCall(r.Context(), r.Method)
	if span == nil {
		return t.next.RoundTrip(r)
	}
	span.Text("http.request.method", r.Method)
	span.Text("server.address", r.URL.Hostname())
	r = r.Clone(ctx)
	if t.propagate {
		carrier.Inject(ctx, propagation.HeaderCarrier(r.Header))
	}
	response, err := t.next.RoundTrip(r)
	if err == nil {
		span.Number("http.response.status_code", int64(response.StatusCode))
	}
	span.End(err)
	return response, err
}
