package rest

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"plaza/server/apierr"
	"plaza/server/rest/answer"
	"plaza/server/rest/plan"
)

const (
	// maxBuffered is the largest response that is buffered completely before it is
	// sent, in bytes. Its database connection is released before the client reads it.
	maxBuffered = 4 << 20
	// chunkTimeout is how long a client may take to read a chunk of maxBuffered
	// bytes. It holds a database connection meanwhile.
	chunkTimeout = 30 * time.Second
)

// errStreams is returned if the maximum number of large responses is in progress.
var errStreams = apierr.New(http.StatusServiceUnavailable, "PLZ001", "Too many large answers are being sent.").
	WithHint("Retry later, or for fewer rows with limit and offset.")

// stream sends a response that is too large to buffer while its rows arrive. Status
// and headers are sent before the last row is known, so a later failure can only
// abort the response, and Content-Range is set only if the client asked for a count.
type stream struct {
	w     http.ResponseWriter
	r     *http.Request
	req   *apiRequest
	read  *plan.Read
	slots chan struct{} // semaphore for responses in progress
	begun bool
}

// send sends the rows received so far.
func (s *stream) send(a *answer.Result) error {
	if !s.begun {
		if err := s.begin(a); err != nil {
			return err
		}
	}
	return s.flush(a)
}

func (s *stream) begin(a *answer.Result) error {
	select {
	case s.slots <- struct{}{}:
	default:
		return errStreams
	}
	s.begun = true
	rows := a.Rows
	if a.Total >= 0 {
		rows = a.Total - offsetOf(s.read)
		if limit := s.read.Limit; limit != nil {
			rows = min(rows, *limit)
		}
	}
	status, err := setRange(s.w.Header(), s.r, s.req, s.read, rows, a.Total)
	if err != nil {
		return err
	}
	if a.Total < 0 {
		s.w.Header().Del("Content-Range")
	}
	if err := s.req.setHeaders(s.w.Header(), a); err != nil {
		return err
	}
	s.w.Header().Set("Content-Type", s.req.form.ContentType)
	s.w.WriteHeader(cmp.Or(a.Status, status))
	return nil
}

func (s *stream) flush(a *answer.Result) error {
	// The error is ignored: only writers in tests do not support deadlines.
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(chunkTimeout))
	_, err := a.Body.WriteTo(s.w)
	return err
}

// end sends the remaining rows.
func (s *stream) end(a *answer.Result) {
	_ = s.flush(a) // fails only if the client has disconnected
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Time{})
}

// close releases the slot for the next large response.
func (s *stream) close() {
	if s.begun {
		<-s.slots
	}
}

// abort closes the connection of a partially sent response, so that the client does
// not mistake it for a complete one.
func (s *Server) abort(ctx context.Context, err error) {
	s.log.WarnContext(ctx, "large response aborted", "error", err)
	panic(http.ErrAbortHandler)
}
