package http1_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// opened is a file of so many bytes, which differ.
func opened(t testing.TB, size int) (*os.File, []byte) {
	t.Helper()
	content := make([]byte, size)
	for i := range content {
		content[i] = byte(i * i >> 5)
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "file"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	if _, err := file.Write(content); err != nil {
		t.Fatal(err)
	}
	return file, content // its offset is at its end
}

func TestSectionsOfAFile(t *testing.T) {
	t.Parallel()
	file, _ := opened(t, 30_000)
	for name, given := range map[string]struct {
		before, after  string
		read           int64 // of the section before it is sent
		offset, length int64
		untold         bool // the length of the body
		untyped        bool
		missing        int64 // bytes of the length that is told and not sent
	}{
		"all":                 {length: 30_000},
		"some":                {offset: 1000, length: 2000},
		"nothing":             {offset: 1000},
		"the rest of one":     {offset: 1000, length: 2000, read: 500},
		"after something":     {before: "before", length: 30_000},
		"before something":    {length: 2000, after: "after"},
		"behind the end":      {offset: 29_000, length: 2000},
		"less than was told":  {length: 2000, missing: 1},
		"without a length":    {length: 30_000, untold: true},
		"of an unknown type":  {length: 30_000, untyped: true},
		"after what was sent": {before: string(make([]byte, 5000)), length: 30_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := func(w http.ResponseWriter, _ *http.Request) {
				if !given.untyped {
					w.Header().Set("Content-Type", "a/b")
				}
				if !given.untold {
					w.Header().Set("Content-Length", strconv.FormatInt(int64(len(given.before)+len(given.after))+given.length-given.read+given.missing, 10))
				}
				write(w, given.before)
				section := io.NewSectionReader(file, given.offset, given.length)
				if _, err := io.CopyN(io.Discard, section, given.read); err != nil {
					panic(err)
				}
				_, _ = io.Copy(w, section)
				write(w, given.after)
			}
			for _, method := range []string{"GET", "HEAD"} {
				same(t, handler, method+" / HTTP/1.1\r\nHost: h\r\n\r\n", true)
			}
		})
	}
}

func TestAConnectionAfterASection(t *testing.T) {
	t.Parallel()
	file, content := opened(t, 3)
	s := start(t, ours, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "a/b")
		w.Header().Set("Content-Length", "3")
		_, _ = io.Copy(w, io.NewSectionReader(file, 0, 3))
	})
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for range 2 {
		if answer := ask(t, conn, get); !strings.HasSuffix(answer, "\r\n\r\n"+string(content)) {
			t.Errorf("answered %q", answer)
		}
	}
}

// More than a socket takes at once, to several clients at once, from one file.
func TestAFileThatRequestsShare(t *testing.T) {
	t.Parallel()
	const size = 20 << 20
	file, content := opened(t, size)
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
		from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
		w.Header().Set("Content-Type", "a/b")
		w.Header().Set("Content-Length", strconv.FormatInt(size-from, 10))
		_, _ = io.Copy(w, io.NewSectionReader(file, from, size-from))
	})
	var clients sync.WaitGroup
	for i := range 4 {
		clients.Go(func() {
			from := i * 12345
			answer, err := http.Get("http://" + s.address + "/?from=" + strconv.Itoa(from))
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = answer.Body.Close() }()
			got, err := io.ReadAll(answer.Body)
			if err != nil || !bytes.Equal(got, content[from:]) {
				t.Errorf("%d bytes from %d are not the file's: %v", len(got), from, err)
			}
		})
	}
	clients.Wait()
	if handed := s.handed.Load(); handed != 0 {
		t.Errorf("%d connections were handed to net/http", handed)
	}
}

func TestAClientThatLeavesWithinAFile(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	file, _ := opened(t, size)
	failed, ended := make(chan error, 1), make(chan error, 1)
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "a/b")
		w.Header().Set("Content-Length", strconv.Itoa(size))
		_, err := io.Copy(w, io.NewSectionReader(file, 0, size))
		failed <- err
		ended <- context.Cause(r.Context())
	})
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	ask(t, conn, get)
	if err := errors.Join(conn.(*net.TCPConn).SetLinger(0), conn.Close()); err != nil {
		t.Fatal(err)
	}
	if err := wait(t, failed, "the end of the sending"); err == nil {
		t.Error("64 MB were sent to nobody")
	}
	if err := wait(t, ended, "the request's end"); !errors.Is(err, context.Canceled) {
		t.Errorf("the request goes on: %v", err)
	}
}
