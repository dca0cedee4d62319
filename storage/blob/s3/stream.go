package s3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// firstPause is how long to wait before a request is sent again; it doubles.
const firstPause = 200 * time.Millisecond

// sized is a body that can be read more than once.
type sized interface {
	io.ReaderAt
	Size() int64
}

// buffered returns what is sent as often as it is needed.
func buffered(content []byte) sized { return bytes.NewReader(content) }

// again sends a body until that works, tries times at most. The client's own way
// of doing that winds the body back while the connection that failed may still
// read it; here each request has a reader of its own.
func again(ctx context.Context, body sized, send func(io.Reader) error) error {
	pause := firstPause
	for try := 1; ; try++ {
		stream := newStream(ctx, io.NewSectionReader(body, 0, body.Size()), body.Size())
		err := send(stream)
		stream.end()
		if err == nil || try == tries || !passing(ctx, err) {
			return err
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// passing reports whether a request that failed may work when it is sent again.
func passing(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return false
	}
	switch status := minio.ToErrorResponse(err).StatusCode; status {
	case 0, http.StatusRequestTimeout, http.StatusTooManyRequests: // 0: no answer
		return true
	default:
		return status >= http.StatusInternalServerError && status != http.StatusInsufficientStorage
	}
}

// stream is the body of a request: as many bytes as were promised, or an error
// before the last of them, so that the server never has a body that is whole. It
// is not read after its end, though the client may still hold it.
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

// end is called when nobody may read any more.
func (s *stream) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
}

// cause gives the error of what was read, where that is why a request failed.
func (s *stream) cause(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && s.err != nil && !errors.Is(s.err, io.EOF) {
		return s.err
	}
	return err
}
