package mailer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/wneessen/go-mail"
)

// Limits of the queue.
const (
	queueLength  = 1000
	queueWorkers = 4 // mails under way at once
	sendTimeout  = 20 * time.Second
	sendTries    = 3
	retryPause   = 2 * time.Second // times the tries so far
)

// ErrQueueFull says that mails come faster than the relay takes them.
var ErrQueueFull = errors.New("the mail queue is full")

// Queue sends mails behind the requests' back, so that an answer takes the same
// time whether it leads to a mail or not.
type Queue struct {
	next    Sender
	log     *slog.Logger
	pending chan Message
	workers sync.WaitGroup
	mu      sync.RWMutex
	closed  bool
	pause   func(try int) time.Duration
}

// NewQueue starts a queue in front of a sender. Close ends it.
func NewQueue(next Sender, log *slog.Logger) *Queue {
	return newQueue(next, log, func(try int) time.Duration { return time.Duration(try) * retryPause })
}

func newQueue(next Sender, log *slog.Logger, pause func(try int) time.Duration) *Queue {
	q := &Queue{next: next, log: log, pending: make(chan Message, queueLength), pause: pause}
	for range queueWorkers {
		q.workers.Go(q.work)
	}
	return q
}

// Send puts a mail in the queue. Errors: ErrQueueFull.
func (q *Queue) Send(_ context.Context, m Message) error {
	q.mu.RLock()
	defer q.mu.RUnlock()
	if q.closed {
		return ErrQueueFull
	}
	select {
	case q.pending <- m:
		return nil
	default:
		return ErrQueueFull
	}
}

func (q *Queue) work() {
	for m := range q.pending {
		if err := q.deliver(m); err != nil {
			q.log.Error("mail not sent", "kind", string(m.Kind), "error", err)
		}
	}
}

func (q *Queue) deliver(m Message) error {
	var err error
	for try := 1; try <= sendTries; try++ {
		ctx, cancel := context.WithTimeout(context.Background(), sendTimeout)
		err = q.next.Send(ctx, m)
		cancel()
		var refused *mail.SendError
		if err == nil || errors.As(err, &refused) && !refused.IsTemp() {
			return err
		}
		if try < sendTries {
			time.Sleep(q.pause(try))
		}
	}
	return err
}

// Close takes no more mails and waits for those in the queue, until ctx ends.
func (q *Queue) Close(ctx context.Context) error {
	q.mu.Lock()
	if !q.closed {
		q.closed = true
		close(q.pending)
	}
	q.mu.Unlock()
	done := make(chan struct{})
	go func() {
		q.workers.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%d mails left unsent: %w", len(q.pending), ctx.Err())
	}
}
