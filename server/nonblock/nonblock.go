// Package nonblock reads from and writes to sockets without announcing the system calls to Go's scheduler
// (entersyscall), on Linux for amd64 and arm64.
//
// The scheduler has to know of calls that may block. These never do, and take some microseconds. When they are announced
// in a process that is not busy, each one wakes the scheduler's monitor thread, which then polls every 20 µs for
// a while; switching to and from that thread takes more processor time than the call.
//
// Source: entersyscall and sysmon in Go's runtime. docs/decisions/0063 has the measurements.
package nonblock

import (
	"io"
	"net"
)

// New returns a reader and writer of a connection. For a connection that is not a socket, such as one with TLS, or
// of which something was read ahead, and on other systems, it returns the connection itself. The connection's deadlines and
// Close apply. Errors are like the connection's, but those of deadlines and closing have the Op "raw-read" or "raw-write".
func New(conn net.Conn) io.ReadWriter {
	if s := socketOf(conn); s != nil {
		return s
	}
	return conn
}
