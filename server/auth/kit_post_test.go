package auth_test

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
)

// lastText returns the newest message to a number.
func (s *server) lastText(to string) sms.Message {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := len(s.texts) - 1; i >= 0; i-- {
		if s.texts[i].To == to {
			return s.texts[i]
		}
	}
	s.t.Fatalf("no message to %s", to)
	return sms.Message{}
}

// sendMails sends the queued mails and returns all mails so far.
func (s *server) sendMails() []mailer.Message {
	s.t.Helper()
	if err := s.built.SendDue(context.WithoutCancel(s.t.Context())); err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mails)
}

// lastMail returns the newest mail to an address.
func (s *server) lastMail(to string) mailer.Message {
	s.t.Helper()
	mails := s.sendMails()
	for i := len(mails) - 1; i >= 0; i-- {
		if mails[i].To == to {
			return mails[i]
		}
	}
	s.t.Fatalf("no mail to %s", to)
	return mailer.Message{}
}

func (s *server) mailCount() int {
	s.t.Helper()
	return len(s.sendMails())
}

// mailedLink has the link and the code of a mail.
type mailedLink struct {
	link url.URL
	code string
}

func (s *server) linkTo(to string) mailedLink {
	s.t.Helper()
	text := s.lastMail(to).Text
	var found mailedLink
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if code, ok := strings.CutPrefix(line, "Or enter this code: "); ok {
			found.code = code
		}
		if at := strings.Index(line, "https://api.plaza.test/"); at >= 0 {
			parsed, err := url.Parse(line[at:])
			if err != nil {
				s.t.Fatal(err)
			}
			found.link = *parsed
		}
	}
	if found.code == "" || found.link.Host == "" {
		s.t.Fatalf("no link or code in the mail:\n%s", text)
	}
	return found
}

// nonce returns the code of a mail without a link.
func (s *server) nonce(to string) string {
	s.t.Helper()
	_, rest, found := strings.Cut(s.lastMail(to).Text, "Enter this code: ")
	if !found {
		s.t.Fatal("no code in the mail")
	}
	code, _, _ := strings.Cut(rest, "\n")
	return strings.TrimSpace(code)
}

func (l mailedLink) token() string { return l.link.Query().Get("token") }

// pressButton follows a link and presses the button of its page.
func (s *server) pressButton(l mailedLink) url.URL {
	s.t.Helper()
	got := s.postVerifyForm(l, nil)
	got.want(s.t, http.StatusSeeOther, "")
	target, err := url.Parse(got.header.Get("Location"))
	if err != nil {
		s.t.Fatal(err)
	}
	return *target
}

func (s *server) postVerifyForm(l mailedLink, header map[string]string) answer {
	s.t.Helper()
	all := map[string]string{"Content-Type": "application/x-www-form-urlencoded", "apikey": "", "Sec-Fetch-Site": "same-origin"}
	for name, value := range header {
		all[name] = value
	}
	return s.do(call{path: "/verify", body: l.link.RawQuery, header: all})
}
