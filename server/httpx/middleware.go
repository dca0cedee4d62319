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

// Record gathers what the access log and the metrics say about a request while it
// is served.
type Record struct {
	ID       string
	Service  string // the part of the server that answers: "rest", "auth" …
	Route    string // the pattern of its path, "/rest/v1/{table}"; empty: no route matched
	Status   int    // 0: nothing was sent
	Size     int64  // of the answer's body, in bytes
	Received int64  // of the request's body, in bytes, as far as it was read
	Role     string
	SQL      []string      // statements it ran, where they are logged
	Err      *apierr.Error // what it was answered with

	body countedBody
}

// Write is told of a request when it is answered. r.Method is as the client sent it.
type Write func(r *http.Request, rec *Record, took time.Duration)

type recordKey struct{}

func recordOf(ctx context.Context) *Record {
	found, _ := ctx.Value(recordKey{}).(*Record)
	return found
}

func noteError(ctx context.Context, err *apierr.Error) {
	if found := recordOf(ctx); found != nil {
		found.Err = err
	}
}

// RequestID returns the request's id, as the header X-Request-Id tells the client.
func RequestID(ctx context.Context) string {
	if found := recordOf(ctx); found != nil {
		return found.ID
	}
	return ""
}

// SetCaller puts the caller into the request's context, and its role into the
// access log.
func SetCaller(r *http.Request, who claims.Caller) *http.Request {
	NoteRole(r.Context(), who.Role)
	return r.WithContext(claims.WithCaller(r.Context(), who))
}

// NoteRole puts the caller's role into the access log.
func NoteRole(ctx context.Context, role string) {
	if found := recordOf(ctx); found != nil {
		found.Role = role
	}
}

// NoteService puts the service that answers into the record.
func NoteService(ctx context.Context, service string) {
	if found := recordOf(ctx); found != nil {
		found.Service = service
	}
}

// NoteRoute puts the pattern of a route into the record, where no mux of net/http
// has found it.
func NoteRoute(ctx context.Context, pattern string) {
	if found := recordOf(ctx); found != nil {
		found.Route = pattern
	}
}

// NoteQuery puts statements into the access log; empty ones are left out.
func NoteQuery(ctx context.Context, statements ...string) {
	found := recordOf(ctx)
	for _, sql := range statements {
		if found != nil && sql != "" {
			found.SQL = append(found.SQL, sql)
		}
	}
}

// noSniff keeps browsers from taking an answer for another type than it says.
var noSniff = []string{"nosniff"}

// Observe gives each request an id, recovers from panics and logs one line. Others
// are told of it, too.
func Observe(log *slog.Logger, now func() time.Time, next http.Handler, others ...Write) http.Handler {
	line := func(r *http.Request, rec *Record, took time.Duration) { logRequest(log, r, rec, took) }
	return ObserveAs(log, now, next, append([]Write{line}, others...)...)
}

// ObserveAs is Observe with an access log of another form.
func ObserveAs(log *slog.Logger, now func() time.Time, next http.Handler, told ...Write) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := now()
		watched := &watchedWriter{ResponseWriter: w}
		rec := &watched.record
		rec.ID = requestID(r)
		header := w.Header()
		header["X-Request-Id"] = []string{rec.ID}
		header["X-Content-Type-Options"] = noSniff
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		rec.count(r)
		defer func() {
			if cause := recover(); cause == http.ErrAbortHandler { // net/http compares it so, too
				defer panic(cause)
			} else if cause != nil {
				log.ErrorContext(r.Context(), "panic", "request_id", rec.ID, "cause", cause, "stack", string(debug.Stack()))
				if rec.Status == 0 {
					http.Error(watched, "Internal Server Error", http.StatusInternalServerError)
				}
			}
			rec.close(r)
			took := now().Sub(began)
			for _, tell := range told {
				tell(r, rec, took)
			}
		}()
		next.ServeHTTP(watched, r)
	})
}

// count has what is read of the request's body counted.
func (rec *Record) count(r *http.Request) {
	if r.Body != nil && r.Body != http.NoBody {
		rec.body.ReadCloser = r.Body
		r.Body = &rec.body
	}
}

// close takes in what was noted elsewhere. The mux that is asked last leaves its
// pattern, which may begin with a method.
func (rec *Record) close(r *http.Request) {
	rec.Received = rec.body.read.Load()
	if rec.Route == "" {
		_, path, found := strings.Cut(r.Pattern, " ")
		if !found {
			path = r.Pattern
		}
		rec.Route = path
	}
}

// countedBody is a request's body that counts. A function that was given up on may
// still read from it.
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
		// Not otherwise: the name of an object may be somebody's.
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

// watchedWriter notes status and size. Unwrap lets http.ResponseController reach
// the writer below.
type watchedWriter struct {
	http.ResponseWriter
	record Record
}

func (w *watchedWriter) WriteHeader(status int) {
	if w.record.Status == 0 {
		w.record.Status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(body []byte) (int, error) {
	if w.record.Status == 0 {
		w.record.Status = http.StatusOK
	}
	written, err := w.ResponseWriter.Write(body)
	w.record.Size += int64(written)
	return written, err
}

// ReadFrom has the writer below take bytes from where they are: those of a file
// then never pass through this process.
func (w *watchedWriter) ReadFrom(from io.Reader) (int64, error) {
	if w.record.Status == 0 {
		w.record.Status = http.StatusOK
	}
	read, err := io.Copy(w.ResponseWriter, from)
	w.record.Size += read
	return read, err
}

func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
