package process

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"plaza/tests/testkit"
)

// Memory that the server may use, in megabytes: for one body of 50 MB, for many at once, and for
// the worst of its kind.
const (
	bodyMemory    = 120
	bodiesMemory  = 200
	hostileMemory = 256
)

// bodyRows is the number of rows of a body of 50 MB.
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

// insertBulk returns the status and the body of the response. A *bytes.Reader is sent with its
// length, any other body without.
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
		l.resetPeak(t)
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

var errDisconnected = errors.New("the client leaves")

// TestManyLargeBodies: bodies of disconnected clients release their resources; all other requests
// get a response, some of them a refusal, and memory is bounded.
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
				writer.CloseWithError(errors.Join(errDisconnected, err))
			}()
			_, _, err := l.insertBulk(t.Context(), "application/json", reader)
			if !errors.Is(err, errDisconnected) {
				err = errors.Join(errors.New("a client that leaves"), err)
				return errors.Join(err, reader.Close())
			}
			return nil
		})
	}
	if err := all.Wait(); err != nil {
		t.Error(err)
	}
	l.waitForGoroutines(t, before)

	var uploads sync.WaitGroup
	inserted := make(chan int, 5)
	for range cap(inserted) {
		uploads.Go(func() {
			status, text, err := l.insertBulk(t.Context(), "application/json", bytes.NewReader(listBody()))
			switch {
			case err == nil && status == http.StatusCreated:
				inserted <- bodyRows
			case err != nil || status != http.StatusServiceUnavailable || !strings.Contains(text, `"PLZ002"`):
				t.Errorf("%d %s, %v", status, text, err)
			}
		})
	}
	uploads.Wait()
	peak := l.peak(t)
	if rows := l.count(t, "select count(*) from bulk"); rows == 0 || rows != len(inserted)*bodyRows {
		t.Errorf("%d bodies were taken, and there are %d rows", len(inserted), rows)
	}
	t.Logf("%d of 5 were taken, %d MB", len(inserted), peak)
	if peak > bodiesMemory {
		t.Errorf("the server took %d MB", peak)
	}
}

// worstBodies returns the worst bodies of each kind, of size bytes.
func worstBodies(size int) []struct {
	name, path, kind, body string
	status                 int // 0: any refusal
	code                   string
} {
	fill := func(head, unit, tail string) string {
		return head + strings.Repeat(unit, (size-len(head)-len(tail))/len(unit)) + tail
	}
	header := make([]string, 20_000)
	for i := range header {
		header[i] = fmt.Sprintf("column_with_a_long_name_%d", i)
	}
	const list, text, call, csv = "/bulk", "/rpc/text_length", "/rpc/json_length", "text/csv"
	return []struct {
		name, path, kind, body string
		status                 int
		code                   string
	}{
		{"60 KB of CSV with 20,000 columns and rows", list, csv, strings.Join(header, ",") + strings.Repeat("\nx", 20_000), 400, "PGRST102"},
		{"CSV of short rows", list, csv, fill("id,text\n", "1,x\n", ""), 201, ""},
		{"CSV of two empty fields a row", list, csv, fill("id,text\n", ",\n", ""), 413, "PLZ010"},
		{"CSV of one endless line", list, csv, fill("id,text\n1,\"", "x", "\"\n"), 0, ""},
		{"JSON of short rows", list, "application/json", fill("[{\"id\":1}", `,{"id":1}`, "]"), 201, ""},
		{"JSON of one long text", list, "application/json", fill(`{"text":"`, "x", `"}`), 201, ""},
		{"JSON of many keys", list, "application/json", fill(`{"id":1`, `,"k":1`, "}"), 400, "PGRST204"},
		{"JSON of nested lists", list, "application/json", fill(`{"text":`, "[", ""), 400, "PGRST102"},
		{"JSON of other keys in each row", list + "?columns=id", "application/json", fill(`[{"id":1}`, `,{"id":1,"a":1,"b":1}`, "]"), 201, ""},
		{"JSON with a last row that is broken", list, "application/json", fill("[{\"id\":1}", `,{"id":1}`, ",{]"), 400, "PGRST102"},
		{"a form of many fields", list, "application/x-www-form-urlencoded", fill("id=1", "&a", ""), 0, ""},
		{"a long text for a function", text, "application/json", fill(`{"value":"`, "x", `"}`), 200, ""},
		{"a long escaped text for a function", text, "application/json", fill(`{"value":"`, `\n`, `"}`), 200, ""},
		{"a long list for a function", "/rpc/list_length", "application/json", fill(`{"value":[1`, ",1", "]}"), 200, ""},
		{"bytes for a function", "/rpc/bytes_length", "application/octet-stream", fill("", "x", ""), 200, ""},
		{"text for a function", "/rpc/whole_text", "text/plain", fill("", "x", ""), 200, ""},
		{"a whole body for a function", call, "application/json", fill(`[1`, ",1", "]"), 200, ""},
		{"CSV for a function", text, csv, fill("value\n", "x\n", ""), 200, ""},
		{"a transaction", "/", "application/vnd.plaza.transaction+json", fill(`[{"path":"/bulk"}`, `,{"path":"/bulk"}`, "]"), 0, ""},
	}
}

// Other clients read a separate table: a scan of bulk would have to skip all uncommitted rows.
const hostileBodiesSQL = bulk + `
	create table other as select 1 as id; grant select on other to service_role;
	create function text_length(value text) returns int language sql immutable as 'select length(value)';
	create function list_length(value int[]) returns int language sql immutable as 'select cardinality(value)';
	create function json_length(json) returns int language sql immutable as 'select json_array_length($1)';
	create function bytes_length(bytea) returns int language sql immutable as 'select octet_length($1)';
	create function whole_text(text) returns int language sql immutable as 'select length($1)';`

// TestHostileBodies: whatever a body decodes to, the server survives, serves other clients, and
// needs no more memory than a small machine has. PLAZA_BODY_MB sets a larger size than CI has time
// for.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	megabytes, _ := strconv.Atoi(os.Getenv("PLAZA_BODY_MB"))
	size := cmp.Or(megabytes, 8) << 20
	l := load(t, testkit.PlatformURL(t), hostileBodiesSQL, fmt.Sprint("PGRST_MAX_BODY_BYTES=", size+1))
	for _, test := range worstBodies(size) {
		l.resetPeak(t)
		done := make(chan struct{})
		var status int
		var text string
		var err error
		go func() {
			defer close(done)
			response, sent := l.send(t.Context(), http.MethodPost, test.path, http.Header{"Content-Type": {test.kind}}, strings.NewReader(test.body))
			if err = sent; err == nil {
				status = response.StatusCode
				body, read := io.ReadAll(response.Body)
				text, err = string(body), errors.Join(read, response.Body.Close())
			}
		}()
		slowest := l.probeUntil(t, done)
		peak := l.peak(t)
		t.Logf("%s: %d, %d MB, others within %d ms", test.name, status, peak, slowest.Milliseconds())
		refusedEarly := err != nil && test.status == 0 // before the body was sent completely
		switch {
		case refusedEarly:
		case err != nil:
			t.Fatalf("%s: %v\n%s", test.name, err, l.output)
		case test.status == 0 && (status < 400 || status >= 500), test.status != 0 && status != test.status, !strings.Contains(text, test.code):
			t.Errorf("%s: %d %.300s, want %d %s", test.name, status, text, test.status, test.code)
		}
		if peak > hostileMemory {
			t.Errorf("%s: the server took %d MB", test.name, peak)
		}
		if _, err := l.db.Exec(t.Context(), "truncate bulk"); err != nil {
			t.Fatal(err)
		}
	}
}

// probeUntil sends requests of another client until done is closed, and returns the duration of
// the slowest response.
func (l *loaded) probeUntil(t *testing.T, done <-chan struct{}) (slowest time.Duration) {
	t.Helper()
	for {
		began := time.Now()
		status, text := l.call(t, http.MethodGet, "/other", "", "")
		if status != http.StatusOK {
			t.Errorf("another client's request: %d %s", status, text)
		}
		slowest = max(slowest, time.Since(began))
		select {
		case <-done:
			return slowest
		default:
		}
	}
}
