package socket_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"plaza/server/http1"
	"plaza/server/realtime/socket"
	"plaza/tests/testkit/wsframe"
)

// testTimeout is the timeout of everything that a test waits for.
const testTimeout = 30 * time.Second

// serve starts a server that passes each connection to handle. The HTTP server is http1's, as in
// production.
func serve(t *testing.T, limits socket.Limits, handle func(*socket.Conn)) (server *socket.Server, dial func() net.Conn) {
	t.Helper()
	server = socket.NewServer(limits)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	web := http1.New(&http.Server{ReadHeaderTimeout: testTimeout, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if conn, err := server.Accept(w, r); err == nil {
			go handle(conn)
		}
	})})
	go func() { _ = web.Serve(listener) }()
	t.Cleanup(func() { _ = web.Close() })
	return server, func() net.Conn {
		t.Helper()
		conn, early, _, err := ws.Dial(t.Context(), "ws://"+listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(testTimeout))
		t.Cleanup(func() { _ = conn.Close() })
		if early != nil {
			return &earlyConn{conn, early}
		}
		return conn
	}
}

// earlyConn is a connection of which some bytes were read together with the answer to the handshake.
type earlyConn struct {
	net.Conn
	early *bufio.Reader
}

func (c *earlyConn) Read(into []byte) (int, error) { return c.early.Read(into) }

func echo(c *socket.Conn) {
	defer c.Release()
	for {
		isBinary, data, err := c.Read()
		if err != nil {
			return
		}
		c.Send(socket.Message(func(out []byte) ([]byte, bool) { return append(out, data...), isBinary }))
	}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(testTimeout); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

// expectClose reads until the server's close frame.
func expectClose(t *testing.T, conn net.Conn, want ws.StatusCode) {
	t.Helper()
	for {
		code, payload, err := wsframe.Read(conn)
		if err != nil {
			t.Fatalf("want a close frame with %d: %v", want, err)
		}
		if code == ws.OpClose {
			if status, reason := ws.ParseCloseFrameData(payload); status != want {
				t.Errorf("closed with %d %q, want %d", status, reason, want)
			}
			return
		}
	}
}

func TestMessagesOfAllSizes(t *testing.T) {
	t.Parallel()
	server, dial := serve(t, socket.Limits{Bytes: 8 << 20}, echo)
	conn := dial()
	for _, size := range []int{0, 1, 125, 126, 4095, 4096, 65535, 65536, 200_000, 5_000_000} {
		for _, code := range []ws.OpCode{ws.OpText, ws.OpBinary} {
			sent := bytes.Repeat([]byte("x"), size)
			if err := wsutil.WriteClientMessage(conn, code, sent); err != nil {
				t.Fatal(err)
			}
			got, gotCode, err := wsutil.ReadServerData(conn)
			if err != nil || gotCode != code || !bytes.Equal(got, sent) {
				t.Fatalf("%d bytes came back as %d with code %v: %v", size, len(got), gotCode, err)
			}
		}
	}
	if err := wsutil.WriteClientMessage(conn, ws.OpClose, ws.NewCloseFrameBody(1000, "")); err != nil {
		t.Fatal(err)
	}
	expectClose(t, conn, 1000)
	if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("after the close: %v", err)
	}
	eventually(t, "the end of the connection", func() bool { return server.Stats().Open == 0 })
	if stats := server.Stats(); stats.FramesIn != 21 || stats.FramesOut != 21 || stats.Queued != 0 {
		t.Errorf("counted %+v", stats)
	}
}

func TestFragmentsAndPings(t *testing.T) {
	t.Parallel()
	_, dial := serve(t, socket.Limits{}, echo)
	conn := dial()
	for _, frame := range []ws.Frame{
		ws.NewFrame(ws.OpText, false, []byte("one \xc3")), ws.NewPingFrame([]byte("ping")),
		ws.NewFrame(ws.OpContinuation, false, []byte("\xa9 two ")), ws.NewFrame(ws.OpContinuation, true, []byte("three")),
	} {
		if err := ws.WriteFrame(conn, ws.MaskFrame(frame)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []struct {
		code ws.OpCode
		text string
	}{{ws.OpPong, "ping"}, {ws.OpText, "one é two three"}} {
		code, payload, err := wsframe.Read(conn)
		if err != nil || code != want.code || string(payload) != want.text {
			t.Errorf("got %v %q, %v, want %v %q", code, payload, err, want.code, want.text)
		}
	}
}

// RT-03: a client that breaks the protocol is disconnected with the reason.
func TestBadFrames(t *testing.T) {
	t.Parallel()
	server, dial := serve(t, socket.Limits{Message: 100_000}, echo)
	masked := func(f ws.Frame) ws.Frame { return ws.MaskFrame(f) }
	for name, c := range map[string]struct {
		frames []ws.Frame
		want   ws.StatusCode
	}{
		"not masked":             {[]ws.Frame{ws.NewTextFrame([]byte("x"))}, ws.StatusProtocolError},
		"unknown code":           {[]ws.Frame{masked(ws.NewFrame(7, true, nil))}, ws.StatusProtocolError},
		"compressed":             {[]ws.Frame{masked(ws.Frame{Header: ws.Header{Fin: true, Rsv: 4, OpCode: ws.OpText, Length: 1}, Payload: []byte("x")})}, ws.StatusProtocolError},
		"continuation alone":     {[]ws.Frame{masked(ws.NewFrame(ws.OpContinuation, true, nil))}, ws.StatusProtocolError},
		"fragment interrupted":   {[]ws.Frame{masked(ws.NewFrame(ws.OpText, false, nil)), masked(ws.NewFrame(ws.OpText, true, nil))}, ws.StatusProtocolError},
		"long ping":              {[]ws.Frame{masked(ws.NewFrame(ws.OpPing, true, make([]byte, 126)))}, ws.StatusProtocolError},
		"close with a bad code":  {[]ws.Frame{masked(ws.NewFrame(ws.OpClose, true, []byte{0, 1}))}, ws.StatusProtocolError},
		"not UTF-8":              {[]ws.Frame{masked(ws.NewTextFrame([]byte("\xff")))}, ws.StatusInvalidFramePayloadData},
		"too large":              {[]ws.Frame{masked(ws.NewTextFrame(make([]byte, 100_001)))}, ws.StatusMessageTooBig},
		"too large in fragments": {[]ws.Frame{masked(ws.NewFrame(ws.OpText, false, make([]byte, 60_000))), masked(ws.NewFrame(ws.OpContinuation, true, make([]byte, 60_000)))}, ws.StatusMessageTooBig},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := dial()
			for _, frame := range c.frames {
				if err := ws.WriteFrame(conn, frame); err != nil {
					t.Fatal(err)
				}
			}
			expectClose(t, conn, c.want)
		})
	}
	t.Cleanup(func() {
		eventually(t, "the end of all connections", func() bool { return server.Stats().Open == 0 })
	})
}

// A request that is not a WebSocket handshake gets an HTTP response.
func TestNoHandshake(t *testing.T) {
	t.Parallel()
	server := socket.NewServer(socket.Limits{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := server.Accept(w, r); err == nil {
			t.Error("accepted")
		}
	}))
	defer web.Close()
	response, err := web.Client().Get(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusBadRequest {
		t.Errorf("status %d", response.StatusCode)
	}
}

// RT-05: a client that sends nothing is disconnected; one that sends pings is not.
func TestIdle(t *testing.T) {
	t.Parallel()
	const idle = 2 * time.Second
	server, dial := serve(t, socket.Limits{Idle: idle}, echo)
	quiet, began := dial(), time.Now()
	if _, err := quiet.Read(make([]byte, 1)); err != io.EOF {
		t.Fatalf("read %v", err)
	}
	if took := time.Since(began); took < idle/2 {
		t.Errorf("disconnected after %s", took)
	}
	alive := dial()
	for began := time.Now(); time.Since(began) < idle*5/4; {
		if err := ws.WriteFrame(alive, ws.MaskFrame(ws.NewPingFrame(nil))); err != nil {
			t.Fatal(err)
		}
		if code, _, err := wsframe.Read(alive); err != nil || code != ws.OpPong {
			t.Fatalf("%v, %v", code, err)
		}
	}
	if open := server.Stats().Open; open != 1 {
		t.Errorf("%d connections are open", open)
	}
}

// Messages sent before Close arrive before the close frame.
func TestCloseIsLast(t *testing.T) {
	t.Parallel()
	const messages = 500
	server, dial := serve(t, socket.Limits{}, func(c *socket.Conn) {
		defer c.Release()
		for range messages {
			c.Send(socket.Text(func(out []byte) []byte { return append(out, "text"...) }))
		}
		c.Close(ws.StatusGoingAway, "bye")
		if c.Send(socket.Text(func(out []byte) []byte { return out })) {
			t.Error("sent after Close")
		}
		_, _, _ = c.Read()
	})
	conn := dial()
	for range messages {
		if _, payload, err := wsframe.Read(conn); err != nil || string(payload) != "text" {
			t.Fatalf("%q, %v", payload, err)
		}
	}
	expectClose(t, conn, ws.StatusGoingAway)
	_ = conn.Close()
	eventually(t, "the end of the connection", func() bool { return server.Stats().Open == 0 })
}

// The size of large messages that are being received is limited for all connections together: one that
// does not fit is not read until there is room. Small ones are read.
func TestLargeMessagesWait(t *testing.T) {
	t.Parallel()
	const size = 24 << 20 // more than the system's buffers hold
	received := make(chan int, 3)
	_, dial := serve(t, socket.Limits{Messages: size, Message: size}, func(c *socket.Conn) {
		defer c.Release()
		for {
			_, data, err := c.Read()
			if err != nil {
				return
			}
			received <- len(data)
		}
	})
	message := ws.MustCompileFrame(ws.MaskFrame(ws.NewBinaryFrame(make([]byte, size))))
	first, second := dial(), dial()
	if _, err := first.Write(message[:len(message)/2]); err != nil {
		t.Fatal(err)
	}
	_ = second.SetWriteDeadline(time.Now().Add(time.Second))
	if n, err := second.Write(message); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d bytes of a message without room were read, %v", n, err)
	}
	if err := wsutil.WriteClientMessage(dial(), ws.OpBinary, []byte("small")); err != nil {
		t.Fatal(err)
	}
	if got := <-received; got != len("small") {
		t.Errorf("a message of %d bytes was first", got)
	}
	if _, err := first.Write(message[len(message)/2:]); err != nil {
		t.Fatal(err)
	}
	if got := <-received; got != size {
		t.Errorf("a message of %d bytes was second", got)
	}
}

// The handler returns after the handshake, and the request's context ends; the connection stays
// open.
func TestOutlivesItsRequest(t *testing.T) {
	t.Parallel()
	server := socket.NewServer(socket.Limits{})
	ended := make(chan struct{})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		context.AfterFunc(r.Context(), func() { close(ended) })
		if conn, err := server.Accept(w, r); err == nil {
			go echo(conn)
		}
	}))
	defer web.Close()
	conn, _, _, err := ws.Dial(t.Context(), strings.Replace(web.URL, "http", "ws", 1))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	<-ended
	if err := wsutil.WriteClientText(conn, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if got, err := wsutil.ReadServerText(conn); err != nil || string(got) != "hello" {
		t.Errorf("got %q, %v", got, err)
	}
}
