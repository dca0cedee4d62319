// Package relay is a mail relay for tests: it implements SMTP and stores the mails it receives.
package relay

import (
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-smtp"
)

// Relay is a running relay without TLS. Set its fields before using it.
type Relay struct {
	Host string
	Port int

	// Refuse are the error responses to the first mails, before their content.
	Refuse []*smtp.SMTPError
	// HangUp closes the connection after a command, MAIL or DATA; mail received with DATA is stored.
	HangUp string
	// Taken is called when a mail was stored, before the response.
	Taken func()

	mu    sync.Mutex
	mails []Mail
}

// Mail is a received mail.
type Mail struct{ To, Text string }

// Start runs a relay until the test ends.
func Start(t testing.TB) *Relay {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().(*net.TCPAddr)
	r := &Relay{Host: address.IP.String(), Port: address.Port}
	server := smtp.NewServer(r)
	server.Domain = "relay.test"
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	return r
}

// Mails returns the mails received so far, oldest first.
func (r *Relay) Mails() []Mail {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.mails)
}

// NewSession begins a session; go-smtp calls it.
func (r *Relay) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{relay: r, conn: c.Conn()}, nil
}

type session struct {
	relay *Relay
	conn  net.Conn
	to    string
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

func (s *session) Mail(string, *smtp.MailOptions) error {
	s.hangUp("MAIL")
	s.relay.mu.Lock()
	defer s.relay.mu.Unlock()
	if len(s.relay.Refuse) == 0 {
		return nil
	}
	answer := s.relay.Refuse[0]
	s.relay.Refuse = s.relay.Refuse[1:]
	return answer
}

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = to
	return nil
}

func (s *session) Data(body io.Reader) error {
	text, err := io.ReadAll(body)
	s.relay.mu.Lock()
	s.relay.mails = append(s.relay.mails, Mail{To: s.to, Text: string(text)})
	s.relay.mu.Unlock()
	s.hangUp("DATA")
	if s.relay.Taken != nil {
		s.relay.Taken()
	}
	return err
}

func (s *session) hangUp(command string) {
	if s.relay.HangUp == command {
		_ = s.conn.Close()
	}
}
