package socket

import (
	"net"
	"sync"
	"time"

	"github.com/gobwas/ws"
)

// Send queues a frame. It returns false if the connection is closing or the queue is full; then the
// client is disconnected.
func (c *Conn) Send(f *Frame) bool {
	sent := c.send(f)
	if sent && c.server.queued.Load() > c.server.limits.Queued {
		c.server.evict()
	}
	return sent
}

// minFrames is the number of frames that may be in a queue whatever their size.
const minFrames = 4

func (c *Conn) send(f *Frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing || c.released {
		return false
	}
	limits := &c.server.limits
	if len(c.queue) >= limits.Frames || c.bytes+len(f.data) > limits.Bytes && len(c.queue) >= minFrames {
		c.disconnectSlow()
		return false
	}
	c.push(f)
	return true
}

// SendNow is like Send, for the goroutine that reads: it writes the queue itself, which saves a
// goroutine.
func (c *Conn) SendNow(f *Frame) {
	c.mu.Lock()
	if c.writing || c.closing || c.released {
		c.mu.Unlock()
		c.Send(f)
		return
	}
	c.writing = true // so that push starts no goroutine
	c.push(f)
	c.mu.Unlock()
	c.write()
}

// SendWithin is like Send, for one of many messages: it waits while the queue is more than half full,
// so that a client that reads is not disconnected because of their number.
func (c *Conn) SendWithin(f *Frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.isHalfFull() && !c.closing && !c.released {
		c.hasRoom.Wait()
	}
	if c.closing || c.released {
		return false
	}
	c.push(f)
	return true
}

// TrySend queues a frame unless the queue is half full. It reports whether it did.
func (c *Conn) TrySend(f *Frame) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.isHalfFull() || c.closing || c.released {
		return false
	}
	c.push(f)
	return true
}

func (c *Conn) isHalfFull() bool {
	return len(c.queue) >= c.server.limits.Frames/2 || c.bytes >= c.server.limits.Bytes/2
}

// push adds a frame to the queue. c.mu is held.
func (c *Conn) push(f *Frame) {
	c.queue = append(c.queue, f)
	c.bytes += len(f.data)
	if f.queues.Add(1) == 1 {
		c.server.queued.Add(int64(len(f.data)))
	}
	if !c.writing {
		c.writing = true
		go c.write()
	}
}

// uncount removes frames from the counts of queued bytes. c.mu is held.
func (c *Conn) uncount(frames []*Frame) {
	for i, f := range frames {
		c.bytes -= len(f.data)
		if f.queues.Add(-1) == 0 {
			c.server.queued.Add(-int64(len(f.data)))
		}
		frames[i] = nil
	}
}

// drop empties the queue. c.mu is held.
func (c *Conn) drop() {
	c.uncount(c.queue)
	c.queue = nil
}

// slowTimeout is how long a client that reads too slowly has to read the close frame.
const slowTimeout = 2 * time.Second

// disconnectSlow disconnects a client that reads too slowly. c.mu is held.
func (c *Conn) disconnectSlow() {
	c.drop()
	c.server.slow.Add(1)
	c.close(statusTryAgainLater, "the client reads too slowly", slowTimeout)
}

// statusTryAgainLater is not among the codes of package ws.
//
// Source: IANA's WebSocket Close Code Number Registry.
const statusTryAgainLater ws.StatusCode = 1013

// evict disconnects the client with the most bytes in its queue.
func (s *Server) evict() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.queued.Load() <= s.limits.Queued { // another goroutine has evicted one
		return
	}
	var slowest *Conn
	most := 0
	for c := range s.conns {
		c.mu.Lock()
		if c.bytes > most && !c.closing {
			slowest, most = c, c.bytes
		}
		c.mu.Unlock()
	}
	if slowest != nil {
		slowest.mu.Lock()
		slowest.disconnectSlow()
		slowest.mu.Unlock()
	}
}

// batch has the frames that are written in one system call.
type batch struct {
	frames [64]*Frame
	parts  [64][]byte
}

var batches = sync.Pool{New: func() any { return new(batch) }}

// write writes the queue until it is empty.
func (c *Conn) write() {
	b := batches.Get().(*batch)
	defer batches.Put(b)
	for n := 0; ; {
		if n = c.take(b.frames[:], n); n == 0 {
			return
		}
		for i, f := range b.frames[:n] {
			b.parts[i] = f.data
		}
		err := c.writeAll(b.parts[:n])
		clear(b.parts[:n])
		if err != nil {
			c.fail(b.frames[:n])
			return
		}
	}
}

// take takes frames from the queue, and stops counting those taken before, which are written. It
// returns 0 if there are no more: writing ends.
func (c *Conn) take(into []*Frame, written int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uncount(into[:written])
	n := copy(into, c.queue)
	if c.queue = c.queue[n:]; len(c.queue) == 0 {
		c.queue = nil
	}
	if !c.isHalfFull() {
		c.hasRoom.Broadcast()
	}
	if n > 0 {
		return n
	}
	c.writing = false
	if c.released {
		_ = c.net.Close()
	}
	return 0
}

func (c *Conn) writeAll(parts [][]byte) error {
	c.renewWriteDeadline()
	size, frames := 0, len(parts)
	for _, part := range parts {
		size += len(part)
	}
	var err error
	if frames == 1 {
		_, err = c.net.Write(parts[0])
	} else {
		buffers := net.Buffers(parts)
		_, err = buffers.WriteTo(c.net)
	}
	if err == nil {
		c.server.framesOut.Add(uint64(frames))
		c.server.bytesOut.Add(uint64(size))
	}
	return err
}

// renewWriteDeadline sets the deadline of a write. Setting it takes a considerable part of a write's
// time, so it is only renewed when a quarter of it has passed.
func (c *Conn) renewWriteDeadline() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, limit := time.Now(), c.server.limits.Write
	if !c.closing && now.Sub(c.renewed) > limit/4 { // otherwise close has set the deadline
		c.renewed = now
		_ = c.net.SetWriteDeadline(now.Add(limit))
	}
}

// fail ends the connection after frames could not be written. Read returns, too.
func (c *Conn) fail(frames []*Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uncount(frames)
	c.drop()
	c.writing, c.closing = false, true
	c.hasRoom.Broadcast()
	_ = c.net.Close()
}
