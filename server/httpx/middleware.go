package httpx

import (
	"context"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
)

// Record collects the data about a request for the access log and the metrics.
type Record struct {
	ID       string
	Service  string // the service that handles it: "rest", "auth" …
	Route    string // the pattern of its path, "/rest/v1/{table}"; empty: no route matched
	Status   int    // 0: nothing was sent
	Size     int64  // of the response body, in bytes
	Received int64  // bytes of the request body that were read
	Role     string
	SQL      []string      // statements that it ran, if they are logged
	Err      *apierr.Error // the error in the response

	body countedBody
}

// Observer is called after a request was handled. r.Method is as the client sent it.
type Observer func(r *http.Request, rec *Record, took time.Duration)

type recordKey struct{}

func recordFrom(ctx context.Context) *Record {
	rec, _ := ctx.Value(recordKey{}).(*Record)
	return rec
}

func noteError(ctx context.Context, err *apierr.Error) {
	if rec := recordFrom(ctx); rec != nil {
		rec.Err = err
	}
}

// RequestID returns the request's id, which the client sees in the header X-Request-Id.
func RequestID(ctx context.Context) string {
	if rec := recordFrom(ctx); rec != nil {
		return rec.ID
	}
	return ""
}

// SetCaller returns the request with the caller in its context, and records the role.
func SetCaller(r *http.Request, who claims.Caller) *http.Request {
	RecordRole(r.Context(), who.Role)
	return r.WithContext(claims.WithCaller(r.Context(), who))
}

// RecordRole records the caller's role.
func RecordRole(ctx context.Context, role string) {
	if rec := recordFrom(ctx); rec != nil {
		rec.Role = role
	}
}

// RecordService records the service that handles the request.
func RecordService(ctx context.Context, service string) {
	if rec := recordFrom(ctx); rec != nil {
		rec.Service = service
	}
}

// RecordRoute records the pattern of a route that was found otherwise than by an http.ServeMux.
func RecordRoute(ctx context.Context, pattern string) {
	if rec := recordFrom(ctx); rec != nil {
		rec.Route = pattern
	}
}

// RecordQuery records SQL statements for the access log. Empty ones are left out.
func RecordQuery(ctx context.Context, statements ...string) {
	rec := recordFrom(ctx)
	for _, sql := range statements {
		if rec != nil && sql != "" {
			rec.SQL = append(rec.SQL, sql)
		}
	}
}

// noSniff keeps browsers from guessing another content type than the response declares.
var noSniff = []string{"nosniff"}

// Observe gives each request an id, recovers from panics, writes the access log and then calls others.
func Observe(log *slog.Logger, now func() time.Time, next http.Handler, others ...Observer) http.Handler {
	line := func(r *http.Request, rec *Record, took time.Duration) { logRequest(log, r, rec, took) }
	return ObserveWith(log, now, next, append([]Observer{line}, others...)...)
}

// ObserveWith is Observe without the default access log.
func ObserveWith(log *slog.Logger, now func() time.Time, next http.Handler, observers ...Observer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := now()
		watched := &recordingWriter{ResponseWriter: w}
		rec := &watched.record
		rec.ID = requestID(r)
		header := w.Header()
		header["X-Request-Id"] = []string{rec.ID}
		header["X-Content-Type-Options"] = noSniff
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		rec.countBody(r)
		defer func() {
			if cause := recover(); cause == http.ErrAbortHandler { // compared with == as in net/http
				defer panic(cause)
			} else if cause != nil {
				log.ErrorContext(r.Context(), "panic", "request_id", rec.ID, "cause", cause, "stack", string(debug.Stack()))
				if rec.Status == 0 {
					http.Error(watched, "Internal Server Error", http.StatusInternalServerError)
				}
			}
			rec.complete(r)
			took := now().Sub(began)
			for _, observe := range observers {
				observe(r, rec, took)
			}
		}()
		next.ServeHTTP(watched, r)
	})
}

// countBody wraps the request's body to count the bytes read.
func (rec *Record) countBody(r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		rec.body.ReadCloser = r.Body
		r.Body = &rec.body
	}
}

// complete sets the number of bytes read and, if there is no route yet, the pattern that the last
// http.ServeMux has matched, without its method.
func (rec *Record) complete(r *http.Request) {
	rec.Received = rec.body.read.Load()
	if rec.Route == "" {
		_, path, found := strings.Cut(r.Pattern, " ")
		if !found {
			path = r.Pattern
		}
		rec.Route = path
	}
}

// countedBody is a request body that counts the bytes read. The counter is atomic, because a handler
// that timed out may still read.
type countedBody struct {
	io.ReadCloser
	read atomic.Int64
}

func (b *countedBody) Read(into []byte) (int, error) {
	read, err := b.ReadCloser.Read(into)
	b.read.Add(int64(read))
	return read, err
}

func requestID(r *http.Request) string {
	if given := r.Header.Get("X-Request-Id"); len(given) > 0 && len(given) <= 128 && printable(given) {
		return given
	}
	return strconv.FormatUint(rand.Uint64()|1<<63, 16) // not a secret
}

func printable(text string) bool {
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' {
			return false
		}
	}
	return true
}

func logRequest(log *slog.Logger, r *http.Request, rec *Record, took time.Duration) {
	level := slog.LevelInfo
	if rec.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if !log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", rec.ID), slog.String("service", rec.Service), slog.String("method", r.Method), slog.String("route", rec.Route),
		slog.Int("status", rec.Status), slog.String("role", rec.Role), slog.Int64("received_bytes", rec.Received), slog.Int64("size_bytes", rec.Size),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if log.Enabled(r.Context(), slog.LevelDebug) {
		// Only at debug level: the name of an object may be personal data.
		attrs = append(attrs, slog.String("path", r.URL.Path))
	}
	if len(rec.SQL) > 0 {
		attrs = append(attrs, slog.Any("sql", rec.SQL))
	}
	if rec.Err != nil {
		attrs = append(attrs, slog.String("code", rec.Err.Code))
		if rec.Err.Err != nil && rec.Status >= http.StatusInternalServerError {
			attrs = append(attrs, slog.String("cause", rec.Err.Err.Error()))
		}
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}

// recordingWriter records status and size. Unwrap gives http.ResponseController access to the
// underlying writer.
type recordingWriter struct {
	http.ResponseWriter
	record Record
}

func (w *recordingWriter) WriteHeader(status int) {
	if w.record.Status == 0 {
		w.record.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recordingWriter) Write(body []byte) (int, error) {
	if w.record.Status == 0 {
		w.record.Status = http.StatusOK
	}
	written, err := w.ResponseWriter.Write(body)
	w.record.Size += int64(written)
	return written, err
}

// ReadFrom lets the underlying writer use sendfile, so that the bytes of a file are not copied
// through this process.
func (w *recordingWriter) ReadFrom(from io.Reader) (int64, error) {
	if w.record.Status == 0 {
		w.record.Status = http.StatusOK
	}
	read, err := io.Copy(w.ResponseWriter, from)
	w.record.Size += read
	return read, err
}

func (w *recordingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
