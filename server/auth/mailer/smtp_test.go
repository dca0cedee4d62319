package mailer_test

import (
	"errors"
	"mime"
	"net/mail"
	"strings"
	"testing"

	"github.com/emersion/go-smtp"

	"plaza/server/auth/mailer"
	"plaza/server/secret"
	"plaza/tests/testkit/relay"
)

// startRelay starts a relay and returns it with a sender for it.
func startRelay(t *testing.T) (*relay.Relay, mailer.Sender) {
	t.Helper()
	return startRelayAs(t, "", "")
}

func startRelayAs(t *testing.T, user, password string) (*relay.Relay, mailer.Sender) {
	t.Helper()
	r := relay.Start(t)
	sender, err := mailer.NewSMTP(mailer.SMTP{
		Host: r.Host, Port: r.Port, User: user, Pass: secret.Text(password), AdminEmail: "hola@plaza.test", SenderName: "Plaça Major",
		Headers: mailer.Headers{"X-Tags": {"a", "kind=$messageType"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, sender
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	r, sender := startRelay(t)
	m := newMailer(t, mailer.Options{})
	message := write(t, m, sample(mailer.Confirmation))
	if err := sender.Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	mails := r.Mails()
	if len(mails) != 1 || mails[0].To != "ana@plaza.test" {
		t.Fatalf("mails %v", mails)
	}
	got, err := mail.ReadMessage(strings.NewReader(mails[0].Text))
	if err != nil {
		t.Fatal(err)
	}
	from, err := (&mail.AddressParser{WordDecoder: &mime.WordDecoder{}}).Parse(got.Header.Get("From"))
	if err != nil || from.Name != "Plaça Major" || from.Address != "hola@plaza.test" {
		t.Errorf("from %v, %v", from, err)
	}
	for name, want := range map[string]string{"Subject": "Confirm your email", "Auto-Submitted": "auto-generated", "X-Tags": "a, kind=confirmation"} {
		if got.Header.Get(name) != want {
			t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
		}
	}
	for _, part := range []string{"text/plain", "text/html", "012345"} {
		if !strings.Contains(mails[0].Text, part) {
			t.Errorf("no %s in the mail", part)
		}
	}
	if err := sender.Send(t.Context(), mailer.Message{To: "a@b.test\r\nBcc: c@d.test", Subject: "x"}); err == nil {
		t.Error("an address with a line break was sent to")
	}
}

// A mail may have additional headers, and a Message-ID that is the same for all attempts.
func TestHeadersOfAMessage(t *testing.T) {
	t.Parallel()
	r, sender := startRelay(t)
	link := "<https://plaza.test/unsubscribe?token=" + strings.Repeat("x", 120) + ">"
	message := mailer.Message{
		To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z", ID: "7@plaza.test",
		Headers: map[string]string{"List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"},
	}
	for range 2 {
		if err := sender.Send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range r.Mails() {
		got, err := mail.ReadMessage(strings.NewReader(m.Text))
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range map[string]string{
			"Message-Id": "<7@plaza.test>", "List-Unsubscribe": link, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		} {
			if got.Header.Get(name) != want {
				t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
			}
		}
	}
}

// If a connection breaks after the whole mail was sent, the result is uncertain.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	for command, uncertain := range map[string]bool{"MAIL": false, "DATA": true} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			r, sender := startRelay(t)
			r.HangUp = command
			err := sender.Send(t.Context(), mailer.Message{To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z"})
			if err == nil || errors.Is(err, mailer.ErrUncertain) != uncertain || errors.Is(err, mailer.ErrRefused) {
				t.Errorf("%v; uncertain: %v, want %v", err, errors.Is(err, mailer.ErrUncertain), uncertain)
			}
		})
	}
}

// The password is not sent to a relay without TLS.
func TestPasswordNeedsTLS(t *testing.T) {
	t.Parallel()
	r, sender := startRelayAs(t, "plaza", "relay-password")
	err := sender.Send(t.Context(), mailer.Message{To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z"})
	if err == nil || len(r.Mails()) != 0 {
		t.Errorf("sent without TLS: %v", err)
	}
}

// Permanent errors are distinguished from temporary ones.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer    *smtp.SMTPError
		permanent bool
	}{
		"later": {&smtp.SMTPError{Code: 451, Message: "later"}, false},
		"never": {&smtp.SMTPError{Code: 550, Message: "never"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, sender := startRelay(t)
			r.Refuse = []*smtp.SMTPError{tt.answer}
			err := sender.Send(t.Context(), mailer.Message{To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z"})
			if err == nil || errors.Is(err, mailer.ErrRefused) != tt.permanent {
				t.Errorf("%v; permanent: %v, want %v", err, errors.Is(err, mailer.ErrRefused), tt.permanent)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		"": true, `{}`: true, `{"X-A": ["b", "c $messageType"]}`: true, `{"X-A": "b"}`: false, `not JSON`: false, `{"Subject": ["x"]}`: false,
		`{"content-type": ["x"]}`: false, `{"X A": ["x"]}`: false, `{"X-A": ["x\r\nBcc: y"]}`: false,
	} {
		var headers mailer.Headers
		if err := headers.UnmarshalText([]byte(text)); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
	}
}
