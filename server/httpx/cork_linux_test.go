package httpx_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"plaza/server/httpx"
)

// corked tells whether a connection holds back what would not fill a packet.
func corked(t *testing.T, conn net.Conn) bool {
	t.Helper()
	raw, err := conn.(*net.TCPConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var value int
	if err := raw.Control(func(socket uintptr) {
		value, err = syscall.GetsockoptInt(int(socket), syscall.IPPROTO_TCP, syscall.TCP_CORK)
	}); err != nil {
		t.Fatal(err)
	}
	return err == nil && value == 1
}

func TestCork(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("body ", 10_000)
	for _, kept := range []bool{true, false} {
		var conn net.Conn
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			release := httpx.Cork(r)
			if corked(t, conn) != kept {
				t.Errorf("kept %v: corked is %v", kept, !kept)
			}
			_, _ = io.WriteString(w, body)
			release()
			if corked(t, conn) {
				t.Errorf("kept %v: corked after the release", kept)
			}
		}))
		server.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
			conn = c
			if kept {
				ctx = httpx.KeepConn(ctx, c)
			}
			return ctx
		}
		server.Start()
		for range 2 { // the same connection
			answer, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil || string(got) != body {
				t.Errorf("%d bytes, %v", len(got), err)
			}
		}
		server.Close()
	}
}
