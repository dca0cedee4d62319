package mailer_test

import (
	"errors"
	"io"
	"mime"
	"net"
	"net/mail"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"

	"plaza/server/auth/mailer"
	"plaza/server/secret"
)

// relay is a mail relay that keeps what it gets. It refuses the first few tries.
type relay struct {
	mu     sync.Mutex
	mails  []string
	to     []string
	refuse []*smtp.SMTPError
}

func (r *relay) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{relay: r}, nil }

type session struct {
	relay *relay
	to    string
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *session) Mail(string, *smtp.MailOptions) error {
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	if len(s.relay.refuse) == 0 {
		return nil
	}
	err := s.relay.refuse[0]
	s.relay.refuse = s.relay.refuse[1:]
	return err
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error { s.to = to; return nil }

func (s *session) Data(body io.Reader) error {
	text, err := io.ReadAll(body)
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	s.relay.mails, s.relay.to = append(s.relay.mails, string(text)), append(s.relay.to, s.to)
	return err
}

func startRelay(t *testing.T, r *relay) mailer.Sender {
	t.Helper()
	return startRelayAs(t, r, "", "")
}

func startRelayAs(t *testing.T, r *relay, user, password string) mailer.Sender {
	t.Helper()
	server := smtp.NewServer(r)
	server.Domain = "relay.test"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	sender, err := mailer.NewSMTP(mailer.SMTP{
		Host: "127.0.0.1", Port: number, User: user, Pass: secret.Text(password), AdminEmail: "hola@plaza.test", SenderName: "Plaça Major",
		Headers: mailer.Headers{"X-Tags": {"a", "kind=$messageType"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	r := &relay{}
	sender := startRelay(t, r)
	m := newMailer(t, mailer.Options{})
	message := write(t, m, sample(mailer.Confirmation))
	if err := sender.Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	if len(r.mails) != 1 || r.to[0] != "ana@plaza.test" {
		t.Fatalf("recipients %v", r.to)
	}
	got, err := mail.ReadMessage(strings.NewReader(r.mails[0]))
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
		if !strings.Contains(r.mails[0], part) {
			t.Errorf("no %s in the mail", part)
		}
	}
	if err := sender.Send(t.Context(), mailer.Message{To: "a@b.test\r\nBcc: c@d.test", Subject: "x"}); err == nil {
		t.Error("an address with a line break was sent to")
	}
}

// A relay without TLS does not get to see the password.
func TestPasswordNeedsTLS(t *testing.T) {
	t.Parallel()
	r := &relay{}
	err := startRelayAs(t, r, "plaza", "relay-password").Send(t.Context(), mailer.Message{To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z"})
	if err == nil || len(r.mails) != 0 {
		t.Errorf("sent without TLS: %v", err)
	}
}

// A lasting refusal is told apart from one that may pass.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer  *smtp.SMTPError
		forGood bool
	}{
		"later": {&smtp.SMTPError{Code: 451, Message: "later"}, false},
		"never": {&smtp.SMTPError{Code: 550, Message: "never"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &relay{refuse: []*smtp.SMTPError{tt.answer}}
			err := startRelay(t, r).Send(t.Context(), mailer.Message{To: "ana@plaza.test", Subject: "x", Text: "y", HTML: "z"})
			if err == nil || errors.Is(err, mailer.ErrRefused) != tt.forGood {
				t.Errorf("%v; refused for good: %v, want %v", err, errors.Is(err, mailer.ErrRefused), tt.forGood)
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
