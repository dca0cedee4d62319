package app

import (
	"context"
	"errors"
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/config"
	"plaza/server/inbox"
)

// senders holds the senders of mails and text messages.
type senders struct {
	mail  mailer.Sender
	sms   sms.Sender
	inbox *inbox.Inbox // the development inbox
}

// newSenders returns the configured mail relay and SMS provider. Without them, messages
// go to the development inbox.
func newSenders(cfg settings.Config) (senders, error) {
	caught := inbox.New(time.Now)
	s := senders{mail: catchMails(caught), sms: catchTexts(caught), inbox: caught}
	if relay := cfg.SMTP; relay.Host != "" {
		sender, err := mailer.NewSMTP(mailer.SMTP{
			Host: relay.Host, Port: relay.Port, User: relay.User, Pass: relay.Pass, AdminEmail: relay.AdminEmail, SenderName: relay.SenderName,
			Headers: relay.Headers,
		})
		if err != nil {
			return senders{}, err
		}
		s.mail = sender
	}
	if account := cfg.SMS.Twilio; cfg.SMS.Provider == "twilio" {
		s.sms = sms.Twilio{
			URL: account.URL, AccountSID: account.AccountSID, AuthToken: account.AuthToken,
			From: account.MessageServiceSID, ContentSID: account.ContentSID,
		}
	}
	return s, nil
}

// projectSMS returns the sender of a project's own text messages. It is nil in
// production without a provider, where the inbox is not accessible.
func projectSMS(s senders, cfg config.Config) sms.Sender {
	if cfg.Env == config.Production && cfg.Auth.SMS.Provider == "" {
		return nil
	}
	return s.sms
}

func catchMails(caught *inbox.Inbox) mailer.Sender {
	return mailer.SenderFunc(func(_ context.Context, m mailer.Message) error {
		caught.Add(inbox.Mail{Kind: string(m.Kind), To: m.To, Subject: m.Subject, HTML: m.HTML, Text: m.Text, Headers: m.Headers})
		return nil
	})
}

func catchTexts(caught *inbox.Inbox) sms.Sender {
	return sms.SenderFunc(func(_ context.Context, m sms.Message) (string, error) {
		caught.Add(inbox.Mail{Kind: m.Channel, To: m.To, Subject: "Text message", Text: m.Text})
		return "inbox", nil
	})
}

// refuseTexts is for a server without a provider and without an inbox.
var refuseTexts = sms.SenderFunc(func(context.Context, sms.Message) (string, error) {
	return "", errors.New("GOTRUE_SMS_PROVIDER, or its account, is not set")
})
