package send

import (
	"fmt"
	"net/http/httptrace"
	"sync"
	"time"
)

// timing measures the phases of a request, for the message of one that takes too long.
type timing struct {
	mu                        sync.Mutex
	began, resolved, prepared time.Time
}

func (t *timing) trace() *httptrace.ClientTrace {
	t.began = time.Now()
	at := func(when *time.Time) {
		t.mu.Lock()
		*when = time.Now()
		t.mu.Unlock()
	}
	return &httptrace.ClientTrace{
		ConnectStart: func(_, _ string) { at(&t.resolved) },
		GotConn:      func(httptrace.GotConnInfo) { at(&t.prepared) },
	}
}

// describe returns the message for a request that has not ended in time.
// Source: pg_net's message.
func (t *timing) describe(limit time.Duration, now time.Time) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	resolved, prepared := t.resolved, t.prepared
	if prepared.IsZero() {
		prepared = now
	}
	if resolved.IsZero() {
		resolved = prepared // a lookup that has not ended, or a connection that was reused
	}
	milliseconds := func(from, to time.Time) float64 { return float64(to.Sub(from)) / float64(time.Millisecond) }
	return fmt.Sprintf("Timeout of %d ms reached. Total time: %f ms (DNS time: %f ms, TCP/SSL handshake time: %f ms, HTTP Request/Response time: %f ms)",
		limit.Milliseconds(), milliseconds(t.began, now), milliseconds(t.began, resolved), milliseconds(resolved, prepared), milliseconds(prepared, now))
}
