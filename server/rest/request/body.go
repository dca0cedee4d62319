// Package request parses data API requests: the body, the Accept, Prefer and Range
// headers, and the arguments of a function.
package request

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"plaza/server/apierr"
	"plaza/server/filesys"
	"plaza/server/freespace"
	"plaza/server/rest/settings"
	"plaza/server/spool"
)

// Limits of bodies, in bytes.
const (
	// smallBody is the largest body that is read without checks and kept in memory.
	smallBody = spool.MaxInMemory
	// allBodies is the total size of larger bodies, and of their converted forms, in
	// temporary files. A body larger than that is read if it is the only one.
	allBodies = 768 << 20
	// maxForm is the largest form. Forms are decoded in memory.
	maxForm = 8 << 20
	// maxTransaction is the largest body of a transaction's list of requests.
	maxTransaction = 16 << 20
)

// maxGrowth is the maximum size of a body after conversion to JSON, as a multiple of the
// body limit.
const maxGrowth = 5

// chunkTimeout is how long a client may take to send smallBody bytes of a large body.
const chunkTimeout = 30 * time.Second

// errBodies is returned if large bodies already take all the space they may use, or
// cannot be written to their folder.
var errBodies = apierr.New(http.StatusServiceUnavailable, "PLZ002", "Too many large requests are being read.").
	WithHint("Retry later, or send fewer rows at once.")

// errSlowBody is returned if the client sends a large body too slowly.
var errSlowBody = apierr.New(http.StatusRequestTimeout, "PLZ007", "The request body was received too slowly.")

// errGrown is returned if a body exceeds its size limits after conversion.
var errGrown = apierr.New(http.StatusRequestEntityTooLarge, "PLZ010", "The body is too large after conversion.").
	WithHint("Send fewer rows at once.")

// Bodies reads request bodies and limits the space that they take together.
type Bodies struct {
	quota *spool.Quota
	limit int64 // maximum size of one body, in bytes
}

// Body is the body of one request. It can be read once, and holds the data until it
// is closed.
type Body struct {
	bodies *Bodies
	w      http.ResponseWriter
	r      *http.Request
	held   []*spool.Buffer

	// BeforeLarge is called before a large body is read; its error rejects the
	// request. It may be nil.
	BeforeLarge func() error
}

// NewBodies returns a Bodies that stores large bodies in temporary files.
func NewBodies(config settings.Config) *Bodies {
	quota := spool.NewQuota(max(allBodies, config.MaxBody), time.Duration(config.AcquireTimeout), config.SpoolFolder)
	return &Bodies{quota.WithGuard(config.Guard()), config.MaxBody}
}

// Of returns the body of a request.
func (b *Bodies) Of(w http.ResponseWriter, r *http.Request) *Body {
	return &Body{bodies: b, w: w, r: r}
}

// Close releases the body's memory and files. Data that was read must not be used
// afterwards.
func (b *Body) Close() {
	for _, buffer := range b.held {
		_ = buffer.Close() // the file is already unlinked
	}
}

// Discard releases the memory of the body up to the end of part, a part of what Read returned.
func (b *Body) Discard(part []byte) {
	for _, buffer := range b.held {
		buffer.Discard(part)
	}
}

func (b *Body) buffer() *spool.Buffer {
	buffer := b.bodies.quota.New()
	b.held = append(b.held, buffer)
	return buffer
}

// Read reads the whole body. Its media type must be one of allowed. The result is
// valid until Close.
//
// Errors: 400 PGRST102 for another type and for a malformed transfer encoding; 413
// above the limit; 503 PLZ002 if large bodies already take all their space; 408
// PLZ007 if the client is too slow; 507 PLZ014 if the disk is too full; those of
// BeforeLarge; the context's.
func (b *Body) Read(allowed ...string) (body []byte, kind string, err error) {
	if kind = BodyType(b.r); !slices.Contains(allowed, kind) {
		return nil, "", apierr.New(http.StatusBadRequest, "PGRST102", "Content-Type not acceptable: %s", b.r.Header.Get("Content-Type"))
	}
	if memory, ok := b.r.Body.(*memoryBody); ok {
		body = memory.text
	} else {
		body, err = b.readAll(limitOf(kind, b.bodies.limit))
	}
	if isMalformed(err) && b.r.Context().Err() == nil {
		err = errBadBody.WithCause(err)
	}
	return body, kind, err
}

// memoryBody is a body that is already in memory, as part of a batch.
type memoryBody struct {
	io.ReadCloser
	text []byte
}

// NewMemoryBody returns a body that is read without copying.
func NewMemoryBody(text []byte) io.ReadCloser {
	return &memoryBody{io.NopCloser(bytes.NewReader(text)), text}
}

// limitOf returns the limit for a media type. It is lower for bodies that are decoded in memory.
func limitOf(kind string, limit int64) int64 {
	switch kind {
	case TypeForm:
		return min(limit, maxForm)
	case TypeTransaction:
		return min(limit, maxTransaction)
	}
	return limit
}

// readAll reads at most limit bytes.
func (b *Body) readAll(limit int64) ([]byte, error) {
	if b.r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	body := http.MaxBytesReader(b.w, b.r.Body, limit)
	if b.r.ContentLength >= 0 && b.r.ContentLength <= smallBody { // the usual case, without a Buffer
		whole := make([]byte, b.r.ContentLength)
		_, err := io.ReadFull(body, whole)
		return whole, ignoreEOF(err)
	}
	buffer, size := b.buffer(), b.r.ContentLength
	if size < 0 {
		// A body of unknown length may be small.
		if _, err := io.CopyN(buffer, body, smallBody); err != nil {
			whole, _ := buffer.Bytes()
			return whole, ignoreEOF(err)
		}
		size = limit
	}
	if err := b.admitLarge(buffer, size); err != nil {
		return nil, err
	}
	paced := &timedBody{ReadCloser: body, conn: http.NewResponseController(b.w)}
	defer paced.clearDeadline()
	switch _, err := io.Copy(buffer, paced); {
	case errors.Is(err, spool.ErrNoSpace):
		return nil, spaceError(err)
	case err != nil:
		return nil, err
	case b.r.ContentLength > buffer.Len():
		return nil, io.ErrUnexpectedEOF
	}
	whole, err := buffer.Bytes()
	if err != nil {
		return nil, spaceError(err)
	}
	return whole, nil
}

// admitLarge returns an error if a large body must not be read.
func (b *Body) admitLarge(buffer *spool.Buffer, size int64) error {
	if b.BeforeLarge != nil {
		if err := b.BeforeLarge(); err != nil {
			return err
		}
	}
	err := buffer.Reserve(b.r.Context(), size)
	if errors.Is(err, spool.ErrNoSpace) {
		return errBodies
	}
	return err
}

// isMalformed reports whether an error is caused by the transfer encoding, such as a
// chunk without a length.
func isMalformed(err error) bool {
	var tooLarge *http.MaxBytesError
	return err != nil && apierr.As(err) == nil && !errors.As(err, &tooLarge) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// timedBody is a large body. Each chunk of smallBody bytes must arrive within
// chunkTimeout.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
	left int // remaining bytes of the current chunk
}

// Read reads from the current chunk.
//
// Errors: 408 PLZ007.
func (p *timedBody) Read(into []byte) (int, error) {
	if p.left == 0 {
		// The error is ignored: only connections in tests do not support deadlines.
		_ = p.conn.SetReadDeadline(time.Now().Add(chunkTimeout))
		p.left = smallBody
	}
	n, err := p.ReadCloser.Read(into[:min(len(into), p.left)])
	if p.left -= n; errors.Is(err, os.ErrDeadlineExceeded) {
		err = errSlowBody
	}
	return n, err
}

// clearDeadline removes the deadline, because the connection is used further.
func (p *timedBody) clearDeadline() { _ = p.conn.SetReadDeadline(time.Time{}) }

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// errDiskLow is returned if a large body would take disk space that the database needs.
var errDiskLow = apierr.New(http.StatusInsufficientStorage, "PLZ014", "The server has too little free space for a large request.").
	WithHint("Send fewer rows at once.")

// spaceError returns the client's error for a large body that could not be stored.
func spaceError(err error) error {
	if errors.Is(err, freespace.ErrLow) || filesys.IsFull(err) {
		return errDiskLow.WithCause(err)
	}
	return errBodies.WithCause(err)
}
