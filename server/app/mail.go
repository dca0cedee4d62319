package app

import (
	"context"
	"log/slog"
	"time"

	"plaza/server/auth"
	"plaza/server/auth/mailer"
	"plaza/server/inbox"
)

// newMail gives what takes mails on their way: the relay that is set, or the
// dev inbox, which is returned too. Both are behind one queue, so that an answer
// takes the same time whether it leads to a mail or not.
func newMail(smtp auth.SMTP, log *slog.Logger) (*mailer.Queue, *inbox.Inbox, error) {
	if smtp.Host == "" {
		caught := inbox.New(time.Now)
		return mailer.NewQueue(mailer.SenderFunc(func(_ context.Context, m mailer.Message) error {
			caught.Add(inbox.Mail{Kind: string(m.Kind), To: m.To, Subject: m.Subject, HTML: m.HTML, Text: m.Text})
			return nil
		}), log), caught, nil
	}
	relay, err := mailer.NewSMTP(mailer.SMTP{
		Host: smtp.Host, Port: smtp.Port, User: smtp.User, Pass: smtp.Pass,
		AdminEmail: smtp.AdminEmail, SenderName: smtp.SenderName,
	})
	if err != nil {
		return nil, nil, err
	}
	return mailer.NewQueue(relay, log), nil, nil
}
