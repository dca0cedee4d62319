package message

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"plaza/server/auth/autherr"
	"plaza/server/auth/mailer"
	"plaza/server/auth/settings"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/jobs"
)

// Limits of the mail queue.
const (
	mailConcurrency  = 4                      // sent concurrently
	mailBatchSize    = 8                      // per claim; all are attempted within the lease, even with a slow relay
	mailLease        = time.Minute            // after which another server sends the mails of a crashed one
	mailPollInterval = 15 * time.Second       // how often the queue is read without a wake-up
	minMailPause     = 100 * time.Millisecond // shortest time until the queue is read again
	minRetryDelay    = 2 * time.Second        // doubles with each attempt …
	maxRetryDelay    = 10 * time.Minute       // … up to this
)

// mailSealContext is the additional data that binds a sealed mail to its table.
const mailSealContext = "auth.mail_queue"

const (
	insertMail = `insert into auth.mail_queue (sealed, kind, created_at, next_try_at, give_up_at) values ($1, $2, $3, $3, $4)`

	// claimMails claims due mails for the duration of the lease. During the lease no other
	// server gets them.
	claimMails = `update auth.mail_queue q set tries = q.tries + 1, next_try_at = $1::timestamptz + $2::interval
		where q.id in (select d.id from auth.mail_queue d where d.failed_at is null and d.next_try_at <= $1
			order by d.next_try_at limit $3 for update skip locked)
		returning q.id, q.sealed, q.tries, q.give_up_at`

	// nextMailDue returns the seconds until the next mail is due, and the number of mails.
	nextMailDue = `select extract(epoch from min(q.next_try_at) - $1::timestamptz)::float8, count(*) from auth.mail_queue q where q.failed_at is null`

	dropMail  = `delete from auth.mail_queue where id = $1`
	delayMail = `update auth.mail_queue set next_try_at = $2, last_error = $3 where id = $1`
	failMail  = `update auth.mail_queue set failed_at = $2, last_error = $3, sealed = '' where id = $1`
)

// QueueMail inserts a mail into the queue, in the transaction of the change that causes it. If
// the transaction commits, the mail is sent, even if the relay is down or the server is killed
// meanwhile. If the project has a hook for mails, the hook is called instead.
//
// Errors: 500 if the mail cannot be rendered; those of the project's hook.
func (s *Sender) QueueMail(ctx context.Context, tx *store.Tx, mail mailer.Mail, user *users.User, info users.RequestInfo) error {
	if s.hooks.Has(settings.HookSendEmail) {
		return s.hooks.Call(ctx, tx, settings.HookSendEmail, info, map[string]any{"user": user, "email_data": mail.Data.Hook(mail.Kind)}, nil)
	}
	message, err := s.mails.Render(mail)
	if err != nil {
		return autherr.Internal("Error sending %s email", mail.Kind.Label()).WithCause(err)
	}
	plain, err := json.Marshal(message)
	if err != nil {
		return err
	}
	now := s.now()
	giveUp := now.Add(time.Duration(s.config.Mailer.OTPExpiry) * time.Second) // when its link expires
	if _, err := tx.Exec(ctx, insertMail, s.box.Seal(plain, mailSealContext), string(mail.Kind), now, giveUp); err != nil {
		return fmt.Errorf("queue mail: %w", err)
	}
	s.outcomes.Add(mailQueued, 1)
	tx.OnCommit("mails", func(context.Context) { s.wake.Wake() })
	return nil
}

// Job returns the job that sends queued mails. The server that has queued a mail also runs the job at once.
func (s *Sender) Job() jobs.Job {
	retry := time.AfterFunc(mailPollInterval, s.wake.Wake) // fires when the next mail is due
	retry.Stop()
	return jobs.Job{Name: "auth_mails", Every: mailPollInterval, Wake: s.wake, Run: func(ctx context.Context) error {
		next, err := s.SendDue(ctx)
		if err == nil && s.waiting.Load() > 0 {
			retry.Reset(next)
		}
		return err
	}}
}

// claimedMail is a mail that this server has claimed.
type claimedMail struct {
	id     int64
	sealed string
	tries  int
	giveUp time.Time
}

// SendDue sends all due mails and returns how long to wait before the queue is read again.
func (s *Sender) SendDue(ctx context.Context) (time.Duration, error) {
	for {
		due, err := s.claim(ctx)
		if err != nil {
			return mailPollInterval, err
		}
		if len(due) == 0 {
			return s.nextMail(ctx)
		}
		var sending errgroup.Group
		sending.SetLimit(mailConcurrency)
		for _, mail := range due {
			sending.Go(func() error { return s.deliver(ctx, mail) })
		}
		if err := sending.Wait(); err != nil || ctx.Err() != nil {
			return mailPollInterval, err
		}
	}
}

// nextMail returns how long to wait before the queue is read again: until the next mail is due, and
// at most mailPollInterval. If a mail is already due, another server is claiming it, so the wait is
// at least minMailPause.
func (s *Sender) nextMail(ctx context.Context) (time.Duration, error) {
	var wait *float64
	var waiting int64
	if err := s.store.QueryRow(ctx, nextMailDue, []any{s.now()}, &wait, &waiting); err != nil {
		return mailPollInterval, err
	}
	s.waiting.Store(waiting)
	if wait == nil {
		return mailPollInterval, nil
	}
	return min(mailPollInterval, max(minMailPause, time.Duration(*wait*float64(time.Second)))), nil
}

func (s *Sender) claim(ctx context.Context) ([]claimedMail, error) {
	var due []claimedMail
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, claimMails, s.now(), mailLease, mailBatchSize)
		if err != nil {
			return err
		}
		due, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (claimedMail, error) {
			var mail claimedMail
			err := row.Scan(&mail.id, &mail.sealed, &mail.tries, &mail.giveUp)
			return mail, err
		})
		return err
	})
	return due, err
}

// deliver sends one mail, or schedules a retry. A mail that the relay refuses permanently, or
// whose link would have expired, is kept as a failure without its content.
func (s *Sender) deliver(ctx context.Context, mail claimedMail) error {
	failed := s.sendSealed(ctx, mail.sealed)
	retry := min(minRetryDelay<<min(mail.tries-1, 16), maxRetryDelay)
	batch := &pgx.Batch{}
	outcome := mailSent
	logResult := func() {} // called after the result is stored
	switch {
	case failed == nil:
		batch.Queue(dropMail, mail.id)
	case ctx.Err() != nil:
		return nil // the server is stopping: after the lease another server sends the mail
	case errors.Is(failed, mailer.ErrRefused) || s.now().Add(retry).After(mail.giveUp):
		outcome = mailFailed
		batch.Queue(failMail, mail.id, s.now(), failed.Error())
		logResult = func() {
			s.log.ErrorContext(ctx, "mail not sent", "id", mail.id, "tries", mail.tries, "error", failed)
		}
	default:
		outcome = mailDelayed
		batch.Queue(delayMail, mail.id, s.now().Add(retry), failed.Error())
		logResult = func() {
			s.log.WarnContext(ctx, "mail not sent yet", "id", mail.id, "tries", mail.tries, "error", failed)
		}
	}
	err := s.store.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) })
	if err == nil {
		s.outcomes.Add(outcome, 1)
		logResult()
	}
	return err
}

func (s *Sender) sendSealed(ctx context.Context, sealed string) error {
	plain, err := s.box.Open(sealed, mailSealContext)
	if err != nil {
		return fmt.Errorf("%w: %w", mailer.ErrRefused, err)
	}
	var message mailer.Message
	if err := json.Unmarshal(plain, &message); err != nil {
		return fmt.Errorf("%w: %w", mailer.ErrRefused, err)
	}
	ctx, cancel := context.WithTimeout(ctx, mailer.SendTimeout)
	defer cancel()
	return s.relay.Send(ctx, message)
}

// Outcomes of a mail.
const (
	mailQueued  = "queued"
	mailSent    = "sent"
	mailDelayed = "delayed"
	mailFailed  = "failed"
)
