//go:build amd64 || arm64

package nonblock

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

type socket struct {
	conn net.Conn
	raw  syscall.RawConn
}

// socketOf returns nil for a connection that is not a socket.
func socketOf(conn net.Conn) io.ReadWriter {
	of, ok := conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := of.SyscallConn()
	if err != nil {
		return nil
	}
	return &socket{conn, raw}
}

// Read implements io.Reader.
func (s *socket) Read(into []byte) (n int, err error) {
	if len(into) == 0 {
		return 0, nil
	}
	var failed syscall.Errno
	err = s.raw.Read(func(fd uintptr) (done bool) {
		n, failed = transfer(syscall.SYS_RECVFROM, fd, into, syscall.MSG_DONTWAIT)
		return failed != syscall.EAGAIN
	})
	switch {
	case err != nil:
		return 0, err
	case failed != 0:
		return 0, s.opError("read", failed)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements io.Writer.
func (s *socket) Write(from []byte) (written int, err error) {
	var failed syscall.Errno
	err = s.raw.Write(func(fd uintptr) (done bool) {
		for written < len(from) {
			var n int
			if n, failed = transfer(syscall.SYS_SENDTO, fd, from[written:], syscall.MSG_DONTWAIT|syscall.MSG_NOSIGNAL); failed != 0 {
				return failed != syscall.EAGAIN
			}
			written += n
		}
		return true
	})
	if err == nil && failed != 0 {
		err = s.opError("write", failed)
	}
	return written, err
}

// opError returns an error as the connection's own methods do.
func (s *socket) opError(call string, errno syscall.Errno) error {
	local := s.conn.LocalAddr()
	return &net.OpError{Op: call, Net: local.Network(), Source: local, Addr: s.conn.RemoteAddr(), Err: os.NewSyscallError(call, errno)}
}

// transfer calls recvfrom or sendto. data must not be empty. RawSyscall6 does not announce the call.
func transfer(call, fd uintptr, data []byte, flags uintptr) (int, syscall.Errno) {
	for {
		n, _, errno := syscall.RawSyscall6(call, fd, uintptr(unsafe.Pointer(unsafe.SliceData(data))), uintptr(len(data)), flags, 0, 0)
		if errno == 0 {
			return int(n), 0
		}
		if errno != syscall.EINTR {
			return 0, errno
		}
	}
}
