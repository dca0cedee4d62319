package embedded

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// logLinePrefix makes a line "backend type|SQLSTATE|SEVERITY:  message".
const logLinePrefix = "%b|%e|"

// clientBackend is the backend type of a client's session.
const clientBackend = "client backend"

// endedSessions are the SQLSTATEs of FATAL messages that are no fault: a session ends because the server is stopped,
// its client is gone, or its client cancels while it connects.
var endedSessions = []string{"57P01", "08006", "57014"}

// At most logBurst lines go out per logWindow; the rest is counted. A full disk
// or a client in a loop would otherwise fill the server's own log.
const (
	logBurst  = 50
	logWindow = time.Minute
	// maxLogLine is how many bytes of an unfinished line are kept.
	maxLogLine = 8 << 10
)

// logForwarder turns PostgreSQL's stderr into log records. It is an io.Writer
// for one process.
type logForwarder struct {
	log *slog.Logger
	now func() time.Time

	mu         sync.Mutex
	partial    []byte
	fatal      string
	windowEnds time.Time
	sent       int
	suppressed int
}

func newLogForwarder(log *slog.Logger) *logForwarder {
	return &logForwarder{log: log, now: time.Now}
}

// Write takes what PostgreSQL wrote, in any pieces.
func (f *logForwarder) Write(piece []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.partial = append(f.partial, piece...)
	for {
		line, rest, found := bytes.Cut(f.partial, []byte("\n"))
		if !found {
			break
		}
		f.handleLine(string(line))
		f.partial = rest
	}
	if len(f.partial) > maxLogLine {
		f.handleLine(string(f.partial))
		f.partial = nil
	}
	return len(piece), nil
}

// close reports what is still held back.
func (f *logForwarder) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.partial) > 0 {
		f.handleLine(string(f.partial))
		f.partial = nil
	}
	f.reportSuppressed()
}

// lastFatal is the last message that ended PostgreSQL or a part of it, other
// than a client's session.
func (f *logForwarder) lastFatal() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fatal
}

func (f *logForwarder) handleLine(line string) {
	backend, code, severity, message, ok := parseLogLine(line)
	if !ok || severity == "FATAL" && slices.Contains(endedSessions, code) {
		return // a continuation of a message of several lines, or no fault
	}
	level, wanted := logLevel(backend, severity)
	if level == slog.LevelError && severity != "ERROR" {
		f.fatal = message
	}
	if !wanted || !f.allowed() {
		return
	}
	f.log.Log(context.Background(), level, "postgres", "severity", severity, "code", code, "backend", backend, "detail", message)
}

// parseLogLine parses a line that begins with logLinePrefix. Lines from before the
// setting takes effect, and those of the dynamic loader, have no prefix; a severity is
// enough for them.
func parseLogLine(line string) (backend, code, severity, message string, ok bool) {
	if backend, rest, found := strings.Cut(line, "|"); found {
		if code, rest, found := strings.Cut(rest, "|"); found {
			if severity, message, found := strings.Cut(rest, ":  "); found {
				return backend, code, severity, message, true
			}
		}
	}
	severity, message, found := strings.Cut(line, ":  ")
	if !found || strings.ContainsRune(severity, ' ') {
		return "", "", "", "", false
	}
	return "", "", severity, message, true
}

// logLevel returns the level of a message, and whether it is logged. An ERROR of a
// client's statement is not: the client has received it, and it may contain data.
func logLevel(backend, severity string) (slog.Level, bool) {
	switch severity {
	case "WARNING":
		return slog.LevelWarn, true
	case "ERROR":
		return slog.LevelError, backend != clientBackend
	case "FATAL":
		// A session that was refused or ended is no outage of the server.
		if backend == clientBackend {
			return slog.LevelWarn, true
		}
		return slog.LevelError, true
	case "PANIC":
		return slog.LevelError, true
	default:
		return slog.LevelDebug, false
	}
}

func (f *logForwarder) allowed() bool {
	if now := f.now(); now.After(f.windowEnds) {
		f.reportSuppressed()
		f.windowEnds = now.Add(logWindow)
		f.sent = 0
	}
	if f.sent >= logBurst {
		f.suppressed++
		return false
	}
	f.sent++
	return true
}

func (f *logForwarder) reportSuppressed() {
	if f.suppressed > 0 {
		f.log.Warn("postgres messages suppressed", "count", f.suppressed)
		f.suppressed = 0
	}
}
