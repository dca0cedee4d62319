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
)

// Limits of the queue of mails.
const (
	mailsAtOnce  = 4
	mailsClaimed = 8                // all are tried within the lease, however slow the relay is
	mailLease    = time.Minute      // after which a mail of a server that died is sent by another
	mailPoll     = 15 * time.Second // how late a mail may be that another server left behind
	mailPause    = 100 * time.Millisecond
	firstRetry   = 2 * time.Second  // doubles with each try …
	longestRetry = 10 * time.Minute // … up to this
)

// mailPlace binds a sealed mail to its table.
const mailPlace = "auth.mail_queue"

const (
	insertMail = `insert into auth.mail_queue (sealed, kind, created_at, next_try_at, give_up_at) values ($1, $2, $3, $3, $4)`

	// claimMails takes due mails for as long as the lease. Two servers never get
	// the same one, as long as it is not over.
	claimMails = `update auth.mail_queue q set tries = q.tries + 1, next_try_at = $1::timestamptz + $2::interval
		where q.id in (select d.id from auth.mail_queue d where d.failed_at is null and d.next_try_at <= $1
			order by d.next_try_at limit $3 for update skip locked)
		returning q.id, q.sealed, q.tries, q.give_up_at`

	// mailsWaitFor is in how many seconds the next mail is due.
	// … and how many there are.
	mailsWaitFor = `select extract(epoch from min(q.next_try_at) - $1::timestamptz)::float8, count(*) from auth.mail_queue q where q.failed_at is null`

	dropMail  = `delete from auth.mail_queue where id = $1`
	delayMail = `update auth.mail_queue set next_try_at = $2, last_error = $3 where id = $1`
	failMail  = `update auth.mail_queue set failed_at = $2, last_error = $3, sealed = '' where id = $1`
)

// QueueMail writes a mail into the queue, with the change that it speaks of: if
// that is committed, the mail is sent, also when the relay is down or the server
// is killed meanwhile. A project's hook gets it instead where one is set.
func (s *Sender) QueueMail(ctx context.Context, tx *store.Tx, mail mailer.Mail, user *users.User, who users.Visitor) error {
	if s.hooks.Has(settings.HookSendEmail) {
		return s.hooks.Call(ctx, tx, settings.HookSendEmail, who, map[string]any{"user": user, "email_data": mail.Data.Hook(mail.Kind)}, nil)
	}
	message, err := s.mails.Write(mail)
	if err != nil {
		return autherr.Internal("Error sending %s email", mail.Kind.Words()).WithCause(err)
	}
	plain, err := json.Marshal(message)
	if err != nil {
		return err
	}
	now := s.now()
	giveUp := now.Add(time.Duration(s.config.Mailer.OTPExpiry) * time.Second) // its link has expired then
	if _, err := tx.Exec(ctx, insertMail, s.box.Seal(plain, mailPlace), string(mail.Kind), now, giveUp); err != nil {
		return fmt.Errorf("queue mail: %w", err)
	}
	s.outcomes.Add(mailQueued, 1)
	tx.OnCommit("mails", func(context.Context) { s.wakePost() })
	return nil
}

// wakePost lets the queue be looked at, once a transaction that wrote mails is
// committed.
func (s *Sender) wakePost() {
	select {
	case s.post <- struct{}{}:
	default: // it is awake already
	}
}

// SendMails sends queued mails until ctx ends.
func (s *Sender) SendMails(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.post:
		case <-timer.C:
		}
		next, err := s.SendDue(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.ErrorContext(ctx, "the queue of mails was not read", "error", err)
		}
		if err == nil {
			s.sent.Set(s.now())
		}
		timer.Reset(next)
	}
}

// claimed is a mail that this server is to send.
type claimed struct {
	id     int64
	sealed string
	tries  int
	giveUp time.Time
}

// SendDue sends all mails that are due and gives when to look again.
func (s *Sender) SendDue(ctx context.Context) (time.Duration, error) {
	for {
		due, err := s.claim(ctx)
		if err != nil {
			return mailPoll, err
		}
		if len(due) == 0 {
			return s.nextMail(ctx)
		}
		var sending errgroup.Group
		sending.SetLimit(mailsAtOnce)
		for _, mail := range due {
			sending.Go(func() error { return s.deliver(ctx, mail) })
		}
		if err := sending.Wait(); err != nil || ctx.Err() != nil {
			return mailPoll, err
		}
	}
}

// nextMail returns when to look again: when the next mail is due, and at the
// latest after the poll. One that is due already is in the hands of another
// server.
func (s *Sender) nextMail(ctx context.Context) (time.Duration, error) {
	var wait *float64
	var waiting int64
	if err := s.store.QueryRow(ctx, mailsWaitFor, []any{s.now()}, &wait, &waiting); err != nil {
		return mailPoll, err
	}
	s.waiting.Store(waiting)
	if wait == nil {
		return mailPoll, nil
	}
	return min(mailPoll, max(mailPause, time.Duration(*wait*float64(time.Second)))), nil
}

func (s *Sender) claim(ctx context.Context) ([]claimed, error) {
	var due []claimed
	err := s.store.InTx(ctx, func(tx *store.Tx) error {
		rows, err := tx.Query(ctx, claimMails, s.now(), mailLease, mailsClaimed)
		if err != nil {
			return err
		}
		due, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (claimed, error) {
			var mail claimed
			err := row.Scan(&mail.id, &mail.sealed, &mail.tries, &mail.giveUp)
			return mail, err
		})
		return err
	})
	return due, err
}

// deliver sends one mail, or notes when it is tried again. A mail that the relay
// refuses for good, or whose link has expired, stays as a failure without its
// Text.
func (s *Sender) deliver(ctx context.Context, mail claimed) error {
	failed := s.sendSealed(ctx, mail.sealed)
	retry := min(firstRetry<<min(mail.tries-1, 16), longestRetry)
	batch := &pgx.Batch{}
	became := mailSent
	tell := func() {} // once it is noted
	switch {
	case failed == nil:
		batch.Queue(dropMail, mail.id)
	case ctx.Err() != nil:
		return nil // the server stops: the lease ends, and the next one sends it
	case errors.Is(failed, mailer.ErrRefused) || s.now().Add(retry).After(mail.giveUp):
		became = mailFailed
		batch.Queue(failMail, mail.id, s.now(), failed.Error())
		tell = func() {
			s.log.ErrorContext(ctx, "mail not sent", "id", mail.id, "tries", mail.tries, "error", failed)
		}
	default:
		became = mailDelayed
		batch.Queue(delayMail, mail.id, s.now().Add(retry), failed.Error())
		tell = func() {
			s.log.WarnContext(ctx, "mail not sent yet", "id", mail.id, "tries", mail.tries, "error", failed)
		}
	}
	err := s.store.InTx(ctx, func(tx *store.Tx) error { return tx.ExecBatch(ctx, batch) })
	if err == nil {
		s.outcomes.Add(became, 1)
		tell()
	}
	return err
}

func (s *Sender) sendSealed(ctx context.Context, sealed string) error {
	plain, err := s.box.Open(sealed, mailPlace)
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

// What became of a mail.
const (
	mailQueued  = "queued"
	mailSent    = "sent"
	mailDelayed = "delayed"
	mailFailed  = "failed"
)
