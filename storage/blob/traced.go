package blob

import (
	"context"
	"errors"
	"io"

	"plaza/server/tracing"
)

// Traced returns a store that records its operations as spans of traced requests. The
// spans do not contain names of blobs.
func Traced(store Store, kind string) Store { return traced{store, kind} }

type traced struct {
	Store
	kind string
}

func (t traced) start(ctx context.Context, operation string) (context.Context, *tracing.Span) {
	ctx, span := tracing.Start(ctx, "blob "+operation)
	span.Text("plaza.blob.store", t.kind)
	return ctx, span
}

// end ends a span. ErrNotFound is not recorded as an error.
func end(span *tracing.Span, err error) {
	if errors.Is(err, ErrNotFound) {
		span.Event("not found")
		err = nil
	}
	span.End(err)
}

func (t traced) Put(ctx context.Context, name string, r io.Reader, size int64) (written int64, err error) {
	ctx, span := t.start(ctx, "put")
	defer func() { span.Number("plaza.size_bytes", written); end(span, err) }()
	return t.Store.Put(ctx, name, r, size)
}

func (t traced) Get(ctx context.Context, name string, offset, length int64) (from io.ReadCloser, err error) {
	ctx, span := t.start(ctx, "get")
	defer func() { end(span, err) }()
	return t.Store.Get(ctx, name, offset, length)
}

func (t traced) Stat(ctx context.Context, name string) (info Info, err error) {
	ctx, span := t.start(ctx, "stat")
	defer func() { end(span, err) }()
	return t.Store.Stat(ctx, name)
}

func (t traced) Copy(ctx context.Context, from, to string) (err error) {
	ctx, span := t.start(ctx, "copy")
	defer func() { end(span, err) }()
	return t.Store.Copy(ctx, from, to)
}

func (t traced) Delete(ctx context.Context, names ...string) (err error) {
	ctx, span := t.start(ctx, "delete")
	defer func() { end(span, err) }()
	return t.Store.Delete(ctx, names...)
}

func (t traced) PutPart(ctx context.Context, name, upload string, number int, r io.Reader, size int64) (part Part, err error) {
	ctx, span := t.start(ctx, "put part")
	defer func() { span.Number("plaza.size_bytes", part.Size); end(span, err) }()
	return t.Store.PutPart(ctx, name, upload, number, r, size)
}

func (t traced) Join(ctx context.Context, name, upload string, parts []Part) (info Info, err error) {
	ctx, span := t.start(ctx, "join")
	defer func() { end(span, err) }()
	return t.Store.Join(ctx, name, upload, parts)
}
