package httpx

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
)

// Record gathers what the access log says about a request while it is served.
type Record struct {
	ID     string
	Status int
	Size   int64
	Role   string
	SQL    []string      // statements it ran, where they are logged
	Err    *apierr.Error // what it was answered with
}

// Write puts a record into a log when its request is answered.
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

// RequestID gives the request's id, as the header X-Request-Id tells the client.
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

// NoteQuery puts statements into the access log; empty ones are left out.
func NoteQuery(ctx context.Context, statements ...string) {
	found := recordOf(ctx)
	for _, sql := range statements {
		if found != nil && sql != "" {
			found.SQL = append(found.SQL, sql)
		}
	}
}

// Observe gives each request an id, recovers from panics and logs one line.
func Observe(log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	return ObserveAs(func(r *http.Request, rec *Record, took time.Duration) { logRequest(log, r, rec, took) }, log, now, next)
}

// ObserveAs is Observe with an access log of another form.
func ObserveAs(write Write, log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := now()
		rec := &Record{ID: requestID(r)}
		w.Header().Set("X-Request-Id", rec.ID)
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		watched := &watchedWriter{ResponseWriter: w, record: rec}
		defer func() {
			if cause := recover(); cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so, too
				defer panic(cause)
			} else if cause != nil {
				log.ErrorContext(r.Context(), "panic", "request_id", rec.ID, "cause", cause, "stack", string(debug.Stack()))
				if rec.Status == 0 {
					http.Error(watched, "Internal Server Error", http.StatusInternalServerError)
				}
			}
			write(r, rec, now().Sub(began))
		}()
		next.ServeHTTP(watched, r)
	})
}

func requestID(r *http.Request) string {
	if given := r.Header.Get("X-Request-Id"); len(given) > 0 && len(given) <= 128 && printable(given) {
		return given
	}
	var random [8]byte
	rand.Read(random[:])
	return hex.EncodeToString(random[:])
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
		slog.String("request_id", rec.ID), slog.String("method", r.Method), slog.String("route", r.URL.Path),
		slog.Int("status", rec.Status), slog.String("role", rec.Role), slog.Int64("size_bytes", rec.Size),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
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
	record *Record
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
