// Package request reads what a request of the data API brings: its body, its Accept, Prefer
// and Range headers, and the arguments of a function.
package request

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"syscall"
	"time"

	"plaza/server/apierr"
	"plaza/server/freespace"
	"plaza/server/rest/settings"
	"plaza/server/spool"
)

// Bounds of the room that bodies take, in bytes.
const (
	// smallBody is read without asking, and stays in memory.
	smallBody = spool.InMemory
	// allBodies is how much larger bodies, and what they are turned into, may take
	// together in temporary files. One larger than that is read when it is the only one.
	allBodies = 768 << 20
	// maxGrowth is how many times its limit a body may have once it is turned into JSON.
	maxGrowth = 5
	// maxForm is the largest form. One is decoded in memory.
	maxForm = 8 << 20
	// maxTransaction is the largest list of requests.
	maxTransaction = 16 << 20
)

// chunkTime is how long a client may take to send a part of a large body.
const chunkTime = 30 * time.Second

// errBodies reports that large bodies fill the room that they may.
var errBodies = apierr.New(http.StatusServiceUnavailable, "PLZ002", "Too many large requests are being read.").
	WithHint("Ask again later, or send fewer rows at once.")

// errSlowBody reports that a large body stopped coming.
var errSlowBody = apierr.New(http.StatusRequestTimeout, "PLZ007", "The request came too slowly.")

// errGrown reports a body that would take much more room than it has bytes.
var errGrown = apierr.New(http.StatusRequestEntityTooLarge, "PLZ010", "The body becomes too large.").
	WithHint("Send fewer rows at once.")

// Bodies reads the bodies of all requests.
type Bodies struct {
	room  *spool.Room
	limit int64 // bytes of one
}

// Body is the body of one request: it reads it once, and holds what was read
// until it is closed.
type Body struct {
	bodies *Bodies
	w      http.ResponseWriter
	r      *http.Request
	held   []*spool.Buffer

	// BeforeLarge, which may be nil, decides about a large body before it is read.
	BeforeLarge func() error
}

// NewBodies makes the reader of all bodies, large ones in temporary files.
func NewBodies(config settings.Config) *Bodies {
	room := spool.NewRoom(max(allBodies, config.MaxBody), time.Duration(config.AcquireTimeout), config.SpoolFolder)
	return &Bodies{room.KeepFree(config.Guard()), config.MaxBody}
}

// Of returns the body of a request.
func (b *Bodies) Of(w http.ResponseWriter, r *http.Request) *Body {
	return &Body{bodies: b, w: w, r: r}
}

// Close gives back what the body took. Nothing that was read may be used after.
func (b *Body) Close() {
	for _, buffer := range b.held {
		_ = buffer.Close() // of a file that has no name
	}
}

// Passed lets memory go that a part of the body takes, and what is before it.
func (b *Body) Passed(part []byte) {
	for _, buffer := range b.held {
		buffer.Passed(part)
	}
}

func (b *Body) buffer() *spool.Buffer {
	buffer := b.bodies.room.New()
	b.held = append(b.held, buffer)
	return buffer
}

// Read reads the whole body, of one of some media types. What it returns is valid
// until Close.
//
// Errors: 400 PGRST102 for another type, and for a body that is garbled; 413 past
// the limit; 503 PLZ002 where large bodies fill the room that they may; 408 PLZ007
// where one stops coming; those of BeforeLarge.
func (b *Body) Read(allowed ...string) (body []byte, kind string, err error) {
	if kind = BodyType(b.r); !slices.Contains(allowed, kind) {
		return nil, "", apierr.New(http.StatusBadRequest, "PGRST102", "Content-Type not acceptable: %s", b.r.Header.Get("Content-Type"))
	}
	if memory, ok := b.r.Body.(*memoryBody); ok {
		body = memory.text
	} else {
		body, err = b.readAll(limitOf(kind, b.bodies.limit))
	}
	if isGarbled(err) && b.r.Context().Err() == nil {
		err = errBadBody.WithCause(err)
	}
	return body, kind, err
}

// memoryBody is a body that is in memory already, as a part of a larger one.
type memoryBody struct {
	io.ReadCloser
	text []byte
}

// NewMemoryBody returns a body that takes no further room when it is read.
func NewMemoryBody(text []byte) io.ReadCloser {
	return &memoryBody{io.NopCloser(bytes.NewReader(text)), text}
}

// limitOf is lower for what is decoded in memory.
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
		// It may be small although it does not say so.
		if _, err := io.CopyN(buffer, body, smallBody); err != nil {
			whole, _ := buffer.Bytes()
			return whole, ignoreEOF(err)
		}
		size = limit
	}
	if err := b.admitLarge(buffer, size); err != nil {
		return nil, err
	}
	paced := &pacedBody{ReadCloser: body, conn: http.NewResponseController(b.w)}
	defer paced.end()
	switch _, err := io.Copy(buffer, paced); {
	case errors.Is(err, spool.ErrNoRoom):
		return nil, noRoom(err)
	case err != nil:
		return nil, err
	case b.r.ContentLength > buffer.Len():
		return nil, io.ErrUnexpectedEOF
	}
	whole, err := buffer.Bytes()
	if err != nil {
		return nil, noRoom(err)
	}
	return whole, nil
}

// admitLarge decides whether a large body is read at all.
func (b *Body) admitLarge(buffer *spool.Buffer, size int64) error {
	if b.BeforeLarge != nil {
		if err := b.BeforeLarge(); err != nil {
			return err
		}
	}
	err := buffer.Reserve(b.r.Context(), size)
	if errors.Is(err, spool.ErrNoRoom) {
		return errBodies
	}
	return err
}

// isGarbled reports an error in how a body was sent, such as a chunk without a length.
func isGarbled(err error) bool {
	var tooLarge *http.MaxBytesError
	return err != nil && apierr.As(err) == nil && !errors.As(err, &tooLarge) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// pacedBody is a body that takes room: each part of it, as large as smallBody,
// has to come in chunkTime.
type pacedBody struct {
	io.ReadCloser
	conn *http.ResponseController
	left int // bytes of the part
}

// Read reads from the present part.
//
// Errors: 408 PLZ007.
func (p *pacedBody) Read(into []byte) (int, error) {
	if p.left == 0 {
		// A connection without deadlines, as in tests, is not slow.
		_ = p.conn.SetReadDeadline(time.Now().Add(chunkTime))
		p.left = smallBody
	}
	n, err := p.ReadCloser.Read(into[:min(len(into), p.left)])
	if p.left -= n; errors.Is(err, os.ErrDeadlineExceeded) {
		err = errSlowBody
	}
	return n, err
}

// end takes the deadline away: the connection is read from on.
func (p *pacedBody) end() { _ = p.conn.SetReadDeadline(time.Time{}) }

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// errDiskLow reports that a large body would take the room that the database needs.
var errDiskLow = apierr.New(http.StatusInsufficientStorage, "PLZ014", "The server has too little free space for a large request.").
	WithHint("Send fewer rows at once.")

// noRoom words the failure of keeping a large body.
func noRoom(err error) error {
	if errors.Is(err, freespace.ErrLow) || errors.Is(err, syscall.ENOSPC) {
		return errDiskLow.WithCause(err)
	}
	return errBodies.WithCause(err)
}
