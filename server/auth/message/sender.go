// Package message sends mails and messages to phones: links and codes that verify addresses
// and numbers, and notices.
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
	"plaza/server/wake"
)

// Sender sends mails and messages to phones: links and codes that verify addresses and
// numbers, and notices.
type Sender struct {
	config      settings.Config
	store       *store.Store
	now         func() time.Time
	hooks       *hook.Caller
	trail       *audit.Trail
	limits      *limit.Limiter
	box         *seal.Box
	mails       *mailer.Mailer
	smsText     *template.Template // of a message with a sign-in code
	relay       mailer.Sender
	sms         sms.Sender // nil: no messages to phones
	siteURL     string
	externalURL string
	log         *slog.Logger

	wake     wake.Signal // wakes the job that sends queued mails
	outcomes tally.Of[string]
	waiting  atomic.Int64
}

// Options are the dependencies of Sender.
type Options struct {
	Config      settings.Config
	Store       *store.Store
	Now         func() time.Time
	Hooks       *hook.Caller
	Trail       *audit.Trail
	Limits      *limit.Limiter
	Box         *seal.Box
	Relay       mailer.Sender
	SMS         sms.Sender // nil: no messages to phones
	Folder      fs.FS      // the project folder, with mail templates; nil: none
	SiteURL     string
	ExternalURL string // public base URL of the auth API, used in links
	Log         *slog.Logger
}

// New returns a Sender. Errors: an invalid template.
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
		relay: o.Relay, sms: o.SMS, siteURL: o.SiteURL, externalURL: o.ExternalURL, log: o.Log, wake: wake.NewSignal(),
	}, nil
}

// Request is a validated request for a mail or message to an account.
type Request struct {
	Redirect string
	Channel  string // of a message to a phone
	PKCE     pkce.Challenge
	Info     users.RequestInfo
	Now      time.Time
}

// checkMailInterval refuses another mail within the interval.
func (s *Sender) checkMailInterval(last *time.Time, now time.Time) error {
	return CheckInterval(last, s.config.SMTP.MaxFrequency, now, autherr.CodeMailRate)
}

// checkSMSInterval refuses another message within the interval.
func (s *Sender) checkSMSInterval(last *time.Time, now time.Time) error {
	return CheckInterval(last, s.config.SMS.MaxFrequency, now, autherr.CodeSMSRate)
}

// CheckUnsentInterval applies the interval between mails or messages to a request that sends
// nothing, so that the response does not reveal whether there is an account. key identifies the
// request.
//
// Errors: 429 over_email_send_rate_limit, over_sms_send_rate_limit.
func (s *Sender) CheckUnsentInterval(ctx context.Context, tx *store.Tx, c users.Contact, key string, now time.Time) error {
	interval, code := s.config.SMTP.MaxFrequency, autherr.CodeMailRate
	if c.Kind == users.ByPhone {
		interval, code = s.config.SMS.MaxFrequency, autherr.CodeSMSRate
	}
	if interval <= 0 {
		return nil
	}
	wait, err := s.limits.Once(ctx, tx, "asked:"+key, interval, now)
	if err != nil || wait <= 0 {
		return err
	}
	return waitError(time.Duration(math.Round(wait*1000))*time.Millisecond, code)
}

func waitError(left time.Duration, code string) error {
	return autherr.TooManyRequests(code, left.Seconds(), "For security purposes, you can only request this after %d seconds.", int(left/time.Second))
}

// Outcomes returns the number of mails by outcome.
func (s *Sender) Outcomes() map[string]uint64 { return s.outcomes.All() }

// Waiting returns the number of mails in the queue of all servers when it was last read.
func (s *Sender) Waiting() int { return int(s.waiting.Load()) }
