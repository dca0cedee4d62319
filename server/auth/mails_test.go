package auth_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"plaza/server/auth"
	"plaza/tests/testkit"
)

func TestAProjectsOwnMails(t *testing.T) {
	t.Parallel()
	s := startWith(t, testkit.PlatformURL(t), func(c *auth.Config) {
		c.Mailer.Subjects.Confirmation = "Hola {{ .Data.full_name }}"
		c.Mailer.Templates.Confirmation = "./templates/welcome.html"
	}, func(d *auth.Deps) {
		d.Folder = fstest.MapFS{"templates/welcome.html": {Data: []byte(`<p>{{ .Data.full_name }}: <a href="{{ .ConfirmationURL }}">go</a> {{ .Token }}</p>`)}}
	})
	s.built.LoadTemplates(t.Context())
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong, "data": map[string]any{"full_name": "Ana & <Co>"}}))
	mail := s.lastMail("ana@plaza.test")
	equal(t, "subject", "Hola Ana & <Co>", mail.Subject)
	if !strings.HasPrefix(mail.HTML, "<p>Ana &amp; &lt;Co&gt;: <a href=") || !strings.HasPrefix(mail.Text, "Ana & <Co>: go https://api.plaza.test/auth/v1/verify?") {
		t.Errorf("%s\n%s", mail.HTML, mail.Text)
	}
}

func TestMailsAreInTheUsersLanguage(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	s.ok("/signup", body(map[string]any{"email": "ana@plaza.test", "password": strong, "data": map[string]any{"locale": "ca-AD"}}))
	equal(t, "subject", "Confirma el teu correu", s.lastMail("ana@plaza.test").Subject)
}
