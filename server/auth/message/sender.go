// Package message sends what people are told by mail and on their phones: the links
// and codes that show that an address or a number is theirs, and notices.
package message

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"sync/atomic"
	"text/template"
	"time"

	"plaza/server/auth/audit"
	"plaza/server/auth/autherr"
	"plaza/server/auth/hook"
	"plaza/server/auth/limit"
	"plaza/server/auth/mailer"
	"plaza/server/auth/pkce"
	"plaza/server/auth/seal"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/auth/store"
	"plaza/server/auth/users"
	"plaza/server/tally"
)

// Sender sends what people are told by mail and on their phones: the links and
// codes that show that an address or a number is theirs, and notices.
type Sender struct {
	config      settings.Config
	store       *store.Store
	now         func() time.Time
	hooks       *hook.Caller
	trail       *audit.Trail
	limits      *limit.Limiter
	box         *seal.Box
	mails       *mailer.Mailer
	smsText     *template.Template // of a code that signs in
	relay       mailer.Sender
	sms         sms.Sender // nil: no phone can be reached
	siteURL     string
	externalURL string
	log         *slog.Logger

	post     chan struct{} // wakes the queue of mails
	outcomes tally.Of[string]
	waiting  atomic.Int64
	sent     tally.Moment
}

// Options are what messages stand on.
type Options struct {
	Config      settings.Config
	Store       *store.Store
	Now         func() time.Time
	Hooks       *hook.Caller
	Trail       *audit.Trail
	Limits      *limit.Limiter
	Box         *seal.Box
	Relay       mailer.Sender
	SMS         sms.Sender // nil: no phone can be reached
	Folder      fs.FS      // the project's, with templates of mails; nil without
	SiteURL     string
	ExternalURL string // of the auth API, in links
	Log         *slog.Logger
}

// New returns a sender of messages. Errors: a template that cannot be read.
func New(o Options) (*Sender, error) {
	mails, err := mailer.New(mailer.Options{
		Site: o.SiteURL, Name: o.Config.SMTP.SenderName, Custom: o.Config.Mailer.Contents(), Log: o.Log,
		Source: mailer.Source{Folder: o.Folder, MaxAge: o.Config.Mailer.TemplateMaxAge},
	})
	if err != nil {
		return nil, fmt.Errorf("read mail templates: %w", err)
	}
	text, err := settings.ParseSMSTemplate(o.Config.SMS.Template)
	if err != nil {
		return nil, err
	}
	return &Sender{
		config: o.Config, store: o.Store, now: o.Now, hooks: o.Hooks, trail: o.Trail, limits: o.Limits, box: o.Box, mails: mails, smsText: text,
		relay: o.Relay, sms: o.SMS, siteURL: o.SiteURL, externalURL: o.ExternalURL, log: o.Log, post: make(chan struct{}, 1),
	}, nil
}

// Request is a checked wish for a mail or message to an account.
type Request struct {
	Redirect string
	Channel  string // of a message to a phone
	PKCE     pkce.Challenge
	Who      users.Visitor
	Now      time.Time
}

// tooSoon refuses a further mail within the interval.
func (s *Sender) tooSoon(last *time.Time, now time.Time) error {
	return Within(last, s.config.SMTP.MaxFrequency, now, autherr.CodeMailRate)
}

// tooSoonSMS refuses a further message within the interval.
func (s *Sender) tooSoonSMS(last *time.Time, now time.Time) error {
	return Within(last, s.config.SMS.MaxFrequency, now, autherr.CodeSMSRate)
}

// TooSoonForNobody holds a request that led to nothing to the pace of one that
// did.
func (s *Sender) TooSoonForNobody(ctx context.Context, tx *store.Tx, c users.Contact, asked string, now time.Time) error {
	interval, code := s.config.SMTP.MaxFrequency, autherr.CodeMailRate
	if c.Kind == users.ByPhone {
		interval, code = s.config.SMS.MaxFrequency, autherr.CodeSMSRate
	}
	if interval <= 0 {
		return nil
	}
	wait, err := s.limits.Once(ctx, tx, "asked:"+asked, interval, now)
	if err != nil || wait <= 0 {
		return err
	}
	return waitError(time.Duration(math.Round(wait*1000))*time.Millisecond, code)
}

func waitError(left time.Duration, code string) error {
	return autherr.TooManyRequests(code, left.Seconds(), "For security purposes, you can only request this after %d seconds.", int(left/time.Second))
}

// Outcomes counts mails by what became of them.
func (s *Sender) Outcomes() map[string]uint64 { return s.outcomes.All() }

// Waiting returns how many mails are in the queue, of all servers, as of the last look at it.
func (s *Sender) Waiting() int { return int(s.waiting.Load()) }

// LastSent returns when the queue was last read well.
func (s *Sender) LastSent() *tally.Moment { return &s.sent }
