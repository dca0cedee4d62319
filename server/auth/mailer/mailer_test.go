package mailer_test

import (
	"encoding/json"
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
	"plaza/tests/testkit"
)

func sample(kind mailer.Kind) mailer.Mail {
	return mailer.Mail{Kind: kind, To: "ana@plaza.test", Data: mailer.Data{
		ConfirmationURL: "https://api.plaza.test/auth/v1/verify?redirect_to=https%3A%2F%2Fplaza.test&token=abc&type=signup",
		Token:           "012345", TokenHash: "abc", Email: "ana@plaza.test", NewEmail: "new@plaza.test", SendingTo: "ana@plaza.test",
		RedirectTo: "https://plaza.test", Data: json.RawMessage(`{"full_name":"Ana","locale":"xx"}`),
	}}
}

func TestMails(t *testing.T) {
	t.Parallel()
	m, err := mailer.New("https://plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []mailer.Kind{mailer.Confirmation, mailer.Recovery, mailer.MagicLink, mailer.EmailChange} {
		t.Run(string(kind), func(t *testing.T) {
			message, err := m.Write(sample(kind))
			if err != nil {
				t.Fatal(err)
			}
			testkit.Golden(t, string(kind)+".html", []byte(message.HTML))
			testkit.Golden(t, string(kind)+".txt", []byte("Subject: "+message.Subject+"\n\n"+message.Text))
		})
	}
}

// What a stranger typed stays text.
func TestMailEscapes(t *testing.T) {
	t.Parallel()
	m, err := mailer.New("https://plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	evil := sample(mailer.EmailChange)
	evil.Data.NewEmail = `<img src=x onerror=alert(1)>@plaza.test`
	evil.Data.ConfirmationURL = `javascript:alert(1)`
	message, err := m.Write(evil)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(message.HTML, "<img") || strings.Contains(message.HTML, `href="javascript`) {
		t.Errorf("not escaped:\n%s", message.HTML)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, metadata := range []map[string]any{nil, {"locale": "xx"}, {"locale": 1}, {"language": "en-GB"}, {"locale": "EN_us"}} {
		if got := mailer.Language(metadata); got != "en" {
			t.Errorf("%v gives %q", metadata, got)
		}
	}
}

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
	sender, err := mailer.NewSMTP(mailer.SMTP{Host: "127.0.0.1", Port: number, User: user, Pass: secret.Text(password), AdminEmail: "hola@plaza.test", SenderName: "Plaça Major"})
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

func TestSMTP(t *testing.T) {
	t.Parallel()
	r := &relay{}
	sender := startRelay(t, r)
	m, err := mailer.New("https://plaza.test")
	if err != nil {
		t.Fatal(err)
	}
	message, err := m.Write(sample(mailer.Confirmation))
	if err != nil {
		t.Fatal(err)
	}
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
	for name, want := range map[string]string{"Subject": "Confirm your email", "Auto-Submitted": "auto-generated"} {
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
