package http1

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"sync"

	"golang.org/x/net/http/httpguts"
)

var (
	errIncomplete = errors.New("more of the request is to come")
	errNotPlain   = errors.New("the request is for net/http's server")

	headEnd = []byte("\r\n\r\n")
	lineEnd = []byte("\r\n")
	newLine = []byte("\n")
	host    = []byte("Host:")
)

// parse takes a request out of the buffer.
//
// Errors: errIncomplete; errNotPlain, with the buffer as it was.
func (c *conn) parse() (*http.Request, error) {
	if first := c.buffer[0]; first < 'A' || first > 'Z' {
		return nil, errNotPlain // no method; a handshake of TLS, say
	}
	end := bytes.Index(c.buffer, headEnd)
	if end < 0 {
		return nil, c.incomplete()
	}
	head := c.buffer[:end+len(headEnd)]
	request, err := readHead(head)
	if err != nil || !plain(request, head) {
		return nil, errNotPlain
	}
	whole := len(head) + int(request.ContentLength)
	if request.ContentLength > maxPlain || whole > maxPlain {
		return nil, errNotPlain
	}
	if len(c.buffer) < whole {
		return nil, c.incomplete()
	}
	request.RemoteAddr, request.Body = c.remote, http.NoBody
	if request.ContentLength > 0 {
		// A copy, as a handler may have left something behind that still reads.
		request.Body = io.NopCloser(bytes.NewReader(bytes.Clone(c.buffer[len(head):whole])))
	}
	c.buffer = c.buffer[:copy(c.buffer, c.buffer[whole:])]
	return request, nil
}

// incomplete is errIncomplete as long as there may be room for the rest.
func (c *conn) incomplete() error {
	if len(c.buffer) >= maxPlain {
		return errNotPlain
	}
	return errIncomplete
}

// headReader is what http.ReadRequest reads from.
type headReader struct {
	bytes    bytes.Reader
	buffered *bufio.Reader
}

var headReaders = sync.Pool{New: func() any {
	r := &headReader{}
	r.buffered = bufio.NewReaderSize(&r.bytes, firstBuffer)
	return r
}}

// readHead parses a head.
//
// Errors: errNotPlain where it ends earlier, as it does after two bare line
// feeds; http.ReadRequest's.
func readHead(head []byte) (*http.Request, error) {
	from := headReaders.Get().(*headReader)
	defer headReaders.Put(from)
	from.bytes.Reset(head)
	from.buffered.Reset(&from.bytes)
	request, err := http.ReadRequest(from.buffered)
	if err == nil && from.bytes.Len()+from.buffered.Buffered() > 0 {
		err = errNotPlain
	}
	return request, err
}

// plain tells whether a request is one for this package, and has nothing in its
// head that net/http's server would refuse.
func plain(r *http.Request, head []byte) bool {
	if r.Proto != "HTTP/1.1" || r.Close || r.ContentLength < 0 || len(r.TransferEncoding) > 0 || r.Method == http.MethodConnect || r.RequestURI == "*" {
		return false
	}
	if !oneHost(head) || r.Host == "" || !httpguts.ValidHostHeader(r.Host) {
		return false
	}
	for name, values := range r.Header {
		switch name {
		case "Connection", "Expect", "Upgrade", "Trailer", "Http2-Settings":
			if name != "Connection" || len(values) != 1 || values[0] != "keep-alive" {
				return false
			}
		}
		if !httpguts.ValidHeaderFieldName(name) {
			return false
		}
		for _, value := range values {
			if !httpguts.ValidHeaderFieldValue(value) {
				return false
			}
		}
	}
	return true
}

// oneHost tells whether a head has one line of a host, which http.ReadRequest
// does not say.
func oneHost(head []byte) bool {
	found := 0
	for line := range bytes.SplitSeq(head, newLine) {
		if len(line) >= len(host) && bytes.EqualFold(line[:len(host)], host) {
			found++
		}
	}
	return found == 1
}
