// Package tracing says what a traced request passes through: spans, below the one
// that its service began. A request that is not traced pays for a look into its
// context, and nothing is set up for it.
//
// Spans tell what was done and how long it took, never with what: no values of
// statements, no names of objects, no addresses of people, no tokens.
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

// name is what spans are said to be made by.
const name = "plaza"

// Span is a step of a traced request. A nil one is of a request that is not
// traced; its methods do nothing.
type Span struct{ span trace.Span }

// Start begins a step within this process. It is to be ended.
func Start(ctx context.Context, step string) (context.Context, *Span) {
	return start(ctx, step, trace.SpanKindInternal)
}

// StartCall begins a step that waits for another process.
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

// Text notes something about the step.
func (s *Span) Text(key, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Number notes a number about the step.
func (s *Span) Number(key string, value int64) {
	if s != nil {
		s.span.SetAttributes(attribute.Int64(key, value))
	}
}

// Event notes that something happens now.
func (s *Span) Event(what string) {
	if s != nil {
		s.span.AddEvent(what)
	}
}

// End ends the step. Of an error it tells the code and not the text, which may
// hold what somebody sent.
func (s *Span) End(err error) {
	if s == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, "")
		s.span.SetAttributes(attribute.String("error.type", kindOf(err)))
	}
	s.span.End()
}

// kindOf names an error by its code.
func kindOf(err error) string {
	visible := apierr.As(err)
	switch {
	case visible != nil:
		return visible.Code
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return "_OTHER" // what OpenTelemetry has for the rest
}

// carrier writes W3C's trace context.
var carrier = propagation.TraceContext{}

// Inject names the traced step in the headers of a request to another process.
func Inject(ctx context.Context, header http.Header) {
	if trace.SpanFromContext(ctx).IsRecording() {
		carrier.Inject(ctx, propagation.HeaderCarrier(header))
	}
}

// Transport carries requests to other processes as next does; nil is the network.
// Each is a step of the request that it is sent for. Only one that tells names
// that step to the other side.
func Transport(next http.RoundTripper, tells bool) http.RoundTripper {
	if next == nil {
		next = http.DefaultTransport
	}
	return transport{next, tells}
}

// Client is a client of the network whose requests are steps.
func Client() *http.Client { return &http.Client{Transport: Transport(nil, false)} }

type transport struct {
	next  http.RoundTripper
	tells bool
}

// RoundTrip sends a request, and takes the answer's headers.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, span := StartCall(r.Context(), r.Method)
	if span == nil {
		return t.next.RoundTrip(r)
	}
	span.Text("http.request.method", r.Method)
	span.Text("server.address", r.URL.Hostname())
	r = r.Clone(ctx)
	if t.tells {
		carrier.Inject(ctx, propagation.HeaderCarrier(r.Header))
	}
	response, err := t.next.RoundTrip(r)
	if err == nil {
		span.Number("http.response.status_code", int64(response.StatusCode))
	}
	span.End(err)
	return response, err
}
