//go:build !linux

package httpx

import (
	"context"
	"net"
	"net/http"
)

// KeepConn keeps nothing: only Linux knows corks.
func KeepConn(ctx context.Context, _ net.Conn) context.Context { return ctx }

// Cork does nothing.
func Cork(*http.Request) (release func()) { return func() {} }
