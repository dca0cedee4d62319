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
	errIncomplete = errors.New("the request is incomplete")
	errNotSimple  = errors.New("the request is for the fallback")

	headEnd = []byte("\r\n\r\n")
	lineEnd = []byte("\r\n")
)

// parse moves a request from the buffer to c.request. It may be called after each read:
// the head is searched and parsed only once.
//
// Errors: errIncomplete; errNotSimple, with the buffer unchanged.
func (c *conn) parse() error {
	if c.whole == 0 {
		if err := c.parseHead(); err != nil {
			return err
		}
	}
	if c.whole > len(c.buffer) {
		return c.incomplete()
	}
	request, body, whole := &c.request, c.body, c.whole
	c.searched, c.body, c.whole = 0, 0, 0
	request.RemoteAddr = c.remote
	if whole > body {
		// A copy, since a goroutine of the handler may read it later.
		request.Body = io.NopCloser(bytes.NewReader(bytes.Clone(c.buffer[body:whole])))
	}
	c.buffer = c.buffer[:copy(c.buffer, c.buffer[whole:])]
	return nil
}

// parseHead parses the head of the request, once all of it was received.
func (c *conn) parseHead() error {
	if first := c.buffer[0]; first < 'A' || first > 'Z' {
		return errNotSimple // not a method; a TLS handshake, for example
	}
	end := bytes.Index(c.buffer[c.searched:], headEnd)
	if end < 0 {
		c.searched = max(0, len(c.buffer)-len(headEnd)+1)
		return c.incomplete()
	}
	end += c.searched
	if !parseHead(&c.request, string(c.buffer[:end])) || c.request.ContentLength > maxSimple {
		return errNotSimple
	}
	body := end + len(headEnd)
	if body+int(c.request.ContentLength) > maxSimple {
		return errNotSimple
	}
	c.body, c.whole = body, body+int(c.request.ContentLength)
	return nil
}

// incomplete returns errIncomplete, or errNotSimple if there is no room for the rest.
func (c *conn) incomplete() error {
	if len(c.buffer) >= maxSimple {
		return errNotSimple
	}
	return errIncomplete
}

// parseHead parses a head without its last two line ends. It returns false if the request
// is not simple or net/http's server would reject it.
func parseHead(r *http.Request, head string) bool {
	first, lines, _ := strings.Cut(head, "\r\n")
	method, rest, _ := strings.Cut(first, " ")
	target, version, _ := strings.Cut(rest, " ")
	if version != "HTTP/1.1" || !strings.HasPrefix(target, "/") || !isUpper(method) || method == http.MethodConnect {
		return false
	}
	address, err := url.ParseRequestURI(target)
	if err != nil {
		return false
	}
	*r = http.Request{
		Method: method, URL: address, RequestURI: target, Proto: version, ProtoMajor: 1, ProtoMinor: 1, Body: http.NoBody,
	}
	return readHeader(r, lines) && r.Host != "" && httpguts.ValidHostHeader(r.Host)
}

// isUpper reports whether a text consists of capital letters.
func isUpper(text string) bool {
	for _, char := range []byte(text) {
		if char < 'A' || char > 'Z' {
			return false
		}
	}
	return true
}

// trim is strings.Trim of spaces and tabs, at a fraction of its cost.
func trim(text string) string {
	isSpace := func(char byte) bool { return char == ' ' || char == '\t' }
	for text != "" && isSpace(text[0]) {
		text = text[1:]
	}
	for text != "" && isSpace(text[len(text)-1]) {
		text = text[:len(text)-1]
	}
	return text
}

// readHeader parses header lines. It returns false if the request is not simple.
func readHeader(r *http.Request, lines string) bool {
	// The values of all headers share an array.
	count := strings.Count(lines, "\r\n") + 1
	r.Header = make(http.Header, count)
	values := make([]string, 0, count)
	for lines != "" {
		var line string
		line, lines, _ = strings.Cut(lines, "\r\n")
		name, value, _ := strings.Cut(line, ":")
		if value = trim(value); !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) || len(name) == len(line) {
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
			r.ContentLength = int64(length) // of 63 bits
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
