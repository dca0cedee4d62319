package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"plaza/server/apierr"
)

// Bounds of the memory that bodies take, in bytes.
const (
	// smallBody is read without asking.
	smallBody = 1 << 20
	// allBodies is how much larger bodies may take together. One larger than that
	// is read when it is the only one.
	allBodies = 128 << 20
)

// errBodies says that large bodies fill the memory that they may.
var errBodies = apierr.New(http.StatusServiceUnavailable, "PLZ002", "Too many large requests are being read.").
	WithHint("Ask again later, or send fewer rows at once.")

// errSlowBody says that a large body stopped coming.
var errSlowBody = apierr.New(http.StatusRequestTimeout, "PLZ007", "The request came too slowly.")

// bodyBudget bounds the memory that large bodies take together.
type bodyBudget struct {
	room     *semaphore.Weighted
	patience time.Duration
}

func newBodyBudget(patience time.Duration) *bodyBudget {
	return &bodyBudget{semaphore.NewWeighted(allBodies), patience}
}

// read takes a whole body of at most limit bytes. What it takes of the budget is
// given back when the request is over.
//
// Errors: 413 past the limit; 503 PLZ002; 408 PLZ007 where it stops coming.
func (b *bodyBudget) read(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	size := r.ContentLength
	if size > limit {
		return nil, &http.MaxBytesError{Limit: limit}
	}
	body := http.MaxBytesReader(w, r.Body, limit)
	var parts pieces
	if size < 0 {
		// It may be small although it does not say so.
		if _, err := io.CopyN(&parts, body, smallBody); err != nil {
			return parts.whole(), ignoreEOF(err)
		}
		size = limit
	}
	if size > smallBody {
		if err := b.reserve(r.Context(), min(size, allBodies)); err != nil {
			return nil, err
		}
		paced := &pacedBody{ReadCloser: body, conn: http.NewResponseController(w)}
		defer paced.end()
		body = paced
	}
	if r.ContentLength < 0 {
		_, err := io.Copy(&parts, body)
		return parts.whole(), err
	}
	whole := make([]byte, size)
	_, err := io.ReadFull(body, whole)
	return whole, ignoreEOF(err)
}

// pieces gathers bytes of unknown number without copying what it has again and
// again.
type pieces struct {
	full [][]byte
	last []byte
	size int
}

// Write takes a copy of text. It does not fail.
func (p *pieces) Write(text []byte) (int, error) {
	p.add(text)
	return len(text), nil
}

func (p *pieces) add(text []byte) {
	if len(p.last)+len(text) > max(cap(p.last), smallBody/16) {
		p.full = append(p.full, p.last)
		p.last = make([]byte, 0, max(len(text), smallBody))
	}
	p.last = append(p.last, text...)
	p.size += len(text)
}

// whole gives all of it in one piece, and lets the pieces go.
func (p *pieces) whole() []byte {
	if len(p.full) == 0 {
		return p.last
	}
	out := make([]byte, 0, p.size)
	for _, piece := range append(p.full, p.last) {
		out = append(out, piece...)
	}
	*p = pieces{}
	return out
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

func (b *bodyBudget) reserve(ctx context.Context, size int64) error {
	wait, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	if err := b.room.Acquire(wait, size); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return errBodies
	}
	context.AfterFunc(ctx, func() { b.room.Release(size) })
	return nil
}

func ignoreEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}
