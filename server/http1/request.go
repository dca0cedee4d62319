package http1

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

var (
	errIncomplete = errors.New("more of the request is to come")
	errNotPlain   = errors.New("the request is for net/http's server")

	headEnd = []byte("\r\n\r\n")
	lineEnd = []byte("\r\n")
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
	request := parseHead(string(c.buffer[:end]))
	if request == nil || request.ContentLength > maxPlain {
		return nil, errNotPlain
	}
	body := end + len(headEnd)
	whole := body + int(request.ContentLength)
	switch {
	case whole > maxPlain:
		return nil, errNotPlain
	case whole > len(c.buffer):
		return nil, c.incomplete()
	}
	request.RemoteAddr = c.remote
	if whole > body {
		// A copy, as a handler may leave something behind that still reads.
		request.Body = io.NopCloser(bytes.NewReader(bytes.Clone(c.buffer[body:whole])))
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

// parseHead reads a head without its last two line ends; nil where the request is not
// plain, or net/http's server would refuse it.
func parseHead(head string) *http.Request {
	first, lines, _ := strings.Cut(head, "\r\n")
	method, rest, _ := strings.Cut(first, " ")
	target, version, _ := strings.Cut(rest, " ")
	if version != "HTTP/1.1" || !strings.HasPrefix(target, "/") || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || method == http.MethodConnect {
		return nil
	}
	address, err := url.ParseRequestURI(target)
	if err != nil {
		return nil
	}
	r := &http.Request{
		Method: method, URL: address, RequestURI: target, Proto: version, ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
	}
	if !readHeader(r, lines) || r.Host == "" || !httpguts.ValidHostHeader(r.Host) {
		return nil
	}
	return r
}

// readHeader adds lines to a request; false: it is not plain.
func readHeader(r *http.Request, lines string) bool {
	// All values of one element each share an array.
	count := strings.Count(lines, "\r\n") + 1
	r.Header = make(http.Header, count)
	values := make([]string, 0, count)
	for lines != "" {
		var line string
		line, lines, _ = strings.Cut(lines, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		if value = strings.Trim(value, " \t"); !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || len(name) == len(line) {
			return false
		}
		name = textproto.CanonicalMIMEHeaderKey(name)
		known, again := r.Header[name]
		switch name {
		case "Host":
			if value == "" || r.Host != "" {
				return false
			}
			r.Host = value
			continue
		case "Content-Length":
			length, err := strconv.ParseUint(value, 10, 63)
			if err != nil || again {
				return false
			}
			r.ContentLength = int64(length) //nolint:gosec // of 63 bits
		case "Connection":
			if !strings.EqualFold(value, "keep-alive") || again {
				return false
			}
		case "Transfer-Encoding", "Trailer", "Expect", "Upgrade", "Http2-Settings", "Pragma":
			return false
		}
		values = append(values, value)
		if last := len(values); !again {
			known = values[last-1 : last-1 : last]
		}
		r.Header[name] = append(known, value)
	}
	return true
}
