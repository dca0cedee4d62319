package mailer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"plaza/server/auth/mailer"
	"plaza/tests/testkit"
)

func sample(kind mailer.Kind) mailer.Mail {
	data := mailer.Data{Email: "ana@plaza.test", SendingTo: "ana@plaza.test", Data: json.RawMessage(`{"full_name":"Ana","locale":"xx"}`)}
	switch kind {
	case mailer.PasswordChanged, mailer.EmailChanged, mailer.PhoneChanged, mailer.IdentityLinked, mailer.IdentityUnlinked, mailer.FactorEnrolled, mailer.FactorUnenrolled:
		data.OldEmail, data.Phone, data.Provider, data.FactorType = "old@plaza.test", "34600000001", "google", "totp"
	default:
		data.ConfirmationURL = "https://api.plaza.test/auth/v1/verify?redirect_to=https%3A%2F%2Fplaza.test&token=abc&type=signup"
		data.Token, data.TokenHash, data.NewEmail, data.RedirectTo = "012345", "abc", "new@plaza.test", "https://plaza.test"
	}
	return mailer.Mail{Kind: kind, To: "ana@plaza.test", Data: data}
}

var kinds = []mailer.Kind{
	mailer.Confirmation, mailer.Recovery, mailer.MagicLink, mailer.EmailChange, mailer.Invite, mailer.Reauthentication, mailer.PasswordChanged,
	mailer.EmailChanged, mailer.PhoneChanged, mailer.IdentityLinked, mailer.IdentityUnlinked, mailer.FactorEnrolled, mailer.FactorUnenrolled,
}

func newMailer(t *testing.T, o mailer.Options) *mailer.Mailer {
	t.Helper()
	o.Site = "https://plaza.test"
	m, err := mailer.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t *testing.T, m *mailer.Mailer, mail mailer.Mail) mailer.Message {
	t.Helper()
	message, err := m.Render(mail)
	if err != nil {
		t.Fatal(err)
	}
	return message
}

// Mails contain the site's name, or else its host without the port.
func TestMailsNameTheSite(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]mailer.Options{
		"Plaça Major": {Site: "https://plaza.test", Name: "Plaça Major"},
		"127.0.0.1":   {Site: "http://127.0.0.1:54321"},
	} {
		m, err := mailer.New(o)
		if err != nil {
			t.Fatal(err)
		}
		message := write(t, m, sample(mailer.Invite))
		if !strings.Contains(message.Text, "an account on "+want+" as ") || !strings.HasSuffix(strings.TrimSpace(message.Text), "\n"+want) || !strings.Contains(message.HTML, "</span>"+want+"</p>") {
			t.Errorf("want %s:\n%s\n%s", want, message.Text, message.HTML)
		}
	}
}

func TestMails(t *testing.T) {
	t.Parallel()
	m := newMailer(t, mailer.Options{})
	for _, language := range []string{"en", "es", "ca"} {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			var texts strings.Builder
			for _, kind := range kinds {
				mail := sample(kind)
				mail.Data.Data = json.RawMessage(`{"locale":"` + language + `"}`)
				message := write(t, m, mail)
				fmt.Fprintf(&texts, "=== %s ===\nSubject: %s\n\n%s\n", kind, message.Subject, message.Text)
				if kind == mailer.Confirmation || kind == mailer.Reauthentication || kind == mailer.FactorEnrolled {
					testkit.Golden(t, string(kind)+"_"+language+".html", []byte(message.HTML))
				}
			}
			testkit.Golden(t, "texts_"+language+".txt", []byte(texts.String()))
		})
	}
}

// User input is escaped.
func TestMailEscapes(t *testing.T) {
	t.Parallel()
	m := newMailer(t, mailer.Options{})
	evil := sample(mailer.EmailChange)
	evil.Data.NewEmail = `<img src=x onerror=alert(1)>@plaza.test`
	evil.Data.ConfirmationURL = `javascript:alert(1)`
	message := write(t, m, evil)
	if strings.Contains(message.HTML, "<img") || strings.Contains(message.HTML, `href="javascript`) {
		t.Errorf("not escaped:\n%s", message.HTML)
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		metadata map[string]any
		want     string
	}{
		{nil, "en"},
		{map[string]any{"locale": "xx"}, "en"},
		{map[string]any{"locale": 1}, "en"},
		{map[string]any{"language": "en-GB"}, "en"},
		{map[string]any{"locale": "EN_us", "language": "es"}, "es"},
		{map[string]any{"locale": "es", "language": "xx"}, "es"},
		{map[string]any{"locale": "es-AD"}, "es"},
		{map[string]any{"locale": "xx", "language": "CA_ES"}, "ca"},
	} {
		if got := mailer.Language(tt.metadata); got != tt.want {
			t.Errorf("%v gives %q, want %q", tt.metadata, got, tt.want)
		}
	}
}
