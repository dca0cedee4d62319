package rest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// send gives a body to a budget, with its length told or not.
func send(ctx context.Context, b *bodyBudget, body string, told bool, limit int64) ([]byte, error) {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(body))
	if !told {
		r.ContentLength = -1
	}
	return b.read(httptest.NewRecorder(), r, limit)
}

func TestBodiesAreReadWhole(t *testing.T) {
	t.Parallel()
	b := newBodyBudget(time.Second)
	for _, size := range []int{0, 1, smallBody - 1, smallBody, smallBody + 1, 3 * smallBody} {
		for _, told := range []bool{true, false} {
			body := strings.Repeat("x", size)
			got, err := send(t.Context(), b, body, told, 4*smallBody)
			if err != nil || !bytes.Equal(got, []byte(body)) {
				t.Errorf("%d bytes, told %t: %d bytes, %v", size, told, len(got), err)
			}
		}
	}
}

func TestBodiesPastTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	b := newBodyBudget(time.Second)
	for _, told := range []bool{true, false} {
		var tooLarge *http.MaxBytesError
		if _, err := send(t.Context(), b, strings.Repeat("x", 2*smallBody+1), told, 2*smallBody); !errors.As(err, &tooLarge) {
			t.Errorf("told %t: %v, want a MaxBytesError", told, err)
		}
	}
}

func TestABodyThatEndsEarlyIsNoBody(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader("{}"))
	r.ContentLength = 3
	if _, err := newBodyBudget(time.Second).read(httptest.NewRecorder(), r, 10); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v, want an unexpected end", err)
	}
}

// TestLargeBodiesShareABudget: what does not fit waits until a request is over,
// but not longer than its patience.
func TestLargeBodiesShareABudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBodyBudget(10 * time.Second)
		first, end := context.WithCancel(t.Context())
		if err := b.reserve(first, allBodies); err != nil {
			t.Fatal(err)
		}
		if _, err := send(t.Context(), b, "small", true, smallBody); err != nil {
			t.Errorf("a small one: %v", err)
		}
		if _, err := send(t.Context(), b, strings.Repeat("x", 2*smallBody), true, allBodies); !errors.Is(err, errBodies) {
			t.Errorf("a large one: %v, want %v", err, errBodies)
		}
		time.AfterFunc(5*time.Second, end)
		if _, err := send(t.Context(), b, strings.Repeat("x", 2*smallBody), true, allBodies); err != nil {
			t.Errorf("once the first was over: %v", err)
		}
	})
}

// A request within a transaction is a part of a body that has its room.
func TestPartsTakeNoRoomAgain(t *testing.T) {
	t.Parallel()
	s := &Server{bodies: newBodyBudget(0), maxBody: 4 * smallBody}
	if err := s.bodies.room.Acquire(t.Context(), allBodies); err != nil {
		t.Fatal(err)
	}
	for ctx, want := range map[context.Context]error{
		t.Context(): errBodies,
		context.WithValue(t.Context(), partKey{}, new(transaction)): nil,
	} {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(strings.Repeat("x", 2*smallBody)))
		if _, _, err := s.readBody(httptest.NewRecorder(), r, bodyJSON); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}

// pipeWriter is an answer whose connection is a pipe, with its deadline.
type pipeWriter struct {
	*httptest.ResponseRecorder
	net.Conn
}

func (p pipeWriter) Write(text []byte) (int, error) { return p.ResponseRecorder.Write(text) }

// TestALargeBodyHasToKeepComing: a client that stops sending gives back the room
// it has taken, and one that is slow is waited for.
func TestALargeBodyHasToKeepComing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, told := range []bool{true, false} {
			for _, stops := range []bool{true, false} {
				ctx, end := context.WithCancel(t.Context())
				ours, theirs := net.Pipe()
				var sender sync.WaitGroup
				sender.Go(func() {
					for range 3 {
						_, _ = theirs.Write(make([]byte, smallBody))
						time.Sleep(chunkTime / 2)
					}
					if !stops {
						_ = theirs.Close()
					}
				})
				r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", ours)
				if r.ContentLength = -1; told {
					r.ContentLength = 3 * smallBody
					if stops {
						r.ContentLength++
					}
				}
				began := time.Now()
				body, err := newBodyBudget(time.Second).read(pipeWriter{httptest.NewRecorder(), ours}, r, allBodies)
				switch {
				case stops && !errors.Is(err, errSlowBody):
					t.Errorf("told %t: %v after %v, want %v", told, err, time.Since(began), errSlowBody)
				case !stops && (err != nil || len(body) != 3*smallBody):
					t.Errorf("told %t: %d bytes, %v", told, len(body), err)
				}
				end()
				_ = ours.Close()
				sender.Wait()
			}
		}
	})
}
