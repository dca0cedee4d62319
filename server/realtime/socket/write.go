package socket

import (
	"net"
	"slices"
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

// delayed is a frame that waits until the queue has room for it.
type delayed struct {
	frame *Frame
	owner any
}

// SendPaced is like Send, for one of many messages that come at once. While the queue is half full, the
// frame is kept to be queued later, in order, so that a client that reads is not disconnected because of
// their number. It returns false, and drops the frame, if too many frames wait. owner is for DropDelayed.
func (c *Conn) SendPaced(f *Frame, owner any) bool {
	ok := c.sendPaced(f, owner)
	if ok && c.server.queued.Load() > c.server.limits.Queued {
		c.server.evict()
	}
	return ok
}

func (c *Conn) sendPaced(f *Frame, owner any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closing || c.released {
		return true
	}
	if len(c.delayed) == 0 && !c.isHalfFull() {
		c.push(f)
		return true
	}
	limits := &c.server.limits
	if len(c.delayed) >= limits.Delayed || c.delayedBytes+len(f.data) > limits.DelayedBytes && len(c.delayed) >= minFrames {
		return false
	}
	c.delayed = append(c.delayed, delayed{f, owner})
	c.delayedBytes += len(f.data)
	c.server.count(f)
	return true
}

// DropDelayed drops the frames of an owner that wait for room in the queue.
func (c *Conn) DropDelayed(owner any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delayed = slices.DeleteFunc(c.delayed, func(d delayed) bool {
		if d.owner == owner {
			c.delayedBytes -= len(d.frame.data)
			c.server.uncount(d.frame)
		}
		return d.owner == owner
	})
	if len(c.delayed) == 0 {
		c.delayed = nil
	}
}

// queueDelayed moves frames that wait to the queue while it has room. c.mu is held.
func (c *Conn) queueDelayed() {
	for len(c.delayed) > 0 && !c.isHalfFull() {
		f := c.delayed[0].frame
		c.delayed[0] = delayed{}
		if c.delayed = c.delayed[1:]; len(c.delayed) == 0 {
			c.delayed = nil
		}
		c.delayedBytes -= len(f.data)
		c.queue = append(c.queue, f)
		c.bytes += len(f.data)
	}
}

func (c *Conn) isHalfFull() bool {
	return len(c.queue) >= c.server.limits.Frames/2 || c.bytes >= c.server.limits.Bytes/2
}

// push adds a frame to the queue. c.mu is held.
func (c *Conn) push(f *Frame) {
	c.queue = append(c.queue, f)
	c.bytes += len(f.data)
	c.server.count(f)
	if !c.writing {
		c.writing = true
		go c.write()
	}
}

// count counts the bytes of a frame in one more queue, and uncount in one less.
func (s *Server) count(f *Frame) {
	if f.queues.Add(1) == 1 {
		s.queued.Add(int64(len(f.data)))
	}
}

func (s *Server) uncount(f *Frame) {
	if f.queues.Add(-1) == 0 {
		s.queued.Add(-int64(len(f.data)))
	}
}

// uncount stops counting frames of the queue, and clears the slice. c.mu is held.
func (c *Conn) uncount(frames []*Frame) {
	for i, f := range frames {
		c.bytes -= len(f.data)
		c.server.uncount(f)
		frames[i] = nil
	}
}

// drop empties the queue and drops the frames that wait for room in it. c.mu is held.
func (c *Conn) drop() {
	c.uncount(c.queue)
	for _, d := range c.delayed {
		c.server.uncount(d.frame)
	}
	c.queue, c.delayed, c.delayedBytes = nil, nil, 0
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
		if held := c.bytes + c.delayedBytes; held > most && !c.closing {
			slowest, most = c, held
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

// take takes frames from the queue, and stops counting those that it took before, which are now written.
// It returns 0 if there are no more; writing ends then.
func (c *Conn) take(into []*Frame, written int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uncount(into[:written])
	c.queueDelayed()
	n := copy(into, c.queue)
	if c.queue = c.queue[n:]; len(c.queue) == 0 {
		c.queue = nil
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
		_, err = c.out.Write(parts[0])
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

// fail ends the connection after frames could not be written. Read returns an error then.
func (c *Conn) fail(frames []*Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.uncount(frames)
	c.drop()
	c.writing, c.closing = false, true
	_ = c.net.Close()
}
