package config

import "syscall"

// soReusePort is SO_REUSEPORT, which package syscall does not define on most architectures.
// Source: Linux, include/uapi/asm-generic/socket.h.
const soReusePort = 0xf

// sharePort allows several processes to listen on the same port.
func sharePort(_, _ string, conn syscall.RawConn) error {
	var failed error
	err := conn.Control(func(fd uintptr) {
		failed = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, soReusePort, 1)
	})
	if err != nil {
		return err
	}
	return failed
}
