// Package socket implements the server's side of WebSocket connections.
//
// An idle connection costs one goroutine and a small buffer. Messages to a client wait in a
// queue of shared frames; a goroutine that exists only while the queue is not empty writes
// them, many in one system call. Nothing is dropped from the middle of a queue: a client that
// reads too slowly is disconnected.
package socket

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gobwas/ws"
	"golang.org/x/sync/semaphore"

	"plaza/server/nonblock"
)

// Limits are the limits of connections. The zero value of a field means its default.
type Limits struct {
	Message  int           // bytes of a message from a client; 5 MB
	Messages int64         // bytes of large messages that are being received on all connections; 64 MB
	Idle     time.Duration // how long a client may send nothing, and how long receiving a message may take; 60 s
	Frames   int           // frames in a queue; 1,000
	Bytes    int           // bytes in a queue of 4 frames or more; 1 MB
	Delayed  int           // frames sent by SendPaced that wait for room in a queue; 10,000
	// DelayedBytes is the size of these frames, if they are 4 or more; 16 MB.
	DelayedBytes int
	Queued       int64         // bytes in all queues together, shared frames counted once; 256 MB
	Write        time.Duration // how long a write may take; 10 s
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Message: cmp.Or(l.Message, 5_000_000), Messages: cmp.Or(l.Messages, 64<<20), Idle: cmp.Or(l.Idle, time.Minute), Write: cmp.Or(l.Write, 10*time.Second),
		Frames: cmp.Or(l.Frames, 1_000), Bytes: cmp.Or(l.Bytes, 1<<20), Queued: cmp.Or(l.Queued, 256<<20),
		Delayed: cmp.Or(l.Delayed, 10_000), DelayedBytes: cmp.Or(l.DelayedBytes, 16<<20),
	}
}

// Stats are the counters of a Server's connections.
type Stats struct {
	Open                int64  // connections
	FramesIn, FramesOut uint64 // messages, and control frames of clients
	BytesIn, BytesOut   uint64 // of frames
	Queued              int64  // bytes in queues
	Slow                uint64 // connections closed because the client read too slowly
}

// Server accepts connections and bounds the memory that they use together.
type Server struct {
	limits Limits
	budget *semaphore.Weighted // of large messages

	mu    sync.Mutex
	conns map[*Conn]struct{}

	queued                                       atomic.Int64
	framesIn, framesOut, bytesIn, bytesOut, slow atomic.Uint64
}

// NewServer returns a Server.
func NewServer(limits Limits) *Server {
	limits = limits.withDefaults()
	return &Server{limits: limits, budget: semaphore.NewWeighted(limits.Messages), conns: make(map[*Conn]struct{})}
}

// Stats returns the current counters.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	open := len(s.conns)
	s.mu.Unlock()
	return Stats{int64(open), s.framesIn.Load(), s.framesOut.Load(), s.bytesIn.Load(), s.bytesOut.Load(), s.queued.Load(), s.slow.Load()}
}

// readBuffer is the size of a connection's buffer, which it also has while it is idle. Most messages
// fit; larger ones are read directly into their own memory.
const readBuffer = 512

// Conn is a connection to a client. One goroutine reads; any may send.
type Conn struct {
	server *Server
	net    net.Conn
	out    io.Writer // writes to net
	in     *bufio.Reader
	header [ws.MaxHeaderSize]byte // of the frame that is read
	budget int64                  // held for the message that was read last

	mu           sync.Mutex
	queue        []*Frame
	bytes        int       // in the queue, and of what is being written
	delayed      []delayed // frames that wait for room in the queue; writing is true while there are any
	delayedBytes int
	writing      bool      // a goroutine writes the queue
	renewed      time.Time // when the deadline of writes was last set
	closing      bool      // a close frame is the last in the queue
	released     bool      // Release was called
}

// Accept upgrades a request to a connection, or answers it with an error. The handler must return
// afterwards, so that nothing of the request stays in memory.
func (s *Server) Accept(w http.ResponseWriter, r *http.Request) (*Conn, error) {
	raw, buffered, _, err := ws.HTTPUpgrader{Timeout: s.limits.Write}.Upgrade(r, w)
	if err != nil {
		if raw != nil {
			_ = raw.Close()
		}
		return nil, err
	}
	socket := nonblock.New(raw)
	c := &Conn{server: s, net: raw, out: socket, in: bufio.NewReaderSize(withReadAhead(socket, buffered.Reader), readBuffer)}
	s.mu.Lock()
	s.conns[c] = struct{}{}
	s.mu.Unlock()
	return c, nil
}

// withReadAhead returns a reader that begins with the bytes that the HTTP server has read ahead.
func withReadAhead(raw io.Reader, buffered *bufio.Reader) io.Reader {
	begun, err := buffered.Peek(buffered.Buffered())
	if err != nil || len(begun) == 0 {
		return raw
	}
	return io.MultiReader(bytes.NewReader(bytes.Clone(begun)), raw)
}

// Close closes the connection after its queue is written, with a close frame that the client
// answers; Read returns then. The code is one of the WebSocket protocol.
func (c *Conn) Close(code ws.StatusCode, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.close(code, reason, c.server.limits.Write)
}

// close queues a close frame. The connection ends when within has passed, at the latest. c.mu is held.
func (c *Conn) close(code ws.StatusCode, reason string, within time.Duration) {
	if c.closing || c.released {
		return
	}
	c.push(closeFrame(code, reason))
	c.closing = true
	_ = c.net.SetDeadline(time.Now().Add(within))
}

// Release frees the connection. If it is being closed, its queue with the close frame is written
// before. Release must be called after the last Read.
func (c *Conn) Release() {
	c.releaseBudget()
	c.server.mu.Lock()
	delete(c.server.conns, c)
	c.server.mu.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.released = true
	if !c.closing {
		c.drop()
	}
	if !c.writing {
		_ = c.net.Close()
	}
}
