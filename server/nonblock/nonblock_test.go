package nonblock_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"plaza/server/nonblock"
)

// pair returns both ends of a connection.
func pair(t *testing.T, network, address string) (ours, theirs net.Conn) {
	t.Helper()
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	if theirs, err = net.Dial(network, listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if ours, err = listener.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = ours.Close()
		_ = theirs.Close()
	})
	return ours, theirs
}

func TestSockets(t *testing.T) {
	t.Parallel()
	for network, address := range map[string]string{"tcp": "127.0.0.1:0", "unix": filepath.Join(t.TempDir(), "s")} {
		ours, theirs := pair(t, network, address)
		socket := nonblock.New(ours)
		isRaw := runtime.GOOS == "linux" && (runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64")
		if isRaw && socket == io.ReadWriter(ours) {
			t.Errorf("%s: the connection itself", network)
		}
		// More than the kernel buffers, in both directions: reads and writes have to wait.
		sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<20)
		go func() {
			_, _ = io.Copy(theirs, theirs)
			_ = theirs.Close()
		}()
		go func() {
			if n, err := socket.Write(sent); n != len(sent) || err != nil {
				t.Errorf("%s: wrote %d, %v", network, n, err)
			}
			_ = ours.(interface{ CloseWrite() error }).CloseWrite()
		}()
		got, err := io.ReadAll(socket) // until the end
		if err != nil || !bytes.Equal(got, sent) {
			t.Errorf("%s: got %d bytes, %v", network, len(got), err)
		}
		if n, err := socket.Read(nil); n != 0 || err != nil {
			t.Errorf("%s: an empty read: %d, %v", network, n, err)
		}
	}
}

func TestOtherConnections(t *testing.T) {
	t.Parallel()
	ours, theirs := net.Pipe()
	defer func() { _, _ = ours.Close(), theirs.Close() }()
	if nonblock.New(ours) != io.ReadWriter(ours) {
		t.Error("a pipe is no socket")
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	// full is more than the kernel buffers.
	full := make([]byte, 16<<20)
	read := func(s io.ReadWriter) error { _, err := s.Read(make([]byte, 1)); return err }
	write := func(s io.ReadWriter) error { _, err := s.Write(full); return err }
	reset := func(conn net.Conn) {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	for _, c := range []struct {
		name  string
		call  func(io.ReadWriter) error
		cause func(ours, theirs net.Conn)
		want  error
	}{
		{"deadline of reads", read, func(ours, _ net.Conn) { _ = ours.SetReadDeadline(time.Now()) }, os.ErrDeadlineExceeded},
		{"deadline of writes", write, func(ours, _ net.Conn) { _ = ours.SetWriteDeadline(time.Now()) }, os.ErrDeadlineExceeded},
		{"read of a closed connection", read, func(ours, _ net.Conn) { _ = ours.Close() }, net.ErrClosed},
		{"write to a closed connection", write, func(ours, _ net.Conn) { _ = ours.Close() }, net.ErrClosed},
		{"read after a reset", read, func(_, theirs net.Conn) { reset(theirs) }, syscall.ECONNRESET},
		{"write after a reset", write, func(_, theirs net.Conn) { reset(theirs) }, syscall.ECONNRESET},
		{"end", read, func(_, theirs net.Conn) { _ = theirs.Close() }, io.EOF},
	} {
		for name, waits := range map[string]bool{"before": false, "at the same time": true} {
			ours, theirs := pair(t, "tcp", "127.0.0.1:0")
			socket, outcome := nonblock.New(ours), make(chan error, 1)
			if waits {
				go func() { outcome <- c.call(socket) }()
				c.cause(ours, theirs)
			} else {
				c.cause(ours, theirs)
				outcome <- c.call(socket)
			}
			err := <-outcome
			// After a reset during the write, the rest of it may fail with EPIPE instead.
			if !errors.Is(err, c.want) && !(c.want == syscall.ECONNRESET && errors.Is(err, syscall.EPIPE)) {
				t.Errorf("%s, %s: %v", c.name, name, err)
			}
			var of *net.OpError
			if c.want != io.EOF && (!errors.As(err, &of) || of.Net != "tcp") {
				t.Errorf("%s, %s: %v does not name the connection", c.name, name, err)
			}
		}
	}
}
