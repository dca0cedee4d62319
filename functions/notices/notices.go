// Package notices sends the mails that the database has queued for users, and
// lets their readers unsubscribe.
//
// What is told, to whom and in which words is in sql/functions. A mail is sent at
// most once: it is marked before the relay is asked, and one whose sender died, or
// whose relay hung up before it answered, is not tried again.
package notices

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"golang.org/x/sync/errgroup"

	"plaza/functions/job"
	"plaza/server/auth/mailer"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/tally"
)

const (
	// pollEvery is how late a mail may leave that has fallen due.
	pollEvery = 5 * time.Second
	// mailsAtOnce bounds the connections to the relay.
	mailsAtOnce = 4
	// noteTimeout bounds a claim, and the note of what became of a mail. A stop of
	// the server cuts off neither: the mail would be uncertain.
	noteTimeout = 5 * time.Second
)

// What became of a mail, as private.finish_mail takes it.
const (
	sent      = "sent"
	failed    = "failed"
	delayed   = "waiting"
	uncertain = "uncertain"
)

const (
	claimMail = `select mail_id::text, recipient::text, address, mail_kind, mail_subject, mail_content, mail_action, mail_link
		from private.claim_mail()`
	finishMail = `select coalesce(private.finish_mail($1::uuid, $2, $3), '')`
	sweepMails = `select private.sweep_mails()`
)

// Options of notices.
type Options struct {
	DB   *pg.DB
	Mail mailer.Sender
	Site string // address of the client, without a slash at its end
	Key  []byte // signs links that unsubscribe
	Log  *slog.Logger
}

// Notices are the mails of the marketplace.
type Notices struct {
	options Options
	host    string // of the site, for identities of mails

	mails tally.Of[string] // by what became of them
	swept tally.Moment
}

// New makes the notices of a site.
func New(o Options) (*Notices, error) {
	site, err := url.Parse(o.Site)
	if err != nil {
		return nil, fmt.Errorf("address of the site: %w", err)
	}
	o.Site = strings.TrimSuffix(o.Site, "/")
	return &Notices{options: o, host: site.Hostname()}, nil
}

// Measure tells what became of mails.
func (n *Notices) Measure(s ops.Scrape) {
	for outcome, count := range n.mails.All() {
		s.Count("plaza_notice_mails_total", "Notices by mail, by what became of them: sent, waiting (for another try), failed or uncertain.",
			float64(count), "outcome", outcome)
	}
	s.Job("notices", n.swept.Get())
}

// Run sends mails as they fall due, until ctx ends.
func (n *Notices) Run(ctx context.Context) {
	job.Every(pollEvery, n.options.Log, "sending notices", n.SendDue)(ctx)
}

// SendDue sends all mails that are due now. Servers may do it at once: a mail is
// claimed by one of them.
func (n *Notices) SendDue(ctx context.Context) error {
	if err := n.sweep(ctx); err != nil {
		return err
	}
	var senders errgroup.Group
	for range mailsAtOnce {
		senders.Go(func() error {
			for ctx.Err() == nil {
				more, err := n.sendNext(ctx)
				if err != nil || !more {
					return err
				}
			}
			return nil
		})
	}
	return senders.Wait()
}

// sweep gives up on mails whose sender died.
func (n *Notices) sweep(ctx context.Context) error {
	var lost int
	if err := n.options.DB.QueryRowAsService(ctx, pg.ServiceRole, sweepMails, nil, &lost); err != nil {
		return fmt.Errorf("sweep mails: %w", err)
	}
	if lost > 0 {
		n.mails.Add(uncertain, uint64(lost))
		n.options.Log.WarnContext(ctx, "notices whose sender died may not have been sent", "count", lost)
	}
	n.swept.Set(time.Now())
	return nil
}

// notice is a claimed mail.
type notice struct {
	id, user, address, kind        string
	subject, content, action, link string
}

// sendNext sends the mail that is due longest, and reports whether there was one.
func (n *Notices) sendNext(ctx context.Context) (more bool, err error) {
	var next notice
	claiming, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTimeout)
	defer cancel()
	err = n.options.DB.QueryRowAsService(claiming, pg.ServiceRole, claimMail, nil,
		&next.id, &next.user, &next.address, &next.kind, &next.subject, &next.content, &next.action, &next.link)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("claim a mail: %w", err)
	}
	return true, n.finish(ctx, next, n.send(ctx, next))
}

func (n *Notices) send(ctx context.Context, next notice) error {
	message, err := n.write(next)
	if err != nil {
		return fmt.Errorf("%w: %w", mailer.ErrRefused, err)
	}
	// A stop of the server lets it end: a mail that is cut off is uncertain.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailer.SendTimeout)
	defer cancel()
	return n.options.Mail.Send(ctx, message)
}

// finish notes what became of a mail.
func (n *Notices) finish(ctx context.Context, tried notice, result error) error {
	outcome, reason := outcomeOf(result)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteTimeout)
	defer cancel()
	var state string
	if err := n.options.DB.QueryRowAsService(ctx, pg.ServiceRole, finishMail, []any{tried.id, outcome, reason}, &state); err != nil {
		return fmt.Errorf("note that mail %s is %s: %w", tried.id, outcome, err)
	}
	n.mails.Add(state, 1)
	if state != sent {
		n.options.Log.WarnContext(ctx, "notice not sent", "id", tried.id, "kind", tried.kind, "state", state, "error", result)
	}
	return nil
}

func outcomeOf(result error) (outcome string, reason *string) {
	if result == nil {
		return sent, nil
	}
	text := result.Error()
	switch {
	case errors.Is(result, mailer.ErrRefused):
		return failed, &text
	case errors.Is(result, mailer.ErrUncertain):
		return uncertain, &text
	}
	return delayed, &text
}
