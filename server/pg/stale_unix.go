//go:build unix

package pg

import (
	"net"
	"syscall"
)

// hasInput reports whether a connection has been closed by the other end, or has sent something.
func hasInput(conn net.Conn) (has bool) {
	raw, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	socket, err := raw.SyscallConn()
	if err != nil {
		return false
	}
	err = socket.Control(func(fd uintptr) {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		has = err != syscall.EAGAIN && err != syscall.EINTR
	})
	return has || err != nil
}
