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

	"plaza/server/pg"

	"plaza/server/config"
	"plaza/server/httpx"
)

// Access writes a line for each request as PostgREST does: Apache's combined
// form, for requests that log-level asks for.
type Access struct {
	Out     io.Writer
	Notices *slog.Logger // of errors of the database, and of statements
	Level   slog.Leveler

	mu sync.Mutex
}

// wants tells which answers a level shows.
//
// Source: PostgREST's log-level: crit none, error from 500, warn from 400, else all.
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

// Write adds the line of a request.
func (l *Access) Write(r *http.Request, rec *httpx.Record, _ time.Duration) {
	if !l.wants(rec.Status) {
		return
	}
	for _, sql := range rec.SQL {
		l.Notices.Error(sql)
	}
	if databaseFailed(rec) {
		l.Notices.Error(asAnswer(rec.Err))
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

// unquoted keeps a text of a client within its place in the line.
func unquoted(text string) string {
	escaped := strconv.Quote(text)
	return escaped[1 : len(escaped)-1]
}

// databaseFailed reports whether an answer of 500 and more is the database's fault.
func databaseFailed(rec *httpx.Record) bool {
	if rec.Err == nil || rec.Status < http.StatusInternalServerError {
		return false
	}
	return pg.IsRefused(rec.Err.Err) || strings.HasPrefix(rec.Err.Code, "PGRST00")
}
