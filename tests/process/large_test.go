package process

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"plaza/tests/testkit"
)

// responseMemory is the memory that the server may use while it sends large responses, in megabytes.
const responseMemory = 150

const million = `
	create unlogged table lines (id int primary key, text text not null);
	insert into lines select n, repeat('x', 80) from generate_series(1, 1000000) n;
	create view arrays as select id, array[text] as texts from lines;
	grant select on lines, arrays to service_role; analyze lines;`

// checkLines reads a response of a million rows, each on its own line.
func checkLines(body io.Reader, value string) error {
	lines := bufio.NewScanner(body)
	var want []byte
	count := 0
	for lines.Scan() {
		count++
		want = fmt.Appendf(want[:0], `{"id":%d,%s}`, count, value)
		got := bytes.Trim(lines.Bytes(), " ,")
		if got = bytes.TrimSuffix(bytes.TrimPrefix(got, []byte("[")), []byte("]")); !bytes.Equal(got, want) {
			return fmt.Errorf("row %d is %s, want %s", count, got, want)
		}
	}
	if lines.Err() != nil || count != 1_000_000 {
		return fmt.Errorf("%d rows, %w", count, lines.Err())
	}
	return nil
}

// Responses of a million rows are complete, and memory does not grow with their size.
func TestLargeResponsesUseBoundedMemory(t *testing.T) {
	t.Parallel()
	l := load(t, testkit.PlatformURL(t), million)
	ask := func(path, accept string) (io.ReadCloser, error) {
		response, err := l.send(t.Context(), http.MethodGet, path, http.Header{"Accept": {accept}}, nil)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, errors.Join(fmt.Errorf("status %d", response.StatusCode), response.Body.Close())
		}
		return response.Body, nil
	}
	const plain, stripped = "*/*", "application/vnd.pgrst.array+json;nulls=stripped"
	text := `"text":"` + strings.Repeat("x", 80) + `"`
	whole := func(path, accept, value string) error {
		body, err := ask(path, accept)
		if err != nil {
			return err
		}
		return errors.Join(checkLines(body, value), body.Close())
	}
	for _, test := range []struct {
		name string
		read func() error
	}{
		{"rows that the server writes", func() error { return whole("/lines?order=id", plain, text) }},
		{"rows without nulls", func() error { return whole("/lines?order=id", stripped, text) }},
		{"rows that PostgreSQL writes", func() error {
			return whole("/arrays?order=id", plain, `"texts":["`+strings.Repeat("x", 80)+`"]`)
		}},
		{"two at once", func() error {
			var both errgroup.Group
			for range 2 {
				both.Go(func() error { return whole("/lines?order=id", plain, text) })
			}
			return both.Wait()
		}},
		{"one whose client stops reading until another's is complete", func() error {
			body, err := ask("/lines?order=id", plain)
			if err != nil {
				return err
			}
			return errors.Join(whole("/lines?order=id", plain, text), checkLines(body, text), body.Close())
		}},
	} {
		l.resetPeak(t)
		if err := test.read(); err != nil {
			t.Errorf("%s: %v\n%s", test.name, err, l.output)
		}
		peak := l.peak(t)
		t.Logf("%s: %d MB", test.name, peak)
		if peak > responseMemory {
			t.Errorf("%s: the server took %d MB", test.name, peak)
		}
	}
}
