//go:build unix

package http1

import "syscall"

// Supported reports whether the server works on this operating system. Elsewhere net/http serves.
const Supported = true

// abandoned reports whether the client has closed the connection. Unread input, such as
// another request, hides that, as it does in net/http.
func (c *conn) abandoned() bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return true
	}
	count, failed := 0, error(nil)
	err = raw.Control(func(socket uintptr) {
		var next [1]byte
		count, _, failed = syscall.Recvfrom(int(socket), next[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	switch {
	case err != nil:
		return true // closed here
	case failed != nil:
		return failed != syscall.EAGAIN && failed != syscall.EINTR // an unwrapped errno
	}
	return count == 0
}
