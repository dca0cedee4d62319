package s3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// firstDelay is the delay before the first retry. It doubles for each further one.
const firstDelay = 200 * time.Millisecond

// sized is a body that can be read more than once.
type sized interface {
	io.ReaderAt
	Size() int64
}

// retry sends a body, with up to maxAttempts attempts. The client library's own retries
// rewind the body while the failed connection may still read it; here each attempt has
// its own reader.
func retry(ctx context.Context, body sized, send func(io.Reader) error) error {
	delay := firstDelay
	for attempt := 1; ; attempt++ {
		stream := newStream(ctx, io.NewSectionReader(body, 0, body.Size()), body.Size())
		err := send(stream)
		stream.end()
		if err == nil || attempt == maxAttempts || !isRetryable(ctx, err) {
			return err
		}
		select {
		case <-time.After(delay):
			delay *= 2
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// isRetryable reports whether a failed request may succeed if it is retried.
func isRetryable(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	switch status := minio.ToErrorResponse(err).StatusCode; status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests: // 0 means no response
		return true
	default:
		return status >= http.StatusInternalServerError && status != http.StatusInsufficientStorage
	}
}

// stream is the body of a request. It returns exactly the announced number of bytes, or an
// error before the last of them, so that the server never receives a complete body
// with wrong content. After end, it does not read from r any more, although the client
// library may still hold it.
type stream struct {
	ctx  context.Context
	r    io.Reader
	left int64

	mu    sync.Mutex
	ended bool
	err   error
}

func newStream(ctx context.Context, r io.Reader, size int64) *stream {
	return &stream{ctx: ctx, r: r, left: size}
}

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return 0, os.ErrClosed
	}
	if s.err == nil {
		s.err = s.ctx.Err()
	}
	if s.err != nil {
		return 0, s.err
	}
	if int64(len(p)) > s.left {
		p = p[:s.left]
	}
	n, err := s.r.Read(p)
	s.left -= int64(n)
	switch {
	case s.left == 0 && (err == nil || errors.Is(err, io.EOF)):
		if err == nil && !atEnd(s.r) {
			s.err = io.ErrUnexpectedEOF
			return 0, s.err
		}
		s.err = s.ctx.Err()
		if s.err == nil {
			s.err = io.EOF
			return n, nil
		}
		return 0, s.err
	case errors.Is(err, io.EOF):
		s.err = io.ErrUnexpectedEOF
	default:
		s.err = err
	}
	return n, s.err
}

func atEnd(r io.Reader) bool {
	n, err := io.ReadFull(r, make([]byte, 1))
	return n == 0 && errors.Is(err, io.EOF)
}

// end prevents further reads from r.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// readError returns the error of r if it is the reason why a request failed; otherwise it
// returns err.
func (s *stream) readError(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err != nil && !errors.Is(s.err, io.EOF) {
		return s.err
	}
	return err
}
