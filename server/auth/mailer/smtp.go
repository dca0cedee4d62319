package mailer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/wneessen/go-mail"

	"plaza/server/secret"
)

// SMTP says how to reach a mail relay. TLS is used wherever the relay offers it,
// and from the start on port 465.
type SMTP struct {
	Host       string
	Port       int
	User       string
	Pass       secret.Text
	AdminEmail string
	SenderName string
}

// smtpsPort is where a relay expects TLS from the start (RFC 8314).
const smtpsPort = 465

// NewSMTP makes a sender that hands each mail to the relay and waits for it.
func NewSMTP(c SMTP) (Sender, error) {
	options := []mail.Option{mail.WithPort(c.Port), mail.WithTimeout(sendTimeout)}
	if c.Port == smtpsPort {
		options = append(options, mail.WithSSL())
	} else {
		options = append(options, mail.WithTLSPolicy(mail.TLSOpportunistic))
	}
	if c.User != "" {
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(c.User), mail.WithPassword(c.Pass.Reveal()))
	}
	client, err := mail.NewClient(c.Host, options...)
	if err != nil {
		return nil, fmt.Errorf("mail relay: %w", err)
	}
	return SenderFunc(func(ctx context.Context, m Message) error {
		message, err := c.compose(m)
		if err != nil {
			return err
		}
		return client.DialAndSendWithContext(ctx, message)
	}), nil
}

func (c SMTP) compose(m Message) (*mail.Msg, error) {
	message := mail.NewMsg()
	if err := message.FromFormat(c.SenderName, c.AdminEmail); err != nil {
		return nil, fmt.Errorf("sender of a mail: %w", err)
	}
	if err := message.To(m.To); err != nil {
		return nil, fmt.Errorf("recipient of a mail: %w", err)
	}
	message.Subject(m.Subject)
	message.SetMessageID()
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	message.SetBodyString(mail.TypeTextPlain, m.Text)
	message.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return message, nil
}

// Limits of the queue.
const (
	queueLength = 1000
	queueSize   = 4 // mails under way at once
	sendTimeout = 20 * time.Second
	sendTries   = 3
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
	wait    func(try int) time.Duration
}

// NewQueue starts a queue in front of a sender. Close ends it.
func NewQueue(next Sender, log *slog.Logger) *Queue {
	q := &Queue{
		next: next, log: log, pending: make(chan Message, queueLength),
		wait: func(try int) time.Duration { return time.Duration(try) * 2 * time.Second },
	}
	for range queueSize {
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
			time.Sleep(q.wait(try))
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
