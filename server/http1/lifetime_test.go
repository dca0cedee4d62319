package http1_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"plaza/server/http1"
	"plaza/server/nonblock"
)

const get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

// send sends a request and returns the start of its response.
func send(t *testing.T, conn net.Conn, request string) string {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	response := make([]byte, 4096)
	count, err := conn.Read(response)
	if err != nil {
		t.Fatal(err)
	}
	return string(response[:count])
}

// wait receives from a channel. It fails the test after 20 seconds.
func wait[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case found := <-from:
		return found
	case <-time.After(20 * time.Second):
		t.Fatal("timed out waiting for " + what)
		panic("not reached")
	}
}

func TestDisconnectCancelsRequest(t *testing.T) {
	t.Parallel()
	for name, disconnect := range map[string]func(*net.TCPConn) error{
		"closed":      (*net.TCPConn).Close,
		"half closed": (*net.TCPConn).CloseWrite,
		"reset": func(c *net.TCPConn) error {
			return errors.Join(c.SetLinger(0), c.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began, ended := make(chan struct{}), make(chan error, 1)
			s := start(t, fastHTTP, func(_ http.ResponseWriter, r *http.Request) {
				close(began)
				<-r.Context().Done()
				ended <- context.Cause(r.Context())
			})
			conn, _ := s.dial(t)
			if _, err := io.WriteString(conn, get); err != nil {
				t.Fatal(err)
			}
			wait(t, began, "the request")
			if err := disconnect(conn.(*net.TCPConn)); err != nil {
				t.Fatal(err)
			}
			if err := wait(t, ended, "its end"); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

func TestWaitingClientIsNotCancelled(t *testing.T) {
	t.Parallel()
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			_, _ = io.WriteString(w, "canceled")
		case <-time.After(8 * http1.WatchEvery):
			_, _ = io.WriteString(w, "served")
		}
	})
	conn, _ := s.dial(t)
	for range 2 {
		if response := send(t, conn, get); !strings.HasSuffix(response, "served") {
			t.Errorf("%q", response)
		}
	}
}

func TestContextEndsWithRequest(t *testing.T) {
	t.Parallel()
	var last context.Context
	s := start(t, fastHTTP, func(_ http.ResponseWriter, r *http.Request) {
		if last != nil && last.Err() == nil {
			t.Error("the context of the previous request is not done")
		}
		last = r.Context()
		if last.Value(http.ServerContextKey) == nil || last.Value(http.LocalAddrContextKey) == nil {
			t.Error("the context has no server or local address")
		}
	})
	conn, _ := s.dial(t)
	for range 3 {
		send(t, conn, get)
	}
}

// Writes of a handler that has returned do not affect the next response.
func TestLateWritesAreIgnored(t *testing.T) {
	t.Parallel()
	var previous http.ResponseWriter
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
		if previous != nil {
			previous.Header().Set("X-Late", "yes")
			previous.WriteHeader(http.StatusTeapot)
			if _, err := io.WriteString(previous, "late"); err == nil {
				t.Error("written after the end")
			}
			if err := http.NewResponseController(previous).Flush(); err == nil {
				t.Error("flushed after the end")
			}
		}
		previous = w
		_, _ = io.WriteString(w, r.URL.Path)
	})
	conn, _ := s.dial(t)
	for range 2 {
		if response := send(t, conn, "GET /mine HTTP/1.1\r\nHost: h\r\n\r\n"); !strings.HasPrefix(response, "HTTP/1.1 200") || !strings.HasSuffix(response, "\r\n\r\n/mine") {
			t.Errorf("%q", response)
		}
	}
}

// Deadlines that a handler sets do not apply to the next request.
func TestHandlerDeadlinesAreReset(t *testing.T) {
	t.Parallel()
	s := start(t, fastHTTP, func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0)); err != nil {
			t.Error(err)
		}
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
	})
	conn, _ := s.dial(t)
	for range 2 {
		send(t, conn, get)
	}
}

func TestShutdownWaitsForResponses(t *testing.T) {
	t.Parallel()
	began, proceed := make(chan struct{}), make(chan struct{})
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(began)
			<-proceed
		}
		_, _ = io.WriteString(w, "done")
	})
	idle, _ := s.dial(t)
	send(t, idle, get)
	fresh, _ := s.dial(t)
	slow, _ := s.dial(t)
	if _, err := io.WriteString(slow, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	wait(t, began, "the request")

	expired, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Shutdown(expired); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a shutdown with a short timeout: %v", err)
	}
	if err := wait(t, s.ended, "the end of Serve"); !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
	for _, conn := range []net.Conn{idle, fresh} {
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a connection without a request: %v", err)
		}
	}
	if _, err := net.Dial("tcp", s.address); err == nil {
		t.Error("connections are still accepted")
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Shutdown(context.Background()) }()
	close(proceed)
	response, err := io.ReadAll(slow)
	if err != nil || !strings.HasSuffix(string(response), "done") || !strings.Contains(string(response), "\r\nConnection: close\r\n") {
		t.Errorf("%q, %v", response, err)
	}
	if err := wait(t, ended, "the end of Shutdown"); err != nil {
		t.Error(err)
	}
}

func TestIdleAndSlowClients(t *testing.T) {
	t.Parallel()
	short := func(s *http.Server) httpServer {
		s.IdleTimeout, s.ReadHeaderTimeout = 20*time.Millisecond, 20*time.Millisecond
		return http1.New(s)
	}
	s := start(t, short, echo)
	for name, sent := range map[string]string{"idle from the start": "", "idle after a request": get, "slow": "GET / HT"} {
		conn, from := s.dial(t)
		if _, err := io.WriteString(conn, sent); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, from); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A byte that arrives does not extend the header timeout.
func TestSlowHeaderTimesOut(t *testing.T) {
	t.Parallel()
	short := func(s *http.Server) httpServer {
		s.ReadHeaderTimeout = time.Second
		return http1.New(s)
	}
	s := start(t, short, echo)
	conn, from := s.dial(t)
	go func() {
		for err := error(nil); err == nil; time.Sleep(50 * time.Millisecond) { // slow on purpose
			_, err = io.WriteString(conn, "A")
		}
	}()
	if _, err := io.Copy(io.Discard, from); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		t.Error(err)
	}
}

func TestUpgradesUseFallback(t *testing.T) {
	t.Parallel()
	s := start(t, fastHTTP, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" {
			return
		}
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		text, _ := buffered.ReadString('\n')
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n"+text)
	})
	conn, from := s.dial(t)
	send(t, conn, get)
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello\n"); err != nil {
		t.Fatal(err)
	}
	response, err := io.ReadAll(from)
	if err != nil || !strings.HasSuffix(string(response), "\r\n\r\nhello\n") {
		t.Errorf("%q, %v", response, err)
	}
}

// Bytes that were read before the fallback got the connection are no longer in the socket.
func TestUpgradedConnectionLosesNothing(t *testing.T) {
	t.Parallel()
	following := strings.Repeat("0123456789", 1000)
	s := start(t, fastHTTP, func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		ahead, _ := buffered.Peek(buffered.Reader.Buffered())
		rest := make([]byte, len(following)-len(ahead))
		if _, err := io.ReadFull(nonblock.New(conn), rest); err != nil {
			t.Error(err)
		}
		_, _ = conn.Write(append(bytes.Clone(ahead), rest...))
	})
	// net/http's buffer ends within a header, so that it leaves some bytes of ours.
	headers := strings.Repeat("X-Long: 0123456789012345678901234567890\r\n", 150)
	conn, from := s.dial(t)
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n"+headers+"\r\n"+following); err != nil {
		t.Fatal(err)
	}
	_ = conn.(*net.TCPConn).CloseWrite() // a lost byte is an early end
	if got, err := io.ReadAll(from); err != nil || string(got) != following {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// A client whose idle connection is closed by a shutdown cannot connect again. It is refused,
// instead of being accepted and cut off.
func TestNoConnectionIsAcceptedDuringShutdown(t *testing.T) {
	t.Parallel()
	for range 200 {
		// A separate address, as a server of another test may get the port after this one closes it.
		s := startAt(t, "127.16.0.1:0", fastHTTP, echo)
		conn, from := s.dial(t)
		if _, err := io.WriteString(conn, get); err != nil {
			t.Fatal(err)
		}
		response, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Fatal(err)
		}
		stopped := make(chan error, 1)
		go func() { stopped <- s.Shutdown(t.Context()) }()
		if _, err := from.ReadByte(); err == nil {
			t.Fatal("the idle connection is still open")
		}
		if again, err := net.Dial("tcp", s.address); err == nil {
			_ = again.Close()
			t.Fatal("a new connection was accepted")
		}
		if err := <-stopped; err != nil {
			t.Fatalf("shut down: %v", err)
		}
		if err := <-s.ended; !errors.Is(err, http.ErrServerClosed) {
			t.Fatalf("ended with %v", err)
		}
		s.ended <- nil
	}
}

// slowListener calls closing before it is closed.
type slowListener struct {
	net.Listener

	closing func()
}

func (l slowListener) Close() error {
	l.closing()
	return l.Listener.Close()
}

// A connection whose response ends while the listener is still open is not closed yet.
func TestConnectionsServeUntilTheListenerIsClosed(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := http1.New(&http.Server{Handler: http.HandlerFunc(echo), ReadHeaderTimeout: time.Minute})
	conn, from := (&running{address: listener.Addr().String()}).dial(t)
	request := func(text string) {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Error(err)
			return
		}
		response, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil || response.Close {
			t.Errorf("the connection ends: %v, %v", response.Close, err)
		}
	}
	ended := make(chan error, 1)
	go func() {
		ended <- s.Serve(slowListener{listener, func() {
			request(get)
			request("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") // for the fallback
		}})
	}()
	request(get)
	if err := s.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := wait(t, ended, "the end of Serve"); !errors.Is(err, http.ErrServerClosed) {
		t.Error(err)
	}
}
