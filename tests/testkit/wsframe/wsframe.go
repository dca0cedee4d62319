// Package wsframe reads the frames of a WebSocket server, one by one, for tests of the protocol itself.
package wsframe

import (
	"io"

	"github.com/gobwas/ws"
)

// maxPayload is far above what any test is sent.
const maxPayload = 64 << 20

// Read reads a frame.
func Read(from io.Reader) (code ws.OpCode, payload []byte, err error) {
	header, err := ws.ReadHeader(from)
	if err != nil {
		return 0, nil, err
	}
	payload, err = io.ReadAll(io.LimitReader(from, min(header.Length, maxPayload)))
	if err == nil && int64(len(payload)) < header.Length {
		err = io.ErrUnexpectedEOF
	}
	return header.OpCode, payload, err
}
