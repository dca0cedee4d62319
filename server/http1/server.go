// Package http1 serves an http.Handler as net/http's server does, for half of
// its processor time where a request is plain, and leaves all other requests to
// net/http's server.
//
// A request is plain when all of it fits a small buffer and it asks for nothing
// but its answer: HTTP/1.1, with a Content-Length or without a body, no upgrade,
// no expectation. What is not plain, or not as it should be, goes to the other
// server together with its connection, which stays there: it alone refuses
// requests. Tests and a fuzz target hold the two against each other.
//
// Two things make most of the difference. net/http reads ahead in a goroutine of
// its own during each request, to see a client leave; here, one goroutine looks
// after the connections of those requests alone that take long. And the head and
// the body of an answer leave in one write.
package http1

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// Server serves what its http.Server is set up for: Handler, IdleTimeout,
// ReadHeaderTimeout, ErrorLog. Hooks on connections and the limits of a whole
// request or answer are those of the other requests only.
type Server struct {
	*http.Server

	base     context.Context // what all requests have in common
	closing  atomic.Bool
	watching atomic.Bool

	mu     sync.Mutex
	fronts []*front
	conns  map[*conn]struct{}
	empty  chan struct{} // closed when the last connection ends after closing was set
}

// New makes a server of plain requests that leaves the others to rest.
func New(rest *http.Server) *Server {
	return &Server{
		Server: rest,
		base:   context.WithValue(context.Background(), http.ServerContextKey, rest),
		conns:  map[*conn]struct{}{}, empty: make(chan struct{}),
	}
}

// Serve accepts connections until the server is shut down. As of net/http's
// server, the listener is closed in the end, and the error is never nil.
//
// Errors: http.ErrServerClosed; the listener's.
func (s *Server) Serve(listener net.Listener) error {
	front := &front{Listener: listener, left: make(chan accepted), done: make(chan struct{})}
	if !s.open(front) {
		_ = front.Close()
		return http.ErrServerClosed
	}
	go s.accept(front)
	err := s.Server.Serve(front)
	if s.closing.Load() {
		return http.ErrServerClosed // its listener was closed before it knew
	}
	return err
}

// open notes a listener; false: the server is shutting down.
func (s *Server) open(f *front) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing.Load() {
		s.fronts = append(s.fronts, f)
	}
	return !s.closing.Load()
}

// accept serves connections of TCP; net/http's server gets the others, and says
// what an error of the listener means.
func (s *Server) accept(from *front) {
	for {
		socket, err := from.Listener.Accept()
		tcp, ok := socket.(*net.TCPConn)
		switch {
		case errors.Is(err, net.ErrClosed):
			_ = from.Close()
			return
		case err != nil || !ok:
			from.leave(accepted{socket, err})
		default:
			c := &conn{TCPConn: tcp, server: s, front: from}
			if s.track(c) {
				go c.serve()
			}
		}
	}
}

// track notes a connection; false: the server is shutting down.
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

// Shutdown closes connections without a request and waits for the others'
// answers until ctx ends.
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

// stop closes the listeners and then the connections that are chosen, so that a client
// whose connection has ended is not accepted again.
func (s *Server) stop(choose func(*conn) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closing.Swap(true) && len(s.conns) == 0 {
		close(s.empty)
	}
	for _, f := range s.fronts {
		_ = f.Close()
	}
	for c := range s.conns {
		if choose(c) {
			_ = c.TCPConn.Close()
		}
	}
}

// front is the listener of net/http's server: it has the connections that are
// left to it.
type front struct {
	net.Listener

	left chan accepted
	once sync.Once
	err  error
	done chan struct{}
}

type accepted struct {
	net.Conn
	err error
}

// Accept waits for the next connection that is left to net/http.
func (f *front) Accept() (net.Conn, error) {
	select {
	case next := <-f.left:
		return next.Conn, next.err
	case <-f.done:
		return nil, net.ErrClosed
	}
}

// Close closes the listener, once.
func (f *front) Close() error {
	f.once.Do(func() {
		close(f.done)
		f.err = f.Listener.Close()
	})
	return f.err
}

// leave gives net/http's server a connection or an error of the listener.
func (f *front) leave(a accepted) {
	select {
	case f.left <- a:
	case <-f.done:
		if a.Conn != nil {
			_ = a.Conn.Close()
		}
	}
}

// unread is a connection of which something was read already.
type unread struct {
	*net.TCPConn

	ahead []byte
}

// Read returns what was read first.
func (u *unread) Read(into []byte) (int, error) {
	if len(u.ahead) == 0 {
		return u.TCPConn.Read(into)
	}
	count := copy(into, u.ahead)
	u.ahead = u.ahead[count:]
	return count, nil
}
