package invoke

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"plaza/server/apierr"
	"plaza/server/httpx"
)

// invocation has the data of one call for the log and the statistics.
type invocation struct {
	name, role, code string
	countedName      string // the name under which it is counted
	began            time.Time
	status           int
	cause            error // of the failure; logged, never sent
	aborted          bool  // it failed after the response had begun
}

// fail records why a call failed. It aborts the connection if the response had begun.
func (n *invocation) fail(err error) {
	var broken *abortedError
	n.aborted = errors.As(err, &broken)
	n.cause = err
	if visible := apierr.As(err); visible != nil {
		n.code, n.cause = visible.Code, visible.Err
	}
	if n.aborted {
		// Otherwise the adapter would write an error into the middle of the response.
		panic(http.ErrAbortHandler)
	}
}

// report logs a call.
func (g *Gate) report(r *http.Request, n *invocation) {
	g.calls.end(n, g.now().Sub(n.began))
	level := slog.LevelInfo
	if n.aborted || n.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("request_id", httpx.RequestID(r.Context())), slog.String("function", n.name), slog.String("method", r.Method),
		slog.Int("status", n.status), slog.String("role", n.role),
		slog.Float64("duration_ms", float64(g.now().Sub(n.began).Microseconds())/1000),
	}
	if n.code != "" {
		attrs = append(attrs, slog.String("code", n.code))
	}
	if n.aborted {
		attrs = append(attrs, slog.Bool("broken_off", true))
	}
	if n.cause != nil {
		attrs = append(attrs, slog.String("cause", n.cause.Error()))
	}
	g.log.LogAttrs(r.Context(), level, "function call", attrs...)
}

// statusWriter records the status.
type statusWriter struct {
	http.ResponseWriter
	note *invocation
}

func (w *statusWriter) WriteHeader(status int) {
	if w.note.status < http.StatusOK {
		w.note.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *statusWriter) Write(part []byte) (int, error) {
	if w.note.status < http.StatusOK {
		w.note.status = http.StatusOK
	}
	return w.ResponseWriter.Write(part)
}

func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
