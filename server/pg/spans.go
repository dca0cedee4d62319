package pg

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"plaza/server/tracing"
)

// maxSpanText bounds what a span has of a statement, in bytes.
const maxSpanText = 2 << 10

// describe notes a statement, whose values are parameters and do not show.
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

// follow makes the job a step of a traced request, until the function it gives is
// called. Where the job goes is noted on the way.
func (j *job) follow() (end func(error)) {
	ctx, span := tracing.StartCall(j.ctx, "query")
	if span == nil {
		return func(error) {}
	}
	j.ctx, j.span = ctx, span
	describe(span, j.Statement.SQL)
	span.Text("plaza.role", j.who.Role)
	return span.End
}

// note tells the span that the job has a connection, which it may share.
func (j *job) note(l *lease, shared int) {
	if j.span == nil {
		return
	}
	j.span.Event("sent")
	j.span.Number("plaza.statements_of_trip", int64(shared))
	if l.at.replica != nil {
		j.span.Text("plaza.server", "replica")
	}
}

// Spans makes the statements of services steps of traced requests; see
// Config.Trace.
type Spans struct{}

type spanKey struct{}

// TraceQueryStart begins a step.
func (Spans) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	return begin(ctx, data.SQL)
}

// TraceQueryEnd ends it.
func (Spans) TraceQueryEnd(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryEndData) {
	finish(ctx, data.Err)
}

// TraceBatchStart begins a step of several statements.
func (Spans) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	var all []string
	for _, one := range data.Batch.QueuedQueries {
		all = append(all, one.SQL)
	}
	return begin(ctx, strings.Join(all, ";\n"))
}

// TraceBatchQuery is told of each.
func (Spans) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd ends the step.
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
