package mailer

import (
	"context"
	"errors"
	"fmt"

	"github.com/wneessen/go-mail"

	"plaza/server/secret"
)

// SMTP has the settings of a mail relay. Port 465 uses implicit TLS. Other ports use STARTTLS
// if the relay offers it; a password is never sent without TLS.
type SMTP struct {
	Host       string
	Port       int
	User       string
	Pass       secret.Text
	AdminEmail string
	SenderName string
	Headers    Headers
}

// smtpsPort is the port of SMTP with implicit TLS (RFC 8314).
const smtpsPort = 465

// NewSMTP returns a Sender that hands each mail to the relay and waits for its reply.
func NewSMTP(c SMTP) (Sender, error) {
	options := []mail.Option{mail.WithPort(c.Port), mail.WithTimeout(SendTimeout)}
	switch {
	case c.Port == smtpsPort:
		options = append(options, mail.WithSSL())
	case c.User != "":
		options = append(options, mail.WithTLSPolicy(mail.TLSMandatory))
	default:
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
			return fmt.Errorf("%w: %w", ErrRefused, err)
		}
		return outcome(message, client.DialAndSendWithContext(ctx, message))
	}), nil
}

// permanent is the lowest permanent error code of a relay (RFC 5321, 4.2.1).
const permanent = 500

// outcome translates the relay's result for a message.
func outcome(message *mail.Msg, err error) error {
	if err == nil || message.IsDelivered() {
		return nil // an error after the relay has accepted the message, such as in QUIT, does not matter
	}
	var failed *mail.SendError
	switch {
	case !errors.As(err, &failed):
		return err // there was no connection
	case failed.ErrorCode() >= permanent:
		return fmt.Errorf("%w: %w", ErrRefused, err)
	case failed.ErrorCode() == 0 && failed.Reason == mail.ErrSMTPDataClose:
		return fmt.Errorf("%w: %w", ErrUncertain, err)
	}
	return err
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
	if m.ID != "" {
		message.SetMessageIDWithValue(m.ID)
	} else {
		message.SetMessageID()
	}
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated")
	for name, values := range c.Headers.forKind(m.Kind) {
		message.SetGenHeader(mail.Header(name), values...)
	}
	for name, value := range m.Headers {
		message.SetGenHeader(mail.Header(name), value)
	}
	message.SetBodyString(mail.TypeTextPlain, m.Text)
	message.AddAlternativeString(mail.TypeTextHTML, m.HTML)
	return message, nil
}
