package http1_test

import (
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
)

const get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"

// ask sends a request and reads its answer, which has to come.
func ask(t *testing.T, conn net.Conn, request string) string {
	t.Helper()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 4096)
	count, err := conn.Read(answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(answer[:count])
}

// wait fails when nothing comes for long.
func wait[T any](t *testing.T, from <-chan T, what string) T {
	t.Helper()
	select {
	case found := <-from:
		return found
	case <-time.After(20 * time.Second):
		t.Fatal("waited in vain for " + what)
		panic("not reached")
	}
}

func TestAClientThatLeavesEndsItsRequest(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*net.TCPConn) error{
		"closed":      (*net.TCPConn).Close,
		"half closed": (*net.TCPConn).CloseWrite,
		"reset": func(c *net.TCPConn) error {
			return errors.Join(c.SetLinger(0), c.Close())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began, ended := make(chan struct{}), make(chan error, 1)
			s := start(t, ours, func(_ http.ResponseWriter, r *http.Request) {
				close(began)
				<-r.Context().Done()
				ended <- context.Cause(r.Context())
			})
			conn, _ := s.dial(t)
			if _, err := io.WriteString(conn, get); err != nil {
				t.Fatal(err)
			}
			wait(t, began, "the request")
			if err := leave(conn.(*net.TCPConn)); err != nil {
				t.Fatal(err)
			}
			if err := wait(t, ended, "its end"); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
	}
}

func TestAClientThatWaitsIsNotTakenForOneThatLeft(t *testing.T) {
	t.Parallel()
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
			_, _ = io.WriteString(w, "canceled")
		case <-time.After(8 * http1.WatchEvery):
			_, _ = io.WriteString(w, "served")
		}
	})
	conn, _ := s.dial(t)
	for range 2 {
		if answer := ask(t, conn, get); !strings.HasSuffix(answer, "served") {
			t.Errorf("%q", answer)
		}
	}
}

func TestAfterARequestItsContextIsDone(t *testing.T) {
	t.Parallel()
	var last context.Context
	s := start(t, ours, func(_ http.ResponseWriter, r *http.Request) {
		if last != nil && last.Err() == nil {
			t.Error("the context of the request before lives on")
		}
		last = r.Context()
		if last.Value(http.ServerContextKey) == nil || last.Value(http.LocalAddrContextKey) == nil {
			t.Error("the context does not know its server")
		}
	})
	conn, _ := s.dial(t)
	for range 3 {
		ask(t, conn, get)
	}
}

// A goroutine of a handler that has returned may still write.
func TestWhatIsWrittenTooLateHarmsNoOther(t *testing.T) {
	t.Parallel()
	var before http.ResponseWriter
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
		if before != nil {
			before.Header().Set("X-Late", "yes")
			before.WriteHeader(http.StatusTeapot)
			if _, err := io.WriteString(before, "late"); err == nil {
				t.Error("written after the end")
			}
			if err := http.NewResponseController(before).Flush(); err == nil {
				t.Error("flushed after the end")
			}
		}
		before = w
		_, _ = io.WriteString(w, r.URL.Path)
	})
	conn, _ := s.dial(t)
	for range 2 {
		if answer := ask(t, conn, "GET /mine HTTP/1.1\r\nHost: h\r\n\r\n"); !strings.HasPrefix(answer, "HTTP/1.1 200") || !strings.HasSuffix(answer, "\r\n\r\n/mine") {
			t.Errorf("%q", answer)
		}
	}
}

// A deadline that a handler has set is its own.
func TestDeadlinesOfAHandlerDoNotStay(t *testing.T) {
	t.Parallel()
	s := start(t, ours, func(w http.ResponseWriter, _ *http.Request) {
		if err := http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0)); err != nil {
			t.Error(err)
		}
		if err := http.NewResponseController(w).EnableFullDuplex(); err != nil {
			t.Error(err)
		}
	})
	conn, _ := s.dial(t)
	for range 2 {
		ask(t, conn, get)
	}
}

func TestShutdownWaitsForAnswers(t *testing.T) {
	t.Parallel()
	began, goOn := make(chan struct{}), make(chan struct{})
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/slow" {
			close(began)
			<-goOn
		}
		_, _ = io.WriteString(w, "done")
	})
	idle, _ := s.dial(t)
	ask(t, idle, get)
	fresh, _ := s.dial(t)
	slow, _ := s.dial(t)
	if _, err := io.WriteString(slow, "GET /slow HTTP/1.1\r\nHost: h\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	wait(t, began, "the request")

	hurried, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Shutdown(hurried); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a shutdown that may not wait: %v", err)
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
	close(goOn)
	answer, err := io.ReadAll(slow)
	if err != nil || !strings.HasSuffix(string(answer), "done") || !strings.Contains(string(answer), "\r\nConnection: close\r\n") {
		t.Errorf("%q, %v", answer, err)
	}
	if err := wait(t, ended, "the end of Shutdown"); err != nil {
		t.Error(err)
	}
}

func TestIdleAndSlowClients(t *testing.T) {
	t.Parallel()
	short := func(s *http.Server) serverOf {
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

// A byte that arrives does not extend the time of a request.
func TestARequestInDropsHasOneSpanOfTime(t *testing.T) {
	t.Parallel()
	short := func(s *http.Server) serverOf {
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

func TestUpgradesAreLeftToNetHTTP(t *testing.T) {
	t.Parallel()
	s := start(t, ours, func(w http.ResponseWriter, r *http.Request) {
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
	ask(t, conn, get)
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\nhello\n"); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(from)
	if err != nil || !strings.HasSuffix(string(answer), "\r\n\r\nhello\n") {
		t.Errorf("%q, %v", answer, err)
	}
}

// Whoever sees an idle connection end and connects again is refused, not accepted and cut off.
func TestNothingIsAcceptedAfterAnIdleConnectionEnded(t *testing.T) {
	t.Parallel()
	for range 200 {
		// An address of its own: another server of a test may be given the port that this one leaves.
		s := startAt(t, "127.16.0.1:0", ours, echo)
		conn, from := s.dial(t)
		if _, err := io.WriteString(conn, get); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, answer.Body); err != nil {
			t.Fatal(err)
		}
		stopped := make(chan error, 1)
		go func() { stopped <- s.Shutdown(t.Context()) }()
		if _, err := from.ReadByte(); err == nil {
			t.Fatal("the idle connection goes on")
		}
		if again, err := net.Dial("tcp", s.address); err == nil {
			_ = again.Close()
			t.Fatal("a connection is accepted")
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
