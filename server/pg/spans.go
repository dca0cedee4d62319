package pg

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/tracing"
)

// maxSpanText bounds the text of a statement in a span, in bytes.
const maxSpanText = 2 << 10

// describe adds a statement to a span. Its values are parameters and are not shown.
func describe(span *tracing.Span, sql string) {
	if span == nil {
		return
	}
	if len(sql) > maxSpanText {
		sql = strings.ToValidUTF8(sql[:maxSpanText], "") + "…"
	}
	span.Text("db.system.name", "postgresql")
	span.Text("db.query.text", sql)
}

// startSpan starts a span for the job, which ends when the returned function is called.
func (j *job) startSpan() (end func(error)) {
	ctx, span := tracing.StartCall(j.ctx, "query")
	if span == nil {
		return func(error) {}
	}
	j.ctx, j.span = ctx, span
	describe(span, j.Statement.SQL)
	span.Text("plaza.role", j.who.Role)
	return span.End
}

// noteSent adds to the span that the job was sent. shared is the number of jobs in its batch.
func (j *job) noteSent(l *lease, shared int) {
	if j.span == nil {
		return
	}
	j.span.Event("sent")
	j.span.Number("plaza.statements_of_trip", int64(shared))
	if l.at.replica != nil {
		j.span.Text("plaza.server", "replica")
	}
}

// Spans makes a span of each statement of services; see Config.Trace.
type Spans struct{}

type spanKey struct{}

// TraceQueryStart starts a span.
func (Spans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return begin(ctx, data.SQL)
}

// TraceQueryEnd ends it.
func (Spans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	finish(ctx, data.Err)
}

// TraceBatchStart starts a span of several statements.
func (Spans) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var all []string
	for _, one := range data.Batch.QueuedQueries {
		all = append(all, one.SQL)
	}
	return begin(ctx, strings.Join(all, ";\n"))
}

// TraceBatchQuery does nothing.
func (Spans) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends the span.
func (Spans) TraceBatchEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchEndData) {
	finish(ctx, data.Err)
}

func begin(ctx context.Context, sql string) context.Context {
	ctx, span := tracing.StartCall(ctx, "query")
	if span == nil {
		return ctx
	}
	describe(span, sql)
	return context.WithValue(ctx, spanKey{}, span)
}

func finish(ctx context.Context, err error) {
	span, _ := ctx.Value(spanKey{}).(*tracing.Span)
	span.End(err)
}
