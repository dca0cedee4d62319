// Package notices sends the mails that the database has queued for users, and
// lets their recipients unsubscribe.
//
// The recipients and the text of mails are defined in sql/functions. A mail is sent at most
// once: it is claimed before it is passed to the SMTP relay. It is not retried if the server
// stopped while sending it, or if the relay closed the connection before it responded.
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

	"plaza/server/auth/mailer"
	"plaza/server/jobs"
	"plaza/server/ops"
	"plaza/server/pg"
	"plaza/server/tally"
)

const (
	// pollEvery is the longest delay between the time a mail becomes due and its sending.
	pollEvery = 5 * time.Second
	// maxSenders bounds the connections to the relay.
	maxSenders = 4
	// updateTimeout bounds claiming a mail and storing its outcome. A shutdown of the server
	// cancels neither, as the outcome of the mail would be unknown.
	updateTimeout = 5 * time.Second
)

// Outcomes of a mail, as private.finish_mail takes them.
const (
	sent      = "sent"
	failed    = "failed"
	delayed   = "waiting"
	uncertain = "uncertain"
)

const (
	claimMail = `select mail_id::text, recipient::text, address, mail_kind, mail_subject, mail_content, mail_action, mail_link, mail_language
		from private.claim_mail()`
	finishMail = `select coalesce(private.finish_mail($1::uuid, $2, $3), '')`
	sweepMails = `select private.sweep_mails()`
)

// Options configure Notices.
type Options struct {
	DB   *pg.DB
	Mail mailer.Sender
	Site string // URL of the client, without a trailing slash
	Key  []byte // signs unsubscribe links
	Log  *slog.Logger
}

// Notices sends the mails of the marketplace.
type Notices struct {
	options Options
	host    string // the site's host name, for message ids

	mails tally.Of[string] // by outcome
}

// New returns the Notices of a site.
func New(o Options) (*Notices, error) {
	site, err := url.Parse(o.Site)
	if err != nil {
		return nil, fmt.Errorf("address of the site: %w", err)
	}
	o.Site = strings.TrimSuffix(o.Site, "/")
	return &Notices{options: o, host: site.Hostname()}, nil
}

// Measure reports metrics of the mails' outcomes.
func (n *Notices) Measure(s ops.Scrape) {
	for outcome, count := range n.mails.All() {
		s.Count("plaza_notice_mails_total", "Notices by mail by outcome: sent, waiting (for a retry), failed or uncertain.",
			float64(count), "outcome", outcome)
	}
}

// Job returns the background job that sends mails as they fall due.
func (n *Notices) Job() jobs.Job { return jobs.Job{Name: "notices", Every: pollEvery, Run: n.SendDue} }

// SendDue sends all mails that are due now. Several servers may call it at the same time:
// each mail is claimed by one of them.
func (n *Notices) SendDue(ctx context.Context) error {
	if err := n.sweep(ctx); err != nil {
		return err
	}
	var senders errgroup.Group
	for range maxSenders {
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

// sweep marks mails as uncertain whose sender stopped before it stored an outcome.
func (n *Notices) sweep(ctx context.Context) error {
	var lost int
	if err := n.options.DB.QueryRowAsService(ctx, pg.ServiceRole, sweepMails, nil, &lost); err != nil {
		return fmt.Errorf("sweep mails: %w", err)
	}
	if lost > 0 {
		n.mails.Add(uncertain, uint64(lost))
		n.options.Log.WarnContext(ctx, "notices whose sender stopped may not have been sent", "count", lost)
	}
	return nil
}

// notice is a claimed mail.
type notice struct {
	id, user, address, kind        string
	subject, content, action, link string
	language                       string // "en", "es" or "ca"
}

// sendNext sends the mail that has been due the longest, and reports whether there was one.
func (n *Notices) sendNext(ctx context.Context) (more bool, err error) {
	var next notice
	claimCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTimeout)
	defer cancel()
	err = n.options.DB.QueryRowAsService(claimCtx, pg.ServiceRole, claimMail, nil,
		&next.id, &next.user, &next.address, &next.kind, &next.subject, &next.content, &next.action, &next.link, &next.language)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("claim a mail: %w", err)
	}
	return true, n.finish(ctx, next, n.send(ctx, next))
}

func (n *Notices) send(ctx context.Context, next notice) error {
	message, err := n.newMessage(next)
	if err != nil {
		return fmt.Errorf("%w: %w", mailer.ErrRefused, err)
	}
	// A shutdown of the server does not cancel it: the outcome would be unknown.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), mailer.SendTimeout)
	defer cancel()
	return n.options.Mail.Send(ctx, message)
}

// finish stores the outcome of a mail.
func (n *Notices) finish(ctx context.Context, tried notice, result error) error {
	outcome, reason := outcomeOf(result)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTimeout)
	defer cancel()
	var state string
	if err := n.options.DB.QueryRowAsService(ctx, pg.ServiceRole, finishMail, []any{tried.id, outcome, reason}, &state); err != nil {
		return fmt.Errorf("store the outcome of mail %s, %s: %w", tried.id, outcome, err)
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
