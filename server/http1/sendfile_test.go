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

// createFile returns an open file with size varying bytes, and its content.
func createFile(t testing.TB, size int) (*os.File, []byte) {
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

func TestFileSections(t *testing.T) {
	t.Parallel()
	file, _ := createFile(t, 30_000)
	for name, given := range map[string]struct {
		before, after  string
		read           int64 // bytes of the section that are read before it is sent
		offset, length int64
		noLength       bool  // no Content-Length
		noType         bool  // no Content-Type
		missing        int64 // bytes of the Content-Length that are not sent
	}{
		"all":                      {length: 30_000},
		"a part":                   {offset: 1000, length: 2000},
		"an empty section":         {offset: 1000},
		"the rest of a section":    {offset: 1000, length: 2000, read: 500},
		"after other bytes":        {before: "before", length: 30_000},
		"before other bytes":       {length: 2000, after: "after"},
		"beyond the end":           {offset: 29_000, length: 2000},
		"less than the length":     {length: 2000, missing: 1},
		"without a length":         {length: 30_000, noLength: true},
		"without a type":           {length: 30_000, noType: true},
		"after bytes already sent": {before: string(make([]byte, 5000)), length: 30_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			handler := func(w http.ResponseWriter, _ *http.Request) {
				if !given.noType {
					w.Header().Set("Content-Type", "a/b")
				}
				if !given.noLength {
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
				compare(t, handler, method+" / HTTP/1.1\r\nHost: h\r\n\r\n", true)
			}
		})
	}
}

func TestConnectionReuseAfterFile(t *testing.T) {
	t.Parallel()
	file, content := createFile(t, 3)
	s := start(t, fastHTTP, func(w http.ResponseWriter, _ *http.Request) {
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
		if response := send(t, conn, get); !strings.HasSuffix(response, "\r\n\r\n"+string(content)) {
			t.Errorf("answered %q", response)
		}
	}
}

// Several clients receive one file concurrently. It is larger than a socket's buffer.
func TestSharedFile(t *testing.T) {
	t.Parallel()
	const size = 20 << 20
	file, content := createFile(t, size)
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
		from, _ := strconv.ParseInt(r.URL.Query().Get("from"), 10, 64)
		w.Header().Set("Content-Type", "a/b")
		w.Header().Set("Content-Length", strconv.FormatInt(size-from, 10))
		_, _ = io.Copy(w, io.NewSectionReader(file, from, size-from))
	})
	var clients sync.WaitGroup
	for i := range 4 {
		clients.Go(func() {
			from := i * 12345
			response, err := http.Get("http://" + s.address + "/?from=" + strconv.Itoa(from))
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = response.Body.Close() }()
			got, err := io.ReadAll(response.Body)
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

func TestDisconnectWhileSendingFile(t *testing.T) {
	t.Parallel()
	const size = 64 << 20
	file, _ := createFile(t, size)
	failed, ended := make(chan error, 1), make(chan error, 1)
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
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
	send(t, conn, get)
	if err := errors.Join(conn.(*net.TCPConn).SetLinger(0), conn.Close()); err != nil {
		t.Fatal(err)
	}
	if err := wait(t, failed, "the end of the copy"); err == nil {
		t.Error("64 MB were sent after the disconnect")
	}
	if err := wait(t, ended, "the request's end"); !errors.Is(err, context.Canceled) {
		t.Errorf("the request was not cancelled: %v", err)
	}
}
