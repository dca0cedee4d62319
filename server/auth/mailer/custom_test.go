package mailer_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"plaza/server/auth/mailer"
)

var begin = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// templateServer serves one template, or an error.
type templateServer struct {
	mu       sync.Mutex
	text     string // empty: 500
	requests int
}

func (s *templateServer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.text == "" {
		w.WriteHeader(http.StatusInternalServerError)
	}
	_, _ = io.WriteString(w, s.text)
}

func (s *templateServer) setText(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text = text
}

const ownText = "Confirm that ana@plaza.test is your address"

// A template is fetched once and cached. After a failure the last valid one stays in use. Without a
// valid one the built-in mail is used.
func TestCustomTemplate(t *testing.T) {
	t.Parallel()
	served := &templateServer{}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	var log bytes.Buffer
	m := newMailer(t, mailer.Options{
		Custom: map[mailer.Kind]mailer.Content{mailer.Confirmation: {Template: server.URL + "/confirmation.html"}},
		Source: mailer.Source{MaxAge: 10 * time.Minute}, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for _, step := range []struct {
		rule     string
		after    time.Duration
		serves   string
		requests int
		want     string
		logs     string
	}{
		{"ours while it fails", 0, "", 1, ownText, "500 Internal"},
		{"tried again at once", time.Second, "{{ .Broken", 2, ownText, "unclosed action"},
		{"a template that cannot be written", 2 * time.Second, `<a href="{{if .Email}}x">{{end}}`, 3, ownText, "end in different contexts"},
		{"too large", 3 * time.Second, strings.Repeat("x", 1_000_001), 4, ownText, "more than 1000000"},
		{"its own", 4 * time.Second, "<p>Hi {{ .Email }} {{ .Data.full_name }}{{ .Nothing }}</p>", 5, "Hi ana@plaza.test Ana\n", ""},
		{"kept", 5 * time.Minute, "<p>New</p>", 5, "Hi ana@plaza.test Ana\n", ""},
		{"the last good one", 11 * time.Minute, "", 6, "Hi ana@plaza.test Ana\n", "500 Internal"},
		{"refreshed", 12 * time.Minute, "<p>New</p>", 7, "New\n", ""},
	} {
		log.Reset()
		served.setText(step.serves)
		m.Load(t.Context(), begin.Add(step.after))
		got := write(t, m, sample(mailer.Confirmation))
		if !strings.Contains(got.Text, step.want) || served.requests != step.requests {
			t.Errorf("%s: %d requests, text %q", step.rule, served.requests, got.Text)
		}
		if !strings.Contains(log.String(), step.logs) || step.logs != "" && !strings.Contains(log.String(), "kind=confirmation") || step.logs == "" && log.Len() > 0 {
			t.Errorf("%s: log %q", step.rule, &log)
		}
	}
}

func TestCustomTemplateLocations(t *testing.T) {
	t.Parallel()
	site := &templateServer{text: "<p>of the site</p>"}
	server := httptest.NewServer(site)
	t.Cleanup(server.Close)
	folder := fstest.MapFS{"supabase/templates/invite.html": {Data: []byte("<p>of the folder</p>")}}
	for location, want := range map[string]string{
		"./supabase/templates/invite.html":           "of the folder\n",
		"/supabase/templates/../templates/x":         "invited",
		"../../supabase/templates/invite.html":       "of the folder\n", // the folder is the root
		server.URL + "/any":                          "of the site\n",
		"supabase/templates":                         "invited",
		"supabase/templates/invite.html?of=nothing#": "invited",
	} {
		m := newMailer(t, mailer.Options{
			Custom: map[mailer.Kind]mailer.Content{mailer.Invite: {Template: location}}, Source: mailer.Source{Folder: folder}, Log: slog.New(slog.DiscardHandler),
		})
		m.Load(t.Context(), begin)
		if got := write(t, m, sample(mailer.Invite)).Text; !strings.Contains(got, want) {
			t.Errorf("%s gives %q", location, got)
		}
	}
	m, err := mailer.New(mailer.Options{Site: server.URL, Custom: map[mailer.Kind]mailer.Content{mailer.Invite: {Template: "/mails/invite.html"}}})
	if err != nil {
		t.Fatal(err)
	}
	m.Load(t.Context(), begin)
	if got := write(t, m, sample(mailer.Invite)).Text; got != "of the site\n" {
		t.Errorf("without a folder: %q", got)
	}
}

func TestCustomSubject(t *testing.T) {
	t.Parallel()
	for subject, want := range map[string]string{
		"Hi {{ .Data.full_name }}{{ .Data.nothing }}!": "Hi Bob & Co Bcc: x@y.test!",
		"{{ .Email }} {{ .Token }}":                    "ana@plaza.test 012345",
		"{{ .Broken":                                   "Confirm your email",
		"{{ .Email.Nothing }}":                         "Confirm your email",
	} {
		mail := sample(mailer.Confirmation)
		mail.Data.Data = json.RawMessage(`{"full_name":"Bob & Co\r\nBcc: x@y.test\u202e"}`)
		m := newMailer(t, mailer.Options{Custom: map[mailer.Kind]mailer.Content{mailer.Confirmation: {Subject: subject}}, Log: slog.New(slog.DiscardHandler)})
		if got := write(t, m, mail); got.Subject != want || !strings.Contains(got.Text, ownText) {
			t.Errorf("%s gives %q, text %q", subject, got.Subject, got.Text)
		}
	}
}

func TestTextOfHTML(t *testing.T) {
	t.Parallel()
	m := newMailer(t, mailer.Options{
		Custom: map[mailer.Kind]mailer.Content{mailer.Recovery: {Template: "x"}},
		Source: mailer.Source{Folder: fstest.MapFS{"x": {Data: []byte(`<html><head><title>T</title><style>p{}</style></head><body>
<h2>Reset</h2><p>Follow   <b>this</b>
link:<br>now</p><p><a href="{{ .ConfirmationURL }}">Reset &amp; go</a></p><ul><li>a</li><li>b</li></ul><script>x()</script><img alt="Logo" src="y"></body></html>`)}}},
	})
	m.Load(t.Context(), begin)
	want := "Reset\n\nFollow this link:\nnow\n\nReset & go https://api.plaza.test/auth/v1/verify?redirect_to=https%3A%2F%2Fplaza.test&token=abc&type=signup\n\n- a\n- b\n\nLogo\n"
	if got := write(t, m, sample(mailer.Recovery)).Text; got != want {
		t.Errorf("got %q", got)
	}
}

// FuzzCustomMail checks that user input in templates cannot become a tag or a header.
func FuzzCustomMail(f *testing.F) {
	f.Add("Ana", "ana@plaza.test")
	f.Add("<script>x</script>", "\"<b>\"@plaza.test")
	f.Add("x\r\nBcc: y@z.test", "a\u2028@plaza.test")
	f.Add("{{ .Token }}", "javascript:alert(1)")
	m, err := mailer.New(mailer.Options{
		Site:   "https://plaza.test",
		Custom: map[mailer.Kind]mailer.Content{mailer.Confirmation: {Subject: "For {{ .Data.name }}, {{ .Email }}", Template: "x"}},
		Source: mailer.Source{Folder: fstest.MapFS{"x": {Data: []byte(`<p title="{{ .Data.name }}">{{ .Data.name }} {{ .Email }}</p><a href="{{ .Data.name }}">x</a>`)}}},
	})
	if err != nil {
		f.Fatal(err)
	}
	m.Load(f.Context(), begin)
	f.Fuzz(func(t *testing.T, name, email string) {
		metadata, err := json.Marshal(map[string]any{"name": name, "locale": name})
		if err != nil {
			t.Skip()
		}
		for _, kind := range []mailer.Kind{mailer.Confirmation, mailer.EmailChange} {
			mail := sample(kind)
			mail.Data.Data, mail.Data.Email, mail.Data.NewEmail = metadata, email, name
			message := write(t, m, mail)
			if strings.ContainsAny(message.Subject, "\r\n\x00") || strings.Contains(message.Subject, "012345") {
				t.Errorf("subject %q", message.Subject)
			}
			plain := mail
			plain.Data.Data, plain.Data.Email, plain.Data.NewEmail = json.RawMessage(`{"name":"a","locale":"en"}`), "a", "a"
			if got, want := tags(message.HTML), tags(write(t, m, plain).HTML); mailer.Language(map[string]any{"locale": name}) == "en" && got != want {
				t.Errorf("%d tags, %d expected:\n%s", got, want, message.HTML)
			}
			if strings.Contains(message.HTML, `href="javascript:`) {
				t.Errorf("a script in a link:\n%s", message.HTML)
			}
		}
	})
}

func tags(html string) int { return strings.Count(html, "<") }
