package embedded

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// captureLog returns a logger and the builder that collects its records as "key=value …" lines.
func captureLog() (*slog.Logger, *strings.Builder) {
	var out strings.Builder
	handler := slog.NewTextHandler(&out, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})
	return slog.New(handler), &out
}

func TestLogForwardsRelevantMessages(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{"an informational message", "postmaster|00000|LOG:  database system is ready", ""},
		{"a warning", "checkpointer|01000|WARNING:  slow disk",
			`level=WARN msg=postgres severity=WARNING code=01000 backend=checkpointer detail="slow disk"`},
		{"a client's error", "client backend|23505|ERROR:  duplicate key (ana@example.com)", ""},
		{"an error of a PostgreSQL process", "autovacuum worker|53100|ERROR:  no space left: x",
			`level=ERROR msg=postgres severity=ERROR code=53100 backend="autovacuum worker" detail="no space left: x"`},
		{"a refused session", "client backend|28P01|FATAL:  password authentication failed",
			`level=WARN msg=postgres severity=FATAL code=28P01 backend="client backend" detail="password authentication failed"`},
		{"a session that a stop cuts", "client backend|57P01|FATAL:  terminating connection due to administrator command", ""},
		{"a session whose client is gone", "client backend|08006|FATAL:  connection to client lost", ""},
		{"a session that is cancelled as it begins", "client backend|57014|FATAL:  canceling authentication due to timeout", ""},
		{"a refused start", "postmaster|XX000|FATAL:  could not create lock file",
			`level=ERROR msg=postgres severity=FATAL code=XX000 backend=postmaster detail="could not create lock file"`},
		{"a continuation", "\tsecond line: of a message", ""},
	}
	for _, tt := range tests {
		log, out := captureLog()
		forwarder := newLogForwarder(log)
		// In two writes, as a pipe may deliver it.
		fmt.Fprint(forwarder, tt.line[:5])
		fmt.Fprintln(forwarder, tt.line[5:])
		if diff := cmp.Diff(tt.want, strings.TrimSpace(out.String())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestLogIsRateLimited(t *testing.T) {
	t.Parallel()
	log, out := captureLog()
	forwarder := newLogForwarder(log)
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	forwarder.now = func() time.Time { return now }
	for range 1000 {
		fmt.Fprintln(forwarder, "postmaster|58030|WARNING:  disk is slow")
	}
	if got := strings.Count(out.String(), "\n"); got != logBurst {
		t.Errorf("1000 lines became %d, want %d", got, logBurst)
	}
	now = now.Add(2 * logWindow)
	fmt.Fprintln(forwarder, "postmaster|58030|WARNING:  disk is slow")
	if want := fmt.Sprintf("count=%d", 1000-logBurst); !strings.Contains(out.String(), want) {
		t.Errorf("the log does not report %s suppressed messages", want)
	}
	if got := strings.Count(out.String(), "\n"); got != logBurst+2 {
		t.Errorf("in the next minute there are %d lines, want %d", got, logBurst+2)
	}
}

func TestLogBoundsLineLength(t *testing.T) {
	t.Parallel()
	log, _ := captureLog()
	forwarder := newLogForwarder(log)
	fmt.Fprint(forwarder, strings.Repeat("x", 3*maxLogLine))
	if len(forwarder.partial) > maxLogLine {
		t.Errorf("%d bytes are buffered, want at most %d", len(forwarder.partial), maxLogLine)
	}
}

func TestLastFatalIgnoresClientErrors(t *testing.T) {
	t.Parallel()
	log, _ := captureLog()
	forwarder := newLogForwarder(log)
	fmt.Fprintln(forwarder, "postmaster|53100|FATAL:  could not write lock file")
	fmt.Fprintln(forwarder, "client backend|28P01|FATAL:  password authentication failed")
	if got, want := forwarder.lastFatal(), "could not write lock file"; got != want {
		t.Errorf("the last fatal error is %q, want %q", got, want)
	}
}
