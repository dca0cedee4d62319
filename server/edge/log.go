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

// consoleLevels are the levels of the console's messages.
var consoleLevels = map[string]slog.Level{
	"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError,
}

// line logs a line that the process wrote itself. Lines from stderr are warnings.
func (l *lineLog) line(stream, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	level := slog.LevelInfo
	if stream == "stderr" {
		level = slog.LevelWarn
		l.outOfHeap = l.outOfHeap || strings.Contains(text, "out of memory")
	}
	l.write(level, stream, text)
}

// entry logs a message of the function's console.
func (l *lineLog) entry(level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(consoleLevels[level], "console", text)
}

// write logs a text unless there were too many. l.mu is held.
func (l *lineLog) write(level slog.Level, stream, text string) {
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
	l.log.Log(context.Background(), level, "function output", "stream", stream, "text", text)
}

func (l *lineLog) warn(message string, args ...any) { l.log.Warn(message, args...) }

// ranOutOfMemory reports whether V8 has reported that it is out of memory.
func (l *lineLog) ranOutOfMemory() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.outOfHeap
}
