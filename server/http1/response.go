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
	holdBack = 4 << 10 // bytes of a body that wait for the rest
	sniffed  = 512     // bytes of it that tell its type
	unknown  = -1      // as a length
)

// response is an http.ResponseWriter, also for http.ResponseController. In what
// it adds to an answer, and leaves out, it follows net/http's.
type response struct {
	conn   *conn
	cancel context.CancelFunc
	header http.Header
	head   bool // the request's method is HEAD
	seen   atomic.Bool
	done   atomic.Bool

	status   int    // 0: none yet
	out      []byte // the head, as far as it is known
	held     []byte // what is held back of the body
	sent     bool   // the head has left
	chunked  bool
	last     bool     // the connection ends with this answer
	sniff    bool     // the body's type is to be found out
	length   int64    // of the body, as the handler said, or unknown
	written  int64    // of the body
	trailing bool     // something is to follow the body …
	trailers []string // … of which these names were announced
	err      error    // of the connection
}

// Header returns the headers, which may be changed until the first byte is written.
func (w *response) Header() http.Header { return w.header }

// WriteHeader sets the status. An informational one is sent at once.
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

// begin writes down the head, without what depends on the body.
func (w *response) begin() {
	var without map[string]bool
	leave := func(names ...string) {
		for _, name := range names {
			if _, there := w.header[name]; there {
				if without == nil {
					without = map[string]bool{}
				}
				without[name] = true
			}
		}
	}
	leave("Transfer-Encoding") // the chunks, where there are any, are made here
	if w.length = declared(w.header); w.length == unknown {
		leave("Content-Length")
	}
	w.announced(leave)
	switch {
	case w.status == http.StatusNotModified:
		leave("Content-Type", "Content-Length")
	case !w.hasBody():
		leave("Content-Length")
	default:
		_, typed := w.header["Content-Type"]
		w.sniff = !typed && first(w.header, "Content-Encoding") == ""
	}
	if first(w.header, "Connection") == "close" || w.conn.server.closing.Load() {
		w.last = true
		leave("Connection")
	}
	w.out = appendHeader(appendStatus(w.out, w.status), w.header, without)
	if _, dated := w.header["Date"]; !dated {
		w.out = append(append(append(w.out, "Date: "...), today()...), lineEnd...)
	}
	if w.last {
		w.out = append(w.out, "Connection: close\r\n"...)
	}
}

// date is a second in the form of the header Date.
type date struct {
	second int64
	text   string
}

var lastDate atomic.Pointer[date]

// today is the time now, as the header Date has it.
func today() string {
	now := time.Now()
	last := lastDate.Load()
	if last == nil || last.second != now.Unix() {
		last = &date{now.Unix(), now.UTC().Format(http.TimeFormat)}
		lastDate.Store(last)
	}
	return last.text
}

// announced notes the names of trailers, and leaves out what is not for the head.
// What begins with http.TrailerPrefix is no name of a header anyway.
func (w *response) announced(leave func(...string)) {
	if w.length == unknown { // otherwise no trailer can follow
		for name := range w.header {
			w.trailing = w.trailing || strings.HasPrefix(name, http.TrailerPrefix)
		}
	}
	for _, names := range w.header["Trailer"] {
		w.trailing = true
		for name := range strings.SplitSeq(names, ",") {
			name = http.CanonicalHeaderKey(strings.TrimSpace(name))
			w.trailers = append(w.trailers, name)
			leave(name)
		}
	}
}

// declared is the body's length as the handler says it, or unknown.
func declared(header http.Header) int64 {
	length, err := strconv.ParseInt(strings.TrimSpace(first(header, "Content-Length")), 10, 64)
	if err != nil || length < 0 {
		return unknown
	}
	return length
}

// first is header.Get of a name in its canonical form.
func first(header http.Header, name string) string {
	if values := header[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// hasBody reports whether the status allows for one.
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

// appendHeader writes headers as http.Header does, but in no order.
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

// Write sends a part of the body, or holds it back for what follows.
//
// Errors: http.ErrBodyNotAllowed, http.ErrContentLength; the connection's.
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
	if len(w.held)+len(body) <= holdBack {
		w.held = append(w.held, body...)
		return len(body), nil
	}
	if err := w.send(body, false); err != nil {
		return 0, err
	}
	return len(body), nil
}

var errDone = errors.New("http1: the answer has ended")

// WriteString is Write.
func (w *response) WriteString(text string) (int, error) { return w.Write([]byte(text)) }

// send sends what was held back, before it the head where it has not left, and
// after it more of the body, or its end.
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
	if len(more) == 0 { // all of it is short
		w.out = append(append(w.out, w.held...), tail...)
		w.transmit(w.out)
	} else {
		w.transmit(w.out, w.held, more, tail)
	}
	w.out, w.held = w.out[:0], w.held[:0]
	return w.err
}

// endHead adds to the head what the first bytes of the body tell, or all of it.
func (w *response) endHead(size int, more []byte, ends bool) {
	switch {
	case w.length != unknown || !w.hasBody():
	case ends && !w.trailing:
		if size > 0 || !w.head { // a handler may leave the body out where nobody wants it
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

// transmit writes to the connection, unless that has failed.
func (w *response) transmit(parts ...[]byte) {
	switch {
	case w.err != nil:
		return
	case len(parts) > 1:
		buffers := net.Buffers(parts)
		_, err := buffers.WriteTo(w.conn.TCPConn)
		w.fail(err)
	case len(parts[0]) > 0:
		_, err := w.conn.Write(parts[0])
		w.fail(err)
	}
}

// fail notes that the connection does not work any more, where there is an error.
func (w *response) fail(err error) {
	if err != nil {
		w.err = err
		w.cancel()
	}
}

// takeHeld returns what was held back, after the head where that has not left, for
// a caller who sends it before more of a body whose length is known.
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

// FlushError sends what was held back.
func (w *response) FlushError() error {
	switch {
	case w.done.Load():
		return errDone
	case w.status == 0:
		w.WriteHeader(http.StatusOK)
	}
	return w.send(nil, false)
}

// ReadFrom sends what a reader has; the kernel does where it is a file.
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

// finish sends the rest; keep tells whether the connection can go on.
func (w *response) finish() (keep bool) {
	if w.status == 0 {
		w.WriteHeader(http.StatusOK)
	}
	w.done.Store(true)
	_ = w.send(nil, true)
	complete := w.length == unknown || w.written == w.length || w.head || !w.hasBody()
	return w.err == nil && !w.last && complete
}

// appendTrailer adds the end of a body in chunks.
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
