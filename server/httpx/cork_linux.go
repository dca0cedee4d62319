package httpx

import (
	"context"
	"net"
	"net/http"
	"syscall"
)

type connKey struct{}

// KeepConn lets Cork find a request's connection; it is an http.Server's
// ConnContext.
func KeepConn(ctx context.Context, conn net.Conn) context.Context {
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return ctx
	}
	raw, err := tcp.SyscallConn()
	if err != nil {
		return ctx
	}
	return context.WithValue(ctx, connKey{}, raw)
}

// Cork has the head of an answer leave together with its body, until release is
// called: net/http writes it alone, and it would make a packet of its own. Both
// do nothing where the connection is not known.
func Cork(r *http.Request) (release func()) {
	raw, ok := r.Context().Value(connKey{}).(syscall.RawConn)
	if !ok {
		return func() {}
	}
	set := func(on int) {
		// A connection that cannot be corked sends in smaller packets.
		_ = raw.Control(func(socket uintptr) {
			_ = syscall.SetsockoptInt(int(socket), syscall.IPPROTO_TCP, syscall.TCP_CORK, on)
		})
	}
	set(1)
	return func() { set(0) }
}
