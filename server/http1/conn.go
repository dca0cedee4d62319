package http1

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"runtime/debug"
	"sync/atomic"
	"time"
)

const (
	firstBuffer = 4 << 10  // bytes; most requests are smaller
	maxSimple   = 64 << 10 // bytes of a simple request
	lingerTime  = 500 * time.Millisecond

	// minNextRequest is how many bytes must arrive before another request on a connection is parsed. If the client sends
	// fewer and closes, net/http, which peeks at 4, does not answer.
	minNextRequest = 4
)

// conn is a connection whose requests were simple so far.
type conn struct {
	*net.TCPConn

	socket   io.ReadWriter // reads and writes TCPConn
	server   *Server
	fallback *fallbackListener
	base     context.Context // of its requests
	remote   string

	buffer    []byte       // received and not yet served
	searched  int          // bytes of it that were searched for the end of the head
	body      int          // offset of the body, once the head was parsed
	whole     int          // size of the request; 0 until its head was parsed
	request   http.Request // the next one; its handler gets a copy with a context
	headSpace []byte       // reused for heads of responses
	bodySpace []byte       // reused for buffered bodies
	headers   int          // number of headers of the last response: the capacity for the next
	served    bool         // a request was served
	afterPOST bool         // the last request was a POST, after which some old clients send line ends
	serving   atomic.Pointer[response]
}

// ended marks a connection that serves no more requests.
var ended = &response{}

func (c *conn) serve() {
	defer c.server.forget(c)
	c.base = context.WithValue(c.server.base, http.LocalAddrContextKey, c.LocalAddr())
	c.remote = c.RemoteAddr().String()
	for {
		err := c.next()
		switch {
		case errors.Is(err, errNotSimple):
			_ = c.SetReadDeadline(time.Time{})
			c.fallback.hand(accepted{&unread{c.TCPConn, c.buffer}, nil})
			return
		case err != nil:
			_ = c.Close() // idle for too long, or the client disconnected
			return
		}
		if !c.serveRequest() {
			c.end()
			return
		}
	}
}

// next waits for a request and puts it into c.request.
//
// Errors: errNotSimple, with what was received in c.buffer; the connection's.
func (c *conn) next() error {
	deadline, least := within(c.server.IdleTimeout), 1
	if c.served {
		least = minNextRequest
	}
	for begun := false; ; {
		if len(c.buffer) >= least {
			c.skipLineEnds()
			least = 1
		}
		if len(c.buffer) >= least {
			err := c.parse()
			if err != errIncomplete { // never wrapped
				return err
			}
			if !begun { // the rest must arrive before one deadline
				begun, deadline = true, within(c.server.ReadHeaderTimeout)
			}
		}
		if err := c.read(deadline); err != nil {
			if len(c.buffer) >= least {
				return errNotSimple // the client has disconnected within a request, or is too slow
			}
			return err
		}
	}
}

// within returns the deadline of a timeout; 0 means none.
func within(limit time.Duration) time.Time {
	if limit <= 0 {
		return time.Time{}
	}
	return time.Now().Add(limit)
}

// skipLineEnds drops line ends after a POST, which some old clients send.
//
// Source: net/http's server, RFC 9112 section 2.2.
func (c *conn) skipLineEnds() {
	if !c.afterPOST {
		return
	}
	c.afterPOST = false
	ends := 0
	for ends < minNextRequest && (c.buffer[ends] == '\r' || c.buffer[ends] == '\n') {
		ends++
	}
	c.buffer = c.buffer[:copy(c.buffer, c.buffer[ends:])]
}

// read receives into the buffer, which it grows.
func (c *conn) read(deadline time.Time) error {
	if err := c.SetReadDeadline(deadline); err != nil {
		return err
	}
	if len(c.buffer) == 0 && cap(c.buffer) != firstBuffer {
		c.buffer = make([]byte, 0, firstBuffer)
	}
	if len(c.buffer) == cap(c.buffer) {
		larger := make([]byte, len(c.buffer), 2*cap(c.buffer))
		copy(larger, c.buffer)
		c.buffer = larger
	}
	count, err := c.socket.Read(c.buffer[len(c.buffer):cap(c.buffer)])
	c.buffer = c.buffer[:len(c.buffer)+count]
	if count > 0 {
		return nil // the next read returns the error again
	}
	return err
}

// serveRequest serves the request and reports whether another may follow.
func (c *conn) serveRequest() (keep bool) {
	ctx, cancel := context.WithCancel(c.base)
	defer cancel()
	request := c.request.WithContext(ctx)
	c.request = http.Request{}
	c.served, c.afterPOST = true, request.Method == http.MethodPost
	w := &response{conn: c, head: request.Method == http.MethodHead, header: make(http.Header, c.headers), cancel: cancel, length: unknown, out: c.headSpace[:0], held: c.bodySpace[:0]}
	if !c.serving.CompareAndSwap(nil, w) {
		return false // shut down
	}
	c.server.watch()
	defer func() {
		if cause := recover(); cause != nil {
			keep = false
			if cause != http.ErrAbortHandler { // net/http compares it so, too
				c.logf("http: panic serving %v: %v\n%s", c.remote, cause, debug.Stack())
			}
		}
		w.done.Store(true)
		c.serving.Store(nil)
		keep = keep && !c.server.closing.Load()
	}()
	c.server.Handler.ServeHTTP(w, request)
	keep, c.headers = w.finish(), len(w.header)
	c.headSpace, c.bodySpace = w.out, w.held
	return keep
}

// end closes the connection so that the last response still arrives: a connection that
// is closed with unread input is reset.
func (c *conn) end() {
	_ = c.CloseWrite()
	_ = c.SetReadDeadline(time.Now().Add(lingerTime))
	_, _ = io.Copy(io.Discard, c.TCPConn)
	_ = c.Close()
}

func (c *conn) logf(format string, args ...any) {
	if c.server.ErrorLog != nil {
		c.server.ErrorLog.Printf(format, args...)
		return
	}
	log.Printf(format, args...)
}
