package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// loadClient is a client that has sent its request and reads the response.
type loadClient struct {
	socket int
	sent   time.Time
	answer []byte
}

// generateLoad makes clients send a request repeatedly until ctx ends, and returns the duration of each
// response. It returns once the requests then in flight are answered: hanging up would make the server
// cancel them, at the expense of the next turn. A single thread serves all clients, as in pgbench,
// so that the generator needs little of the machine.
func generateLoad(ctx context.Context, address string, request []byte, clients int, empty bool) (took []time.Duration, err error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	defer func() { _ = syscall.Close(poll) }()
	all := make(map[int32]*loadClient, clients)
	defer func() {
		for _, client := range all {
			_ = syscall.Close(client.socket)
		}
	}()
	for range clients {
		socket, err := connect(address)
		if err != nil {
			return nil, err
		}
		all[int32(socket)] = &loadClient{socket: socket, answer: make([]byte, 0, 64<<10)}
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(socket)}
		if err := syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, socket, &event); err != nil {
			return nil, os.NewSyscallError("epoll_ctl", err)
		}
	}
	for _, client := range all {
		if err := client.send(request); err != nil {
			return nil, err
		}
	}
	events := make([]syscall.EpollEvent, clients)
	for inFlight := clients; inFlight > 0; {
		ready, err := syscall.EpollWait(poll, events, timeoutMilliseconds)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return nil, os.NewSyscallError("epoll_wait", err)
		}
		if ready == 0 {
			return nil, fmt.Errorf("no response within %d ms", timeoutMilliseconds)
		}
		for _, event := range events[:ready] {
			client := all[event.Fd]
			complete, err := client.read(empty)
			if err != nil {
				return nil, err
			}
			if !complete {
				continue
			}
			if ctx.Err() != nil {
				inFlight--
				continue
			}
			took = append(took, time.Since(client.sent))
			if err := client.send(request); err != nil {
				return nil, err
			}
		}
	}
	return took, nil
}

// timeoutMilliseconds is how long the server may send nothing at all.
const timeoutMilliseconds = 10_000

func connect(address string) (socket int, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return 0, err
	}
	to := syscall.SockaddrInet4{}
	copy(to.Addr[:], net.ParseIP(host).To4())
	if to.Port, err = strconv.Atoi(port); err != nil {
		return 0, err
	}
	socket, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, os.NewSyscallError("socket", err)
	}
	if err := errors.Join(syscall.Connect(socket, &to), syscall.SetsockoptInt(socket, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1)); err != nil {
		return 0, errors.Join(os.NewSyscallError("connect", err), syscall.Close(socket))
	}
	return socket, nil
}

// send writes a request, which fits into the socket's buffer.
func (c *loadClient) send(request []byte) error {
	c.sent = time.Now()
	written, err := syscall.Write(c.socket, request)
	if err == nil && written < len(request) {
		err = fmt.Errorf("only %d bytes of %d were taken", written, len(request))
	}
	return err
}

// read reads the available data once; complete reports whether the response is complete.
func (c *loadClient) read(empty bool) (complete bool, err error) {
	if len(c.answer) == cap(c.answer) {
		c.answer = append(c.answer, make([]byte, cap(c.answer))...)[:len(c.answer)]
	}
	count, err := syscall.Read(c.socket, c.answer[len(c.answer):cap(c.answer)])
	switch {
	case err != nil:
		return false, os.NewSyscallError("read", err)
	case count == 0:
		return false, fmt.Errorf("the server closed the connection after %q", c.answer)
	}
	c.answer = c.answer[:len(c.answer)+count]
	size, err := answerSize(c.answer, empty)
	if err != nil || size == 0 || len(c.answer) < size {
		return false, err
	}
	c.answer = c.answer[:0]
	return true, nil
}
