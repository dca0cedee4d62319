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
	maxPlain    = 64 << 10 // bytes of a plain request
	lingerTime  = 500 * time.Millisecond

	// net/http's server makes nothing of fewer bytes after a request.
	peeked = 4
)

// conn is a connection whose requests were plain so far.
type conn struct {
	*net.TCPConn

	server *Server
	front  *front
	base   context.Context // what its requests have in common
	remote string

	buffer    []byte       // what has arrived and is not yet served
	searched  int          // bytes of it in which the head does not end
	body      int          // where the body begins, once the head was parsed
	whole     int          // bytes of the whole request; 0 until its head was parsed
	request   http.Request // the next one, which only a copy of leaves: with its context
	headSpace []byte       // for heads of answers, with what is short
	bodySpace []byte       // for what is held back of bodies
	headers   int          // that the last answer had
	last      string       // the method of the request before; empty: there was none
	serving   atomic.Pointer[response]
}

// ended marks a connection on which no request is served any more.
var ended = &response{}

func (c *conn) serve() {
	defer c.server.forget(c)
	c.base = context.WithValue(c.server.base, http.LocalAddrContextKey, c.LocalAddr())
	c.remote = c.RemoteAddr().String()
	for {
		err := c.next()
		switch {
		case errors.Is(err, errNotPlain):
			_ = c.SetReadDeadline(time.Time{})
			c.front.leave(accepted{&unread{c.TCPConn, c.buffer}, nil})
			return
		case err != nil:
			_ = c.Close() // idle for too long, or the client has gone
			return
		}
		if !c.answer() {
			c.end()
			return
		}
	}
}

// next waits for a request and puts it into c.request.
//
// Errors: errNotPlain, with what has arrived in c.buffer; the connection's.
func (c *conn) next() error {
	deadline, least := within(c.server.IdleTimeout), 1
	if c.last != "" {
		least = peeked
	}
	for begun := false; ; {
		if len(c.buffer) >= least {
			c.forgive()
			least = 1
		}
		if len(c.buffer) >= least {
			err := c.parse()
			if err != errIncomplete { // never wrapped
				return err
			}
			if !begun { // the rest of it has to come in one span of time
				begun, deadline = true, within(c.server.ReadHeaderTimeout)
			}
		}
		if err := c.read(deadline); err != nil {
			if len(c.buffer) >= least {
				return errNotPlain // an end within a request, or a slow one
			}
			return err
		}
	}
}

// within is the deadline of a limit; 0 is none.
func within(limit time.Duration) time.Time {
	if limit <= 0 {
		return time.Time{}
	}
	return time.Now().Add(limit)
}

// forgive drops line ends after a POST, which some old clients send.
//
// Source: net/http's server, RFC 9112 section 2.2.
func (c *conn) forgive() {
	if c.last != http.MethodPost {
		return
	}
	c.last = http.MethodGet
	ends := 0
	for ends < peeked && (c.buffer[ends] == '\r' || c.buffer[ends] == '\n') {
		ends++
	}
	c.buffer = c.buffer[:copy(c.buffer, c.buffer[ends:])]
}

// read adds what arrives to the buffer, which has room.
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
	count, err := c.Read(c.buffer[len(c.buffer):cap(c.buffer)])
	c.buffer = c.buffer[:len(c.buffer)+count]
	if count > 0 {
		return nil // an error comes again
	}
	return err
}

// answer serves the request; keep tells whether another may follow.
func (c *conn) answer() (keep bool) {
	ctx, cancel := context.WithCancel(c.base)
	defer cancel()
	request := c.request.WithContext(ctx)
	c.request = http.Request{}
	c.last = request.Method
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

// end closes the connection so that the last answer still arrives: a connection
// closed with something unread is reset.
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
