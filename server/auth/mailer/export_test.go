package mailer

import (
	"log/slog"
	"time"
)

// NewImpatientQueue is a queue that does not wait between tries.
func NewImpatientQueue(next Sender, log *slog.Logger) *Queue {
	q := newQueue(next, log, func(int) time.Duration { return 0 })
	return q
}
