package restlog

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"plaza/server/config"
	"plaza/server/httpx"
	"plaza/server/pg"
)

// Access writes the access log in PostgREST's format, Apache's combined log format.
// The log level determines which requests are logged.
type Access struct {
	Out     io.Writer
	Notices *slog.Logger // for database errors and statements
	Level   slog.Leveler

	mu sync.Mutex
}

// wants reports whether a response with the given status is logged.
//
// Source: PostgREST's log-level: crit logs none, error from 500, warn from 400, others all.
func (l *Access) wants(status int) bool {
	switch level := l.Level.Level(); {
	case level >= config.LevelCrit:
		return false
	case level >= slog.LevelError:
		return status >= http.StatusInternalServerError
	case level >= slog.LevelWarn:
		return status >= http.StatusBadRequest
	}
	return true
}

// Write writes the line of a request.
func (l *Access) Write(r *http.Request, rec *httpx.Record, _ time.Duration) {
	if !l.wants(rec.Status) {
		return
	}
	for _, sql := range rec.SQL {
		l.Notices.Error(sql)
	}
	if databaseFailed(rec) {
		l.Notices.Error(errorJSON(rec.Err))
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = "-"
	}
	role := rec.Role
	if role == "" {
		role = "-"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.Out, "%s - %s [%s] \"%s %s %s\" %d %s %s %s\n", host, role, time.Now().Format("02/Jan/2006:15:04:05 -0700"),
		r.Method, unquoted(r.RequestURI), r.Proto, rec.Status, strconv.FormatInt(rec.Size, 10), quoted(r.Referer()), quoted(r.UserAgent()))
}

func quoted(text string) string { return `"` + unquoted(text) + `"` }

// unquoted escapes text from a client without adding quotes, so that it cannot break the
// format of the line.
func unquoted(text string) string {
	escaped := strconv.Quote(text)
	return escaped[1 : len(escaped)-1]
}

// databaseFailed reports whether a response with status 500 or above is caused by a
// database error.
func databaseFailed(rec *httpx.Record) bool {
	if rec.Err == nil || rec.Status < http.StatusInternalServerError {
		return false
	}
	return pg.IsPgError(rec.Err.Err) || strings.HasPrefix(rec.Err.Code, "PGRST00")
}
