package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"plaza/tests/testkit"
)

// Memory that the server may take, in megabytes: for one body of 50 MB, and for
// as many as come. PostgreSQL's protocol takes a copy of a body, and CSV becomes
// JSON before.
const (
	bodyMemory   = 300
	bodiesMemory = 400
)

// bodyRows make a body of 50 MB.
const bodyRows = 500_000

const bulk = `create unlogged table bulk (id int, text text); grant all on bulk to service_role;`

var listBody = sync.OnceValue(func() []byte {
	text := strings.Repeat("x", 80)
	out := []byte("[")
	for n := range bodyRows {
		out = fmt.Appendf(out, `{"id":%6d,"text":"%s"},`, n, text)
	}
	out[len(out)-1] = ']'
	return out
})

var csvBody = sync.OnceValue(func() []byte {
	text := strings.Repeat("x", 93)
	out := []byte("id,text\n")
	for n := range bodyRows {
		out = fmt.Appendf(out, "%d,%s\n", n, text)
	}
	return out
})

// insertBulk gives the status and the text of the answer. A body that is a
// *bytes.Reader is sent with its length, any other without.
func (l *loaded) insertBulk(ctx context.Context, kind string, body io.Reader) (int, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, l.url+"/bulk", body)
	if err != nil {
		return 0, "", err
	}
	request.Header.Set("Content-Type", kind)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, "", err
	}
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), errors.Join(err, response.Body.Close())
}

func (l *loaded) count(t *testing.T, question string) (rows int) {
	t.Helper()
	if err := l.db.QueryRow(t.Context(), question).Scan(&rows); err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestLargeBodies(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), bulk)
	for _, test := range []struct {
		name, kind string
		body       io.Reader
	}{
		{"JSON", "application/json", bytes.NewReader(listBody())}, {"JSON in chunks", "application/json", io.MultiReader(bytes.NewReader(listBody()))},
		{"CSV", "text/csv", bytes.NewReader(csvBody())}, {"CSV in chunks", "text/csv", io.MultiReader(bytes.NewReader(csvBody()))},
	} {
		l.forget(t)
		status, text, err := l.insertBulk(t.Context(), test.kind, test.body)
		if err != nil || status != http.StatusCreated {
			t.Fatalf("%s: %d %s, %v", test.name, status, text, err)
		}
		peak := l.peak(t)
		if rows := l.count(t, "select count(distinct (id, text)) from bulk"); rows != bodyRows {
			t.Errorf("%s: %d rows", test.name, rows)
		}
		t.Logf("%s: %d MB", test.name, peak)
		if peak > bodyMemory {
			t.Errorf("%s: the server took %d MB", test.name, peak)
		}
		if _, err := l.db.Exec(t.Context(), "truncate bulk"); err != nil {
			t.Fatal(err)
		}
	}
}

var errLeft = errors.New("the client leaves")

// TestManyLargeBodies: those whose clients leave give back what they took; all
// others are answered, some with a refusal, and their memory is bounded.
func TestManyLargeBodies(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), bulk)
	before := l.metric(t, "go_goroutines")
	var all errgroup.Group
	for range 10 {
		all.Go(func() error {
			reader, writer := io.Pipe()
			go func() {
				_, err := writer.Write(listBody()[:20<<20])
				writer.CloseWithError(errors.Join(errLeft, err))
			}()
			_, _, err := l.insertBulk(t.Context(), "application/json", reader)
			if !errors.Is(err, errLeft) {
				err = errors.Join(errors.New("a client that leaves"), err)
				return errors.Join(err, reader.Close())
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	l.settles(t, before)

	var taken sync.WaitGroup
	inserted := make(chan int, 10)
	for range cap(inserted) {
		taken.Go(func() {
			status, text, err := l.insertBulk(t.Context(), "application/json", bytes.NewReader(listBody()))
			switch {
			case err == nil && status == http.StatusCreated:
				inserted <- bodyRows
			case err != nil || status != http.StatusServiceUnavailable || !strings.Contains(text, `"PLZ002"`):
				t.Errorf("%d %s, %v", status, text, err)
			}
		})
	}
	taken.Wait()
	peak := l.peak(t)
	if rows := l.count(t, "select count(*) from bulk"); rows == 0 || rows != len(inserted)*bodyRows {
		t.Errorf("%d bodies were taken, and there are %d rows", len(inserted), rows)
	}
	t.Logf("%d of 10 were taken, %d MB", len(inserted), peak)
	if peak > bodiesMemory {
		t.Errorf("the server took %d MB", peak)
	}
}
