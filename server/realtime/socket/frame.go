package socket

import (
	"encoding/binary"
	"sync/atomic"

	"github.com/gobwas/ws"
)

// Frame is a message to clients as it is sent. One Frame may be sent to any number of them.
type Frame struct {
	data   []byte
	queues atomic.Int32 // number of queues that hold it
}

// Size returns the number of bytes of a frame.
func (f *Frame) Size() int { return len(f.data) }

// headerRoom is the maximum size of the header of an unmasked frame.
const headerRoom = 10

// Text returns a text message. appendTo appends its payload, which must be UTF-8.
func Text(appendTo func(out []byte) []byte) *Frame {
	return Message(func(out []byte) ([]byte, bool) { return appendTo(out), false })
}

// Message returns a message. appendTo appends its payload and reports whether it is a binary
// message.
func Message(appendTo func(out []byte) (_ []byte, isBinary bool)) *Frame {
	return newFrame(func(out []byte) ([]byte, ws.OpCode) {
		out, isBinary := appendTo(out)
		if isBinary {
			return out, ws.OpBinary
		}
		return out, ws.OpText
	})
}

func newFrame(appendTo func(out []byte) ([]byte, ws.OpCode)) *Frame {
	const usual = 256
	out, code := appendTo(make([]byte, headerRoom, usual))
	size := len(out) - headerRoom
	start := headerRoom
	switch {
	case size < 126:
		start -= 2
		out[start+1] = byte(size)
	case size < 1<<16:
		start -= 4
		out[start+1] = 126
		binary.BigEndian.PutUint16(out[start+2:], uint16(size))
	default:
		start -= 10
		out[start+1] = 127
		binary.BigEndian.PutUint64(out[start+2:], uint64(size))
	}
	out[start] = 0x80 | byte(code) // not fragmented
	return &Frame{data: out[start:]}
}

func closeFrame(code ws.StatusCode, reason string) *Frame {
	return newFrame(func(out []byte) ([]byte, ws.OpCode) {
		if code != 0 {
			out = binary.BigEndian.AppendUint16(out, uint16(code))
			out = append(out, reason[:min(len(reason), maxReason)]...)
		}
		return out, ws.OpClose
	})
}

// maxReason is the maximum length of the reason in a close frame.
const maxReason = ws.MaxControlFramePayloadSize - 2
