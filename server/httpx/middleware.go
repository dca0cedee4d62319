package httpx

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"plaza/server/apierr"
	"plaza/server/claims"
)

// record gathers what the access log says about a request while it is served.
type record struct {
	id     string
	status int
	size   int64
	role   string
	err    *apierr.Error
}

type recordKey struct{}

func recordOf(ctx context.Context) *record {
	found, _ := ctx.Value(recordKey{}).(*record)
	return found
}

func noteError(ctx context.Context, err *apierr.Error) {
	if found := recordOf(ctx); found != nil {
		found.err = err
	}
}

// RequestID gives the request's id, as the header X-Request-Id tells the client.
func RequestID(ctx context.Context) string {
	if found := recordOf(ctx); found != nil {
		return found.id
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
		found.role = role
	}
}

// Observe gives each request an id, recovers from panics and logs one line.
func Observe(log *slog.Logger, now func() time.Time, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := now()
		rec := &record{id: requestID(r)}
		w.Header().Set("X-Request-Id", rec.id)
		r = r.WithContext(context.WithValue(r.Context(), recordKey{}, rec))
		watched := &watchedWriter{ResponseWriter: w, record: rec}
		defer func() {
			if cause := recover(); cause != nil {
				if cause == http.ErrAbortHandler { //nolint:errorlint // net/http compares it so, too
					panic(cause)
				}
				log.ErrorContext(r.Context(), "panic", "request_id", rec.id, "cause", cause, "stack", string(debug.Stack()))
				if rec.status == 0 {
					http.Error(watched, "Internal Server Error", http.StatusInternalServerError)
				}
			}
			logRequest(log, r, rec, now().Sub(began))
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

func logRequest(log *slog.Logger, r *http.Request, rec *record, took time.Duration) {
	level := slog.LevelInfo
	if rec.status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	if !log.Enabled(r.Context(), level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("request_id", rec.id), slog.String("method", r.Method), slog.String("route", r.URL.Path),
		slog.Int("status", rec.status), slog.String("role", rec.role), slog.Int64("size_bytes", rec.size),
		slog.Float64("duration_ms", float64(took.Microseconds())/1000),
	}
	if rec.err != nil {
		attrs = append(attrs, slog.String("code", rec.err.Code))
		if rec.err.Err != nil && rec.status >= http.StatusInternalServerError {
			attrs = append(attrs, slog.String("cause", rec.err.Err.Error()))
		}
	}
	log.LogAttrs(r.Context(), level, "request", attrs...)
}

// watchedWriter notes status and size. Unwrap lets http.ResponseController and
// sendfile reach the writer below.
type watchedWriter struct {
	http.ResponseWriter
	record *record
}

func (w *watchedWriter) WriteHeader(status int) {
	if w.record.status == 0 {
		w.record.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *watchedWriter) Write(body []byte) (int, error) {
	if w.record.status == 0 {
		w.record.status = http.StatusOK
	}
	written, err := w.ResponseWriter.Write(body)
	w.record.size += int64(written)
	return written, err
}

func (w *watchedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
