// Package freeport picks TCP ports for servers that tests start as separate processes.
package freeport

import (
	"net"
	"os"
	"strconv"
	"sync/atomic"
)

// first and last are below the ports of outgoing connections (from 32768 on Linux, from 49152 on macOS). One of those
// could take a port after it was picked and before the server listens.
const first, last = 10_000, 32_767

// picked is the last port of this process, from first. Each process begins at another one, so that two of them do not
// pick the same port before a server listens.
var picked atomic.Uint32

func init() { picked.Store(uint32(os.Getpid()) * 211) }

// Pick returns a port at which nothing listens on 127.0.0.1, each time another one. It panics if there is none.
func Pick() string {
	for range last - first + 1 {
		port := strconv.Itoa(first + int(picked.Add(1)%(last-first+1)))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			_ = listener.Close()
			return port
		}
	}
	panic("freeport: no free port")
}
