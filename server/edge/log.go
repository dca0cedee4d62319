package edge

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// At most logBurst lines of a function are logged per logWindow; further lines are only counted.
// Otherwise a function in a loop could fill the server's log.
const (
	logBurst  = 200
	logWindow = 10 * time.Second
)

// everyLevel is a handler that is enabled for all levels.
type everyLevel struct{ slog.Handler }

func (everyLevel) Enabled(context.Context, slog.Level) bool { return true }

func (h everyLevel) WithAttrs(attrs []slog.Attr) slog.Handler {
	return everyLevel{h.Handler.WithAttrs(attrs)}
}

func (h everyLevel) WithGroup(name string) slog.Handler { return everyLevel{h.Handler.WithGroup(name)} }

// lineLog logs the output of a function.
type lineLog struct {
	log *slog.Logger
	now func() time.Time

	mu         sync.Mutex
	windowEnds time.Time
	sent       int
	suppressed int
	outOfHeap  bool
}

func newLineLog(log *slog.Logger, function string, now func() time.Time) *lineLog {
	return &lineLog{log: log.With("function", function), now: now}
}

// line logs a line. Lines from stderr are warnings.
func (l *lineLog) line(stream, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if stream == "stderr" && strings.Contains(text, "out of memory") {
		l.outOfHeap = true
	}
	if now := l.now(); now.After(l.windowEnds) {
		if l.suppressed > 0 {
			l.log.Warn("lines of a function suppressed", "count", l.suppressed)
		}
		l.windowEnds, l.sent, l.suppressed = now.Add(logWindow), 0, 0
	}
	if l.sent >= logBurst {
		l.suppressed++
		return
	}
	l.sent++
	if stream == "stderr" {
		l.log.Warn("function output", "stream", stream, "text", text)
		return
	}
	l.log.Info("function output", "stream", stream, "text", text)
}

func (l *lineLog) warn(message string) { l.log.Warn(message) }

// ranOutOfMemory reports whether V8 has reported that it is out of memory.
func (l *lineLog) ranOutOfMemory() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outOfHeap
}
