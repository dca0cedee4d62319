package http1

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/textproto"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/net/http/httpguts"
)

const (
	maxBuffered = 4 << 10 // bytes of a body that are buffered, to be sent in one write with what follows
	sniffed     = 512     // bytes of a body that determine its type
	unknown     = -1      // a length
)

// response is an http.ResponseWriter, also for http.ResponseController. It adds and omits
// the same headers as net/http's.
type response struct {
	conn   *conn
	cancel context.CancelFunc
	header http.Header
	head   bool        // the request's method is HEAD
	seen   atomic.Bool // watchClients has seen it before
	done   atomic.Bool // the handler has returned

	status   int    // 0: none yet
	out      []byte // the head so far
	held     []byte // buffered part of the body
	sent     bool   // the head was sent
	chunked  bool
	last     bool     // the connection is closed after this response
	sniff    bool     // the Content-Type is determined by the body
	length   int64    // of the body: declared by the handler, or unknown
	written  int64    // bytes of the body
	trailing bool     // trailers follow the body …
	trailers []string // … of these declared names
	err      error    // of the connection
}

// Header returns the headers, which may be changed until the first byte is written.
func (w *response) Header() http.Header { return w.header }

// WriteHeader sets the status. An informational status is sent at once.
func (w *response) WriteHeader(status int) {
	if status < 100 || status > 999 {
		panic("invalid WriteHeader code " + strconv.Itoa(status))
	}
	switch {
	case w.done.Load():
		return
	case w.status != 0:
		w.conn.logf("http: superfluous response.WriteHeader call")
	case status < 200 && status != http.StatusSwitchingProtocols:
		out := appendHeader(appendStatus(nil, status), w.header, map[string]bool{"Content-Length": true, "Transfer-Encoding": true})
		w.transmit(append(out, lineEnd...))
	default:
		w.status = status
		w.begin()
	}
}

// begin writes the head, without what depends on the body.
func (w *response) begin() {
	var without map[string]bool
	omit := func(names ...string) {
		for _, name := range names {
			if _, there := w.header[name]; there {
				if without == nil {
					without = map[string]bool{}
				}
				without[name] = true
			}
		}
	}
	omit("Transfer-Encoding") // chunked encoding is decided here
	if w.length = declared(w.header); w.length == unknown {
		omit("Content-Length")
	}
	w.declareTrailers(omit)
	switch {
	case w.status == http.StatusNotModified:
		omit("Content-Type", "Content-Length")
	case !w.hasBody():
		omit("Content-Length")
	default:
		_, typed := w.header["Content-Type"]
		w.sniff = !typed && first(w.header, "Content-Encoding") == ""
	}
	if first(w.header, "Connection") == "close" || w.conn.server.closing.Load() {
		w.last = true
		omit("Connection")
	}
	w.out = appendHeader(appendStatus(w.out, w.status), w.header, without)
	if _, dated := w.header["Date"]; !dated {
		w.out = append(append(append(w.out, "Date: "...), httpDate()...), lineEnd...)
	}
	if w.last {
		w.out = append(w.out, "Connection: close\r\n"...)
	}
}

// date is the value of the Date header for one second.
type date struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[date]

// httpDate returns the value of the Date header for now.
func httpDate() string {
	now := time.Now()
	last := lastDate.Load()
	if last == nil || last.second != now.Unix() {
		last = &date{now.Unix(), now.UTC().Format(http.TimeFormat)}
		lastDate.Store(last)
	}
	return last.text
}

// declareTrailers collects the names of trailers and omits them from the head. Names with
// http.TrailerPrefix are no valid header names anyway.
func (w *response) declareTrailers(omit func(...string)) {
	if w.length == unknown { // otherwise the body is not chunked
		for name := range w.header {
			w.trailing = w.trailing || strings.HasPrefix(name, http.TrailerPrefix)
		}
	}
	for _, names := range w.header["Trailer"] {
		w.trailing = true
		for name := range strings.SplitSeq(names, ",") {
			name = http.CanonicalHeaderKey(strings.TrimSpace(name))
			w.trailers = append(w.trailers, name)
			omit(name)
		}
	}
}

// declared returns the Content-Length that the handler has set, or unknown.
func declared(header http.Header) int64 {
	length, err := strconv.ParseInt(strings.TrimSpace(first(header, "Content-Length")), 10, 64)
	if err != nil || length < 0 {
		return unknown
	}
	return length
}

// first is header.Get for a name in canonical form.
func first(header http.Header, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// hasBody reports whether the status allows a body.
func (w *response) hasBody() bool {
	return w.status >= 200 && w.status != http.StatusNoContent && w.status != http.StatusNotModified
}

func appendStatus(out []byte, status int) []byte {
	out = strconv.AppendInt(append(out, "HTTP/1.1 "...), int64(status), 10)
	text := http.StatusText(status)
	if text == "" {
		text = "status code " + strconv.Itoa(status)
	}
	return append(append(append(out, ' '), text...), lineEnd...)
}

// appendHeader appends headers as http.Header.Write does, but unsorted.
func appendHeader(out []byte, header http.Header, without map[string]bool) []byte {
	for name, values := range header {
		if without[name] || !httpguts.ValidHeaderFieldName(name) {
			continue
		}
		for _, value := range values {
			out = append(append(out, name...), ": "...)
			start := len(out)
			out = append(out, textproto.TrimString(value)...)
			for i, char := range out[start:] {
				if char == '\r' || char == '\n' {
					out[start+i] = ' '
				}
			}
			out = append(out, lineEnd...)
		}
	}
	return out
}

// Write sends a part of the body, or buffers it.
//
// Errors: http.ErrBodyNotAllowed, http.ErrContentLength; errDone; the connection's.
func (w *response) Write(body []byte) (int, error) {
	switch {
	case w.done.Load():
		return 0, errDone
	case w.status == 0:
		w.WriteHeader(http.StatusOK)
	}
	if len(body) == 0 {
		return 0, nil
	}
	if !w.hasBody() {
		return 0, http.ErrBodyNotAllowed
	}
	if w.written += int64(len(body)); w.length != unknown && w.written > w.length {
		return 0, http.ErrContentLength
	}
	if len(w.held)+len(body) <= maxBuffered {
		w.held = append(w.held, body...)
		return len(body), nil
	}
	if err := w.send(body, false); err != nil {
		return 0, err
	}
	return len(body), nil
}

var errDone = errors.New("http1: the response has ended")

// WriteString is Write.
func (w *response) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

// send sends the head unless it was sent, the buffered part of the body, and more. ends
// means that the body ends with them.
func (w *response) send(more []byte, ends bool) error {
	size, tail := len(w.held)+len(more), []byte(nil)
	if !w.sent {
		w.endHead(size, more, ends)
		w.sent = true
	}
	if w.head {
		w.held, more = w.held[:0], nil
	}
	if w.chunked {
		if size > 0 {
			w.out = append(strconv.AppendInt(w.out, int64(size), 16), lineEnd...)
			tail = lineEnd
		}
		if ends {
			tail = w.appendTrailer(append(append([]byte{}, tail...), "0\r\n"...))
		}
	}
	if len(more) == 0 { // short enough to copy
		w.out = append(append(w.out, w.held...), tail...)
		w.transmit(w.out)
	} else {
		w.transmit(w.out, w.held, more, tail)
	}
	w.out, w.held = w.out[:0], w.held[:0]
	return w.err
}

// endHead adds the headers that depend on the body: its first bytes, or all of it.
func (w *response) endHead(size int, more []byte, ends bool) {
	switch {
	case w.length != unknown || !w.hasBody():
	case ends && !w.trailing:
		if size > 0 || !w.head { // a handler may omit the body of a HEAD request
			w.length = w.written
			w.out = append(strconv.AppendInt(append(w.out, "Content-Length: "...), w.written, 10), lineEnd...)
		}
	case !w.head:
		w.chunked = true
		w.out = append(w.out, "Transfer-Encoding: chunked\r\n"...)
	}
	if w.sniff && size > 0 {
		start := w.held
		if len(start) < sniffed {
			start = append(slices.Clip(start), more[:min(len(more), sniffed-len(start))]...)
		}
		w.out = append(append(append(w.out, "Content-Type: "...), http.DetectContentType(start)...), lineEnd...)
	}
	w.out = append(w.out, lineEnd...)
}

// transmit writes to the connection, unless an earlier write has failed.
func (w *response) transmit(parts ...[]byte) {
	switch {
	case w.err != nil:
		return
	case len(parts) > 1:
		buffers := net.Buffers(parts)
		_, err := buffers.WriteTo(w.conn.TCPConn)
		w.fail(err)
	case len(parts[0]) > 0:
		_, err := w.conn.socket.Write(parts[0])
		w.fail(err)
	}
}

// fail records an error of the connection.
func (w *response) fail(err error) {
	if err != nil {
		w.err = err
		w.cancel()
	}
}

// takeHeld returns the head unless it was sent, and the buffered part of the body. The
// caller sends both before the rest of a body of known length.
func (w *response) takeHeld() []byte {
	if !w.sent {
		w.endHead(len(w.held), nil, false)
		w.sent = true
	}
	taken := append(w.out, w.held...)
	w.out, w.held = taken[:0], w.held[:0]
	return taken
}

// Flush is FlushError for callers that look for http.Flusher.
func (w *response) Flush() { _ = w.FlushError() }

// FlushError sends what is buffered.
func (w *response) FlushError() error {
	switch {
	case w.done.Load():
		return errDone
	case w.status == 0:
		w.WriteHeader(http.StatusOK)
	}
	return w.send(nil, false)
}

// ReadFrom sends the content of a reader, by sendfile if it is a file.
func (w *response) ReadFrom(from io.Reader) (int64, error) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	if w.done.Load() || w.length == unknown || w.head || w.sniff || !w.hasBody() {
		return io.Copy(struct{ io.Writer }{w}, from)
	}
	if sent, ok, err := w.sendSection(from); ok {
		return sent, err
	}
	if err := w.send(nil, false); err != nil {
		return 0, err
	}
	count, err := w.conn.ReadFrom(from)
	w.written += count
	return count, err
}

// SetReadDeadline is for http.ResponseController.
func (w *response) SetReadDeadline(at time.Time) error { return w.conn.SetReadDeadline(at) }

// SetWriteDeadline is for http.ResponseController.
func (w *response) SetWriteDeadline(at time.Time) error { return w.conn.SetWriteDeadline(at) }

// EnableFullDuplex is for http.ResponseController: the request has been read.
func (w *response) EnableFullDuplex() error { return nil }

// finish ends the response and reports whether the connection can be kept.
func (w *response) finish() (keep bool) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.done.Store(true)
	_ = w.send(nil, true)
	complete := w.length == unknown || w.written == w.length || w.head || !w.hasBody()
	return w.err == nil && !w.last && complete
}

// appendTrailer appends the end of a chunked body.
func (w *response) appendTrailer(out []byte) []byte {
	found := http.Header{}
	for name, values := range w.header {
		if rest, ok := strings.CutPrefix(name, http.TrailerPrefix); ok {
			found[rest] = values
		}
	}
	for _, name := range w.trailers {
		if values, ok := w.header[name]; ok {
			found[name] = values
		}
	}
	return append(appendHeader(out, found, nil), lineEnd...)
}
