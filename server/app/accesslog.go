package app

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"plaza/server/config"
	"plaza/server/httpx"
)

// accessLog writes a line for each request as PostgREST does: Apache's combined
// form, for requests that log-level asks for.
type accessLog struct {
	mu      sync.Mutex
	out     io.Writer
	notices *slog.Logger
	level   slog.Leveler
	now     func() time.Time
}

// wants tells which answers a level shows.
//
// Source: PostgREST's log-level: crit none, error from 500, warn from 400, else all.
func (l *accessLog) wants(status int) bool {
	switch level := l.level.Level(); {
	case level >= config.LevelCrit:
		return false
	case level >= slog.LevelError:
		return status >= http.StatusInternalServerError
	case level >= slog.LevelWarn:
		return status >= http.StatusBadRequest
	}
	return true
}

func (l *accessLog) write(r *http.Request, rec *httpx.Record, _ time.Duration) {
	if !l.wants(rec.Status) {
		return
	}
	for _, sql := range rec.SQL {
		l.notices.Error(sql)
	}
	if databaseFailed(rec) {
		l.notices.Error(asAnswer(rec.Err))
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
	_, _ = fmt.Fprintf(l.out, "%s - %s [%s] \"%s %s %s\" %d %s %s %s\n", host, role, l.now().Format("02/Jan/2006:15:04:05 -0700"),
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
	var refused *pgconn.PgError
	return errors.As(rec.Err.Err, &refused) || strings.HasPrefix(rec.Err.Code, "PGRST00")
}
