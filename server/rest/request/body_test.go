package request

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"plaza/server/apierr"
	"plaza/server/jsontext"
	"plaza/server/rest/sqlgen"
	"plaza/server/spool"
)

func bodiesOf(t testing.TB, wait time.Duration, limit int64) *Bodies {
	return &Bodies{spool.NewQuota(allBodies, wait, t.TempDir()), limit}
}

// send reads a body with or without Content-Length. The body is closed when the test ends.
func send(t *testing.T, b *Bodies, body string, hasLength bool) ([]byte, error) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
	if !hasLength {
		r.ContentLength = -1
	}
	source := b.Of(httptest.NewRecorder(), r)
	t.Cleanup(source.Close)
	return source.readAll(b.limit)
}

func TestBodiesAreReadWhole(t *testing.T) {
	t.Parallel()
	b := bodiesOf(t, time.Second, 4*smallBody)
	for _, size := range []int{0, 1, smallBody - 1, smallBody, smallBody + 1, 3 * smallBody} {
		for _, hasLength := range []bool{true, false} {
			body := strings.Repeat("x", size)
			got, err := send(t, b, body, hasLength)
			if err != nil || !bytes.Equal(got, []byte(body)) {
				t.Errorf("%d bytes, with a length %t: %d bytes, %v", size, hasLength, len(got), err)
			}
		}
	}
}

func TestBodiesOverTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	b := bodiesOf(t, time.Second, 2*smallBody)
	for _, hasLength := range []bool{true, false} {
		var tooLarge *http.MaxBytesError
		if _, err := send(t, b, strings.Repeat("x", 2*smallBody+1), hasLength); !errors.As(err, &tooLarge) {
			t.Errorf("with a length %t: %v, want a MaxBytesError", hasLength, err)
		}
	}
}

func TestTruncatedBodyIsRefused(t *testing.T) {
	t.Parallel()
	b := bodiesOf(t, time.Second, 4*smallBody)
	for _, size := range []int64{3, 2*smallBody + 1} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(strings.Repeat("x", int(size)-1)))
		r.ContentLength = size
		source := b.Of(httptest.NewRecorder(), r)
		if _, err := source.readAll(b.limit); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: %v, want an unexpected end", size, err)
		}
		source.Close()
	}
}

// TestLargeBodiesShareTheQuota: a body that does not fit into the quota waits until another is
// closed, up to the timeout.
func TestLargeBodiesShareTheQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := bodiesOf(t, 10*time.Second, 4*smallBody)
		first := b.quota.New()
		if err := first.Reserve(t.Context(), allBodies); err != nil {
			t.Fatal(err)
		}
		if _, err := send(t, b, "small", true); err != nil {
			t.Errorf("a small one: %v", err)
		}
		if _, err := send(t, b, strings.Repeat("x", 2*smallBody), true); !errors.Is(err, errBodies) {
			t.Errorf("a large one: %v, want %v", err, errBodies)
		}
		time.AfterFunc(5*time.Second, func() { _ = first.Close() })
		if _, err := send(t, b, strings.Repeat("x", 2*smallBody), true); err != nil {
			t.Errorf("once the first was closed: %v", err)
		}
	})
}

// A request in a batch is part of a body that has already reserved its quota.
func TestBatchPartsReserveNoQuota(t *testing.T) {
	t.Parallel()
	b := bodiesOf(t, time.Millisecond, 4*smallBody)
	if err := b.quota.New().Reserve(t.Context(), allBodies); err != nil {
		t.Fatal(err)
	}
	body := strings.Repeat("x", 2*smallBody)
	for source, want := range map[io.Reader]error{
		strings.NewReader(body):     errBodies,
		NewMemoryBody([]byte(body)): nil,
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", source)
		if _, _, err := b.Of(httptest.NewRecorder(), r).Read(TypeJSON); !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}

// The size of a converted body is limited, whatever the size of the body is.
func TestConvertedBodySizeIsBounded(t *testing.T) {
	t.Parallel()
	b := bodiesOf(t, time.Second, 2*smallBody)
	header := func(columns int) string {
		names := make([]string, columns)
		for i := range names {
			names[i] = strings.Repeat("c", 40) + strconv.Itoa(i)
		}
		return strings.Join(names, ",") + "\n"
	}
	for _, test := range []struct {
		name, kind, body string
		call             bool
		want             string // code of the error; empty: the body is accepted
		become           int    // maximum size after conversion, in bytes
	}{
		{"a long header and short rows", TypeCSV, header(1000) + strings.Repeat(strings.Repeat(",", 999)+"\n", 100), false, "", 1_100_000},
		{"more columns than a table has", TypeCSV, header(20_000), false, "PGRST102", 0},
		{"a column twice", TypeCSV, "a,a\n1,2\n", false, "PGRST102", 0},
		{"rows that grow too much", TypeCSV, "a\n" + strings.Repeat("\x01\n", smallBody-10), false, "PLZ010", 0},
		{"CSV of a call takes the first row", TypeCSV, header(1000) + strings.Repeat(strings.Repeat(",", 999)+"\n", 1000), true, "", 100_000},
		{"a form of many fields", TypeForm, strings.Repeat("a&", maxFields), false, "PGRST102", 0},
		{"a call's form of many fields", TypeForm, strings.Repeat("a&", maxFields), true, "PGRST102", 0},
		{"keys that no table has", TypeJSON, `[{"` + strings.Repeat("k", jsontext.MaxKeyBytes) + `":1}]`, false, "PGRST102", 0},
		{"keys that no function has", TypeJSON, `{"` + strings.Repeat("k", jsontext.MaxKeyBytes) + `":1}`, true, "PGRST102", 0},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(test.body))
		r.Header.Set("Content-Type", test.kind)
		source := b.Of(httptest.NewRecorder(), r)
		var size int
		var err error
		if test.call {
			var given Arguments
			given, err = source.Arguments()
			size = len(given.whole)
		} else {
			var payload sqlgen.Payload
			payload, _, err = source.Rows(false)
			size = len(payload.JSON)
		}
		code := ""
		if answer := apierr.As(err); answer != nil {
			code = answer.Code
		}
		if code != test.want || err == nil && size > test.become {
			t.Errorf("%s: %q, %d bytes, %v; want %q and at most %d", test.name, code, size, err, test.want, test.become)
		}
		source.Close()
	}
}

// pipeWriter is a response writer whose connection is a pipe, with deadlines.
type pipeWriter struct {
	*httptest.ResponseRecorder
	net.Conn
}

func (p pipeWriter) Write(text []byte) (int, error) { return p.ResponseRecorder.Write(text) }

// TestStalledLargeBodyIsRefused: the quota of a client that stops sending is released, but a
// slow client is not interrupted.
func TestStalledLargeBodyIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, hasLength := range []bool{true, false} {
			for _, stops := range []bool{true, false} {
				ctx, end := context.WithCancel(t.Context())
				ours, theirs := net.Pipe()
				var sender sync.WaitGroup
				sender.Go(func() {
					for range 3 {
						_, _ = theirs.Write(make([]byte, smallBody))
						time.Sleep(chunkTimeout / 2)
					}
					if !stops {
						_ = theirs.Close()
					}
				})
				r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", ours)
				if r.ContentLength = -1; hasLength {
					r.ContentLength = 3 * smallBody
					if stops {
						r.ContentLength++
					}
				}
				began := time.Now()
				source := bodiesOf(t, time.Second, allBodies).Of(pipeWriter{httptest.NewRecorder(), ours}, r)
				body, err := source.readAll(allBodies)
				switch {
				case stops && !errors.Is(err, errSlowBody):
					t.Errorf("with a length %t: %v after %v, want %v", hasLength, err, time.Since(began), errSlowBody)
				case !stops && (err != nil || len(body) != 3*smallBody):
					t.Errorf("with a length %t: %d bytes, %v", hasLength, len(body), err)
				}
				source.Close()
				end()
				_ = ours.Close()
				sender.Wait()
			}
		}
	})
}
