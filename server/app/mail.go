package app

import (
	"context"
	"time"

	"plaza/server/auth/mailer"
	"plaza/server/auth/settings"
	"plaza/server/auth/sms"
	"plaza/server/config"
	"plaza/server/inbox"
)

// post is what takes mails and text messages on their way.
type post struct {
	mail  mailer.Sender
	texts sms.Sender
	inbox *inbox.Inbox // what it catches is shown; nil where a relay and a provider are set
}

// newPost returns the relay and the provider that are set, or else the dev inbox.
func newPost(cfg settings.Config) (post, error) {
	caught := inbox.New(time.Now)
	p := post{mail: catchMails(caught), texts: catchTexts(caught), inbox: caught}
	if relay := cfg.SMTP; relay.Host != "" {
		sender, err := mailer.NewSMTP(mailer.SMTP{
			Host: relay.Host, Port: relay.Port, User: relay.User, Pass: relay.Pass, AdminEmail: relay.AdminEmail, SenderName: relay.SenderName,
			Headers: relay.Headers,
		})
		if err != nil {
			return post{}, err
		}
		p.mail = sender
	}
	if account := cfg.SMS.Twilio; cfg.SMS.Provider == "twilio" {
		p.texts = sms.Twilio{
			URL: account.URL, AccountSID: account.AccountSID, AuthToken: account.AuthToken,
			From: account.MessageServiceSID, ContentSID: account.ContentSID,
		}
	}
	return p, nil
}

// projectTexts returns what takes a project's own text messages: nothing where they
// would only be caught, and nobody may see the inbox.
func projectTexts(p post, cfg config.Config) sms.Sender {
	if cfg.Env == config.Production && cfg.Auth.SMS.Provider == "" {
		return nil
	}
	return p.texts
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
