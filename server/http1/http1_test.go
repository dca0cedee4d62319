package http1_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"plaza/server/http1"
)

// httpServer has the methods that both servers share.
type httpServer interface {
	Serve(listener net.Listener) error
	Shutdown(ctx context.Context) error
	Close() error
}

// running is a server under test.
type running struct {
	httpServer

	address string
	handed  atomic.Int32 // connections that were handed to the fallback
	ended   chan error
}

func netHTTP(s *http.Server) httpServer  { return s }
func fastHTTP(s *http.Server) httpServer { return http1.New(s) }

func start(t testing.TB, kind func(*http.Server) httpServer, handler http.HandlerFunc) *running {
	t.Helper()
	return startAt(t, "127.0.0.1:0", kind, handler)
}

func startAt(t testing.TB, address string, kind func(*http.Server) httpServer, handler http.HandlerFunc) *running {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &running{address: listener.Addr().String(), ended: make(chan error, 1)}
	s.httpServer = kind(&http.Server{
		Handler: handler, IdleTimeout: time.Minute, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0),
		ConnState: func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				s.handed.Add(1)
			}
		},
	})
	go func() { s.ended <- s.Serve(listener) }()
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// dial connects to the server. The connection has a deadline of 20 seconds.
func (s *running) dial(t *testing.T) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return conn, bufio.NewReader(conn)
}

// exchange sends a request and reads until the server closes the connection. It returns the
// responses as texts that can be compared.
func (s *running) exchange(t *testing.T, request string) (responses []string) {
	t.Helper()
	conn, from := s.dial(t)
	go func() {
		_, _ = io.WriteString(conn, request)
		_ = conn.(*net.TCPConn).CloseWrite()
	}()
	method, _, _ := strings.Cut(request, " ")
	for {
		response, err := http.ReadResponse(from, &http.Request{Method: method})
		if err != nil {
			return append(responses, "end: "+errorText(err))
		}
		body, err := io.ReadAll(response.Body)
		if response.Header.Get("Date") != "" {
			response.Header.Set("Date", "today")
		}
		var text bytes.Buffer
		_ = response.Header.Write(&text)
		responses = append(responses, fmt.Sprintf("%s\n%s\nlength %d, %v, close %v, trailer %v, error %v\n%s", response.Status, text.String(),
			response.ContentLength, response.TransferEncoding, response.Close, response.Trailer, errorText(err), body))
		if response.StatusCode >= 200 {
			method = http.MethodGet
		}
	}
}

// errorText returns an error without details that differ between runs: ports, and whether the
// connection was reset because the server left data unread.
func errorText(err error) string {
	if err == nil {
		return "none"
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) {
		return "closed"
	}
	var failed *net.OpError
	if errors.As(err, &failed) {
		return failed.Err.Error()
	}
	return err.Error()
}

// compare checks that both servers respond alike, and whether the request was handled without
// the fallback (simple).
func compare(t *testing.T, handler http.HandlerFunc, request string, simple bool) {
	t.Helper()
	standard, ours := start(t, netHTTP, handler), start(t, fastHTTP, handler)
	want, got := standard.exchange(t, request), ours.exchange(t, request)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%.200q\n got %q\nwant %q", request, got, want)
	}
	if handed := ours.handed.Load(); (handed == 0) != simple {
		t.Errorf("%.200q: %d connections were handed to net/http", request, handed)
	}
}

// echo responds with the request as it was parsed.
func echo(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	_, _ = fmt.Fprintf(w, "%s %s %s %s %q %v %v %q %v", r.Method, r.RequestURI, r.Host, r.URL.Path, r.URL.RawQuery, r.Header, r.ContentLength, body, err)
}

func TestRequests(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("x", 100_000)
	for _, c := range []struct {
		name, request string
		simple        bool
	}{
		{"a GET", "GET /a/b?c=d%20e HTTP/1.1\r\nHost: h\r\nAccept: */*\r\naccept: text\r\n\r\n", true},
		{"an explicit keep-alive", "GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive\r\n\r\n", true},
		{"Keep-Alive in capitals", "GET / HTTP/1.1\r\nHost: h\r\nConnection: Keep-Alive\r\n\r\n", true},
		{"a HEAD", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n", true},
		{"a POST", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", true},
		{"a body of 40,000 bytes", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 40000\r\n\r\n" + large[:40_000], true},
		{"an empty body", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n", true},
		{"three pipelined requests", strings.Repeat("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", 3), true},
		{"a large head", "GET / HTTP/1.1\r\nHost: h\r\nX-Large: " + large[:20_000] + "\r\n\r\n", true},
		{"an absolute URL", "GET http://other/a HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"many values", "GET / HTTP/1.1\r\nHost: h\r\nX-A: 1\r\nX-B:2\r\nx-a:  3 \r\nX-a:\t\r\nX-A: 5\r\n\r\n", true},
		{"a pragma", "GET / HTTP/1.1\r\nHost: h\r\nPragma: no-cache\r\n\r\n", false},
		{"two slashes", "GET //a/b?c?d#e HTTP/1.1\r\nHost: h\r\n\r\n", true},
		{"a line without a colon", "GET / HTTP/1.1\r\nHost: h\r\nX-A\r\n\r\n", false},
		{"a line without a name", "GET / HTTP/1.1\r\nHost: h\r\n: b\r\n\r\n", false},
		{"two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"bytes beyond ASCII", "GET /é HTTP/1.1\r\nHost: h\r\nX-Name: café\r\n\r\n", true},
		{"an unknown method", "BREW / HTTP/1.1\r\nHost: h\r\n\r\n", true},
		{"lines that end in LF", "GET / HTTP/1.1\nHost: h\n\n", false},
		{"a head that ends with bare line feeds", "GET / HTTP/1.1\r\nHost: h\n\nGET /hidden HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"a second host after a bare line feed", "GET / HTTP/1.1\r\nHost: a\nHost: b\r\n\r\n", false},
		{"two requests, the second chunked", "GET / HTTP/1.1\r\nHost: h\r\n\r\nPOST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", false},
		{"a body of 100,000 bytes", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n" + large, false},
		{"a head that is too large", "GET / HTTP/1.1\r\nHost: h\r\nX-Large: " + strings.Repeat(large, 20) + "\r\n\r\n", false},
		{"HTTP/1.0", "GET / HTTP/1.0\r\nHost: h\r\n\r\n", false},
		{"HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", false},
		{"Connection: close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", false},
		{"an expectation", "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nab", false},
		{"chunks", "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", false},
		{"chunks and a length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", false},
		{"two lengths", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", false},
		{"the same length twice", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc", false},
		{"a length below zero", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -3\r\n\r\nabc", false},
		{"a length with a sign", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +3\r\n\r\nabc", false},
		{"the largest length", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9223372036854775807\r\n\r\nabc", false},
		{"no host", "GET / HTTP/1.1\r\n\r\n", false},
		{"an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n", false},
		{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n", false},
		{"an invalid host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", false},
		{"a name with a space", "GET / HTTP/1.1\r\nHost: h\r\nX Name: a\r\n\r\n", false},
		{"a space before the colon", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length : 3\r\n\r\nabc", false},
		{"a folded line", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\r\n c\r\n\r\n", false},
		{"a value with a zero byte", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\x00c\r\n\r\n", false},
		{"a lone CR", "GET / HTTP/1.1\r\nHost: h\r\nX-A: b\rc\r\n\r\n", false},
		{"OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"CONNECT", "CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n", false},
		{"no version", "GET /\r\n\r\n", false},
		{"no method", " / HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"a method in lower case", "get / HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"an empty line before the request", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"a TLS handshake", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", false},
		{"a head that ends early", "GET / HTTP/1.1\r\nHost: h\r\nX-A", false},
		{"a body that ends early", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc", false},
		{"line ends after a POST", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na\r\n\r\n" + get, true},
		{"many line ends after a POST", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\na\r\n\r\n\r\n" + get, false},
		{"line ends after a GET", get + "\r\n\r\n" + get, false},
		{"a few bytes after a request", get + "00", true},
		{"more bytes after a request", get + "0000", false},
		{"an invalid escape", "GET /%zz HTTP/1.1\r\nHost: h\r\n\r\n", false},
		{"nothing", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			compare(t, echo, c.request, c.simple)
		})
	}
}

func write(w io.Writer, text string) { _, _ = io.WriteString(w, text) }

func TestResponses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 3000)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte(long), 0o600); err != nil {
		t.Fatal(err)
	}
	sendFile := func(w http.ResponseWriter, name string) {
		opened, err := os.Open(name)
		if err != nil {
			panic(err)
		}
		defer func() { _ = opened.Close() }()
		_, _ = io.Copy(w, opened)
	}
	for name, handler := range map[string]http.HandlerFunc{
		"nothing": func(http.ResponseWriter, *http.Request) {},
		"a word":  func(w http.ResponseWriter, _ *http.Request) { write(w, "hello") },
		"a page":  func(w http.ResponseWriter, _ *http.Request) { write(w, "<html><body>"+long) },
		"a type":  func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "a/b"); write(w, "x") },
		"no type": func(w http.ResponseWriter, _ *http.Request) { w.Header()["Content-Type"] = nil; write(w, "x") },
		"encoded": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Encoding", "br"); write(w, "x") },
		"no date": func(w http.ResponseWriter, _ *http.Request) { w.Header()["Date"] = nil },
		"a date":  func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Date", "then") },
		"long":    func(w http.ResponseWriter, _ *http.Request) { write(w, long) },
		"long, with length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "30000")
			write(w, long)
		},
		"too short": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "10"); write(w, "123") },
		"too long": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "3")
			write(w, "123")
			if _, err := w.Write([]byte("4")); !errors.Is(err, http.ErrContentLength) {
				panic(err)
			}
		},
		"a length of zero": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "0") },
		"in parts":         func(w http.ResponseWriter, _ *http.Request) { write(w, "a"); write(w, long); write(w, "b") },
		"204":              func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"204 with a length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "5")
			w.WriteHeader(204)
		},
		"a body of a 204": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusNoContent)
			if _, err := w.Write([]byte("x")); !errors.Is(err, http.ErrBodyNotAllowed) {
				panic(err)
			}
		},
		"304": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "a/b")
			w.Header().Set("Etag", `"e"`)
			w.WriteHeader(http.StatusNotModified)
		},
		"an unknown status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(799) },
		"two statuses":      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.WriteHeader(500) },
		"an invalid status": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(7) },
		"early hints": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Link", "</a>")
			w.WriteHeader(http.StatusEarlyHints)
			write(w, "then")
		},
		"headers that come too late": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			w.Header().Set("X-Late", "yes")
			write(w, "x")
		},
		"line breaks in a header": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X-A", "b\r\nX-C: d") },
		"an invalid name":         func(w http.ResponseWriter, _ *http.Request) { w.Header()["X A"] = []string{"b"} },
		"Connection: close":       func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Connection", "close"); write(w, "bye") },
		"chunks by the handler": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Trailer", "X-A, X-B")
			write(w, "x")
			w.Header().Set("X-A", "b")
		},
		"an unannounced trailer": func(w http.ResponseWriter, _ *http.Request) {
			write(w, long)
			w.Header().Set(http.TrailerPrefix+"X-A", "b")
		},
		"an unannounced trailer, a short body": func(w http.ResponseWriter, _ *http.Request) {
			write(w, "x")
			w.Header().Set(http.TrailerPrefix+"X-A", "b")
		},
		"an unannounced trailer, before the body": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set(http.TrailerPrefix+"X-A", "b")
			write(w, "x")
		},
		"flushed": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			for range 3 {
				write(w, "data: x\n\n")
				_ = http.NewResponseController(w).Flush()
			}
		},
		"flushed and empty": func(w http.ResponseWriter, _ *http.Request) { w.(http.Flusher).Flush() },
		"a file":            func(w http.ResponseWriter, _ *http.Request) { sendFile(w, file) },
		"a file with its length": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "a/b")
			w.Header().Set("Content-Length", "30000")
			sendFile(w, file)
		},
		"served from a file": func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, file) },
		"aborted":            func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"aborted late": func(w http.ResponseWriter, _ *http.Request) {
			write(w, long)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		},
		"a panic": func(http.ResponseWriter, *http.Request) { panic("oh") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, method := range []string{"GET", "HEAD"} {
				compare(t, handler, method+" / HTTP/1.1\r\nHost: h\r\n\r\n", true)
			}
		})
	}
}
