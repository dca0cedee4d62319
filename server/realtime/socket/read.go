package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

// ErrClosed means that the client has sent a close frame.
var ErrClosed = errors.New("the client has sent a close frame")

const (
	// largeMessage is the size beyond which a message counts against the limit of all
	// connections.
	largeMessage = 64 << 10
	// firstRead is how many bytes of a message are allocated before any has arrived.
	firstRead = 4 << 10
)

// Read returns the next message. A text message is UTF-8. The memory of a large message counts against
// the limit of all connections until the next call.
//
// Errors: ErrClosed; whatever else ends the connection. The caller must call Release then.
func (c *Conn) Read() (isBinary bool, data []byte, err error) {
	c.releaseBudget()
	state := ws.StateServerSide
	for {
		if !state.Fragmented() {
			c.setReadDeadline()
		}
		h, err := ws.ReadHeaderBuffer(c.in, c.header[:])
		if err != nil {
			return false, nil, err
		}
		if err := ws.CheckHeader(h, state); err != nil {
			return false, nil, c.refuse(ws.StatusProtocolError, err)
		}
		c.server.framesIn.Add(1)
		c.server.bytesIn.Add(uint64(h.Length))
		if h.OpCode.IsControl() {
			if err := c.control(h); err != nil {
				return false, nil, err
			}
			continue
		}
		if h.OpCode != ws.OpContinuation {
			isBinary = h.OpCode == ws.OpBinary
		}
		if data, err = c.appendPayload(data, h); err != nil {
			return false, nil, err
		}
		if !h.Fin {
			state = state.Set(ws.StateFragmented)
			continue
		}
		if !isBinary && !utf8.Valid(data) {
			return false, nil, c.refuse(ws.StatusInvalidFramePayloadData, errors.New("a text is not UTF-8"))
		}
		return isBinary, data, nil
	}
}

// HasBuffered reports whether a part of the next message is in the read buffer.
func (c *Conn) HasBuffered() bool { return c.in.Buffered() > 0 }

func (c *Conn) setReadDeadline() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closing { // otherwise close has set the deadline
		_ = c.net.SetReadDeadline(time.Now().Add(c.server.limits.Idle))
	}
}

// appendPayload reads the payload of a data frame. Memory is allocated as it arrives.
func (c *Conn) appendPayload(data []byte, h ws.Header) ([]byte, error) {
	start := len(data)
	if h.Length > int64(c.server.limits.Message-start) {
		return nil, c.refuse(ws.StatusMessageTooBig, fmt.Errorf("a message has more than %d bytes", c.server.limits.Message))
	}
	size := start + int(h.Length)
	if size > largeMessage {
		if err := c.reserve(h.Length); err != nil {
			return nil, c.refuse(statusTryAgainLater, err)
		}
	}
	for len(data) < size {
		next := min(size, max(2*len(data), start+firstRead))
		data = slices.Grow(data, next-len(data))
		read, err := io.ReadFull(c.in, data[len(data):next])
		data = data[:len(data)+read]
		if err != nil {
			return nil, err
		}
	}
	ws.Cipher(data[start:], h.Mask, 0)
	return data, nil
}

// reserve waits until the limit allows a part of a large message.
func (c *Conn) reserve(size int64) error {
	within, cancel := context.WithTimeout(context.Background(), c.server.limits.Idle)
	defer cancel()
	if err := c.server.budget.Acquire(within, size); err != nil {
		return errors.New("too many large messages at once")
	}
	c.budget += size
	return nil
}

func (c *Conn) releaseBudget() {
	c.server.budget.Release(c.budget)
	c.budget = 0
}

// control handles a control frame.
func (c *Conn) control(h ws.Header) error {
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(c.in, payload); err != nil {
		return err
	}
	ws.Cipher(payload, h.Mask, 0)
	switch h.OpCode {
	case ws.OpPing:
		c.Send(newFrame(func(out []byte) ([]byte, ws.OpCode) { return append(out, payload...), ws.OpPong }))
	case ws.OpClose:
		code, reason := ws.ParseCloseFrameData(payload)
		if err := ws.CheckCloseFrameData(code, reason); err != nil && len(payload) > 0 {
			return c.refuse(ws.StatusProtocolError, err)
		}
		c.Close(code, "")
		return ErrClosed
	}
	return nil
}

// Limits of what is read after a message was refused.
const (
	lingerTime  = 2 * time.Second
	lingerBytes = 16 << 20
)

// refuse closes the connection and discards further data for a while: if the connection was closed
// with unread data, the client might lose the close frame.
func (c *Conn) refuse(code ws.StatusCode, err error) error {
	c.mu.Lock()
	c.close(code, err.Error(), lingerTime)
	c.mu.Unlock()
	_, _ = io.CopyN(io.Discard, c.in, lingerBytes)
	return err
}
