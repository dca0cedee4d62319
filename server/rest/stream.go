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

// Bounds of what is kept in memory and on the way, in bytes.
const (
	// keptAnswer is the largest answer that is complete before any of it is
	// sent. It frees its connection before a slow client has read it.
	keptAnswer = 4 << 20
	// answerTime is how long a client may take to read a chunk of the size of
	// keptAnswer; meanwhile it holds a connection.
	answerTime = 30 * time.Second
)

// errStreams says that as many large answers as may be are on their way.
var errStreams = apierr.New(http.StatusServiceUnavailable, "PLZ001", "Too many large answers are being sent.").
	WithHint("Ask again later, or for fewer rows with limit and offset.")

// stream sends an answer that is too large to be kept while its rows come. Its
// status and headers leave before its end is known: a failure after that can
// only break the answer off, and Content-Range is there only where a count was
// asked for.
type stream struct {
	w     http.ResponseWriter
	r     *http.Request
	req   *apiRequest
	read  *plan.Read
	slots chan struct{} // one for each answer that may be on its way
	begun bool
}

// send passes on what has come so far.
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
	status, err := rangeOf(s.w.Header(), s.r, s.req, s.read, rows, a.Total)
	if err != nil {
		return err
	}
	if a.Total < 0 {
		s.w.Header().Del("Content-Range")
	}
	if err := s.req.describe(s.w.Header(), a); err != nil {
		return err
	}
	s.w.Header().Set("Content-Type", s.req.form.ContentType)
	s.w.WriteHeader(cmp.Or(a.Status, status))
	return nil
}

func (s *stream) flush(a *answer.Result) error {
	// A writer without deadlines, as in tests, has no slow reader.
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Now().Add(answerTime))
	_, err := a.Body.WriteTo(s.w)
	return err
}

// end sends the rest.
func (s *stream) end(a *answer.Result) {
	_ = s.flush(a) // fails only where the client has gone
	_ = http.NewResponseController(s.w).SetWriteDeadline(time.Time{})
}

// close lets the next large answer go.
func (s *stream) close() {
	if s.begun {
		<-s.slots
	}
}

// breakOff ends an answer of which a part was sent, so that the client does not
// take it for whole.
func (s *Server) breakOff(ctx context.Context, err error) {
	s.log.WarnContext(ctx, "a large answer was broken off", "error", err)
	panic(http.ErrAbortHandler)
}
