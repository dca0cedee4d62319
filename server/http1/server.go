// Package http1 serves simple requests of HTTP/1.1 itself, for half of the processor
// time of net/http's server, and hands all others to that server, the fallback.
//
// A request is simple if all of it fits a small buffer: HTTP/1.1, with a Content-Length
// or without a body, without an upgrade or expectation. Any other request, including a
// malformed one, goes to the fallback together with its connection, which stays there.
// So only the fallback rejects requests. Tests and a fuzz target compare the responses
// of both.
//
// Two things make most of the difference. net/http reads ahead in a goroutine per
// request, to notice that the client disconnects; here, one goroutine checks the
// connections of those requests that take long. And the head and the body of a response
// are sent in one write.
package http1

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"

	"plaza/server/nonblock"
)

// Server uses the Handler, IdleTimeout, ReadHeaderTimeout and ErrorLog of its
// http.Server, the fallback. Hooks on connections and the timeouts for a whole request or
// response apply to the fallback's requests only.
type Server struct {
	*http.Server

	base     context.Context // of all requests
	closing  atomic.Bool
	watching atomic.Bool

	mu        sync.Mutex
	listeners []*fallbackListener
	conns     map[*conn]struct{}
	empty     chan struct{} // closed when the last connection ends after closing was set
}

// New returns a Server that handles simple requests itself and hands all others to
// fallback.
func New(fallback *http.Server) *Server {
	return &Server{
		Server: fallback,
		base:   context.WithValue(context.Background(), http.ServerContextKey, fallback),
		conns:  map[*conn]struct{}{}, empty: make(chan struct{}),
	}
}

// Serve accepts connections until the server is shut down. As with net/http's server,
// the listener is closed at the end and the error is never nil.
//
// Errors: http.ErrServerClosed; the listener's.
func (s *Server) Serve(listener net.Listener) error {
	fallback := &fallbackListener{Listener: listener, handed: make(chan accepted), done: make(chan struct{})}
	if !s.open(fallback) {
		_ = fallback.Close()
		return http.ErrServerClosed
	}
	go s.accept(fallback)
	err := s.Server.Serve(fallback)
	s.mu.Lock() // stop sets closing after it has closed the listener
	defer s.mu.Unlock()
	if s.closing.Load() {
		return http.ErrServerClosed // in place of another error, if stop closed the listener before the fallback's Shutdown
	}
	return err
}

// open adds a listener. It returns false if the server is shutting down.
func (s *Server) open(f *fallbackListener) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing.Load() {
		s.listeners = append(s.listeners, f)
	}
	return !s.closing.Load()
}

// accept serves TCP connections. The fallback gets all others, and decides what an error
// of the listener means.
func (s *Server) accept(from *fallbackListener) {
	for {
		socket, err := from.Listener.Accept()
		tcp, ok := socket.(*net.TCPConn)
		switch {
		case errors.Is(err, net.ErrClosed):
			_ = from.Close()
			return
		case err != nil || !ok:
			from.hand(accepted{socket, err})
		default:
			c := &conn{TCPConn: tcp, socket: nonblock.New(tcp), server: s, fallback: from}
			if s.track(c) {
				go c.serve()
			}
		}
	}
}

// track adds a connection. It returns false if the server is shutting down.
func (s *Server) track(c *conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing.Load() {
		_ = c.Close()
		return false
	}
	s.conns[c] = struct{}{}
	return true
}

func (s *Server) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
	if s.closing.Load() && len(s.conns) == 0 {
		close(s.empty)
	}
}

// Shutdown closes idle connections and waits for the responses of the others until ctx
// ends.
//
// Errors: ctx's.
func (s *Server) Shutdown(ctx context.Context) error {
	s.stop(func(c *conn) bool { return c.serving.CompareAndSwap(nil, ended) })
	if err := s.Server.Shutdown(ctx); err != nil {
		return err
	}
	select {
	case <-s.empty:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close closes all connections at once.
func (s *Server) Close() error {
	s.stop(func(*conn) bool { return true })
	return s.Server.Close()
}

// stop closes the listeners and then the chosen connections, so that a client whose
// connection was closed cannot connect again. A connection that sees closing after a
// response closes itself, so the listeners are closed before that is set, too.
func (s *Server) stop(choose func(*conn) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.listeners {
		_ = f.Close()
	}
	if !s.closing.Swap(true) && len(s.conns) == 0 {
		close(s.empty)
	}
	for c := range s.conns {
		if choose(c) {
			_ = c.TCPConn.Close()
		}
	}
}

// fallbackListener is the fallback's listener: it accepts the connections that are handed
// to the fallback.
type fallbackListener struct {
	net.Listener

	handed chan accepted
	once   sync.Once
	err    error
	done   chan struct{}
}

type accepted struct {
	net.Conn
	err error
}

// Accept waits for the next connection that is handed to the fallback.
func (f *fallbackListener) Accept() (net.Conn, error) {
	select {
	case next := <-f.handed:
		return next.Conn, next.err
	case <-f.done:
		return nil, net.ErrClosed
	}
}

// Close closes the listener, once.
func (f *fallbackListener) Close() error {
	f.once.Do(func() {
		f.err = f.Listener.Close()
		close(f.done) // ends connections that are handed over, so after the port is closed
	})
	return f.err
}

// hand passes a connection or an error of the listener to the fallback.
func (f *fallbackListener) hand(a accepted) {
	select {
	case f.handed <- a:
	case <-f.done:
		if a.Conn != nil {
			_ = a.Conn.Close()
		}
	}
}

// unread is a connection of which some bytes were already read.
type unread struct {
	*net.TCPConn

	ahead []byte
}

// Read returns the bytes that were already read, and then those of the connection.
func (u *unread) Read(into []byte) (int, error) {
	if len(u.ahead) == 0 {
		return u.TCPConn.Read(into)
	}
	count := copy(into, u.ahead)
	if u.ahead = u.ahead[count:]; len(u.ahead) == 0 {
		u.ahead = nil // a WebSocket keeps the connection for long
	}
	return count, nil
}

// SyscallConn returns an error while Read still has bytes that the socket no longer has.
func (u *unread) SyscallConn() (syscall.RawConn, error) {
	if len(u.ahead) > 0 {
		return nil, errors.New("http1: bytes of the connection are buffered")
	}
	return u.TCPConn.SyscallConn()
}
