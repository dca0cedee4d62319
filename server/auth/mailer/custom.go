package mailer

import (
	"bytes"
	"context"
	"fmt"
	htmltemplate "html/template"
	"strings"
	"sync"
	"sync/atomic"
	texttemplate "text/template"
	"time"
	"unicode"
)

// Content is a project's own mail of one kind, from upstream's settings
// GOTRUE_MAILER_SUBJECTS_… and GOTRUE_MAILER_TEMPLATES_….
type Content struct {
	Subject  string // a template; empty: the built-in subject
	Template string // location of the HTML: an http(s) URL or a path; empty: the built-in mail
}

// customMail is a Content with its parsed templates.
type customMail struct {
	subject  *texttemplate.Template // nil: the built-in subject
	location string
	body     atomic.Pointer[htmltemplate.Template] // the last valid template; nil: the built-in mail
	read     time.Time                             // when body was read; used only by Load
	text     string                                // source of body; used only by Load
}

// Load loads the templates that are missing or stale. A template that cannot be read or parsed
// is logged, and its last valid version stays in use. Only one goroutine may call it at a
// time.
func (m *Mailer) Load(ctx context.Context, now time.Time) {
	var reading sync.WaitGroup
	for kind, c := range m.custom {
		if c.location == "" || !c.read.IsZero() && now.Sub(c.read) < m.source.maxAge(c.location) {
			continue
		}
		reading.Go(func() {
			if err := c.load(ctx, m.source, now); err != nil && ctx.Err() == nil {
				m.log.ErrorContext(ctx, "mail template cannot be loaded", "kind", kind, "template", c.location, "error", err)
			}
		})
	}
	reading.Wait()
}

// ReloadPeriodically reloads stale templates until ctx ends.
func (m *Mailer) ReloadPeriodically(ctx context.Context, now func() time.Time) {
	if len(m.custom) == 0 {
		return
	}
	ticker := time.NewTicker(retryInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			m.Load(ctx, now())
		}
	}
}

func (c *customMail) load(ctx context.Context, from source, now time.Time) error {
	text, err := from.get(ctx, c.location)
	if err != nil {
		return err
	}
	if text != c.text {
		body, err := htmltemplate.New("mail").Parse(text)
		if err != nil {
			return err
		}
		// Many errors in a template only occur when it is executed.
		if err := body.Execute(&bytes.Buffer{}, customVariables(Data{}, nil)); err != nil {
			return err
		}
		c.body.Store(body)
	}
	c.text, c.read = text, now
	return nil
}

// customVariables returns upstream's template variables. All of them are always set, so that a
// template for several kinds of mails renders missing ones as empty.
func customVariables(d Data, metadata map[string]any) map[string]any {
	return map[string]any{
		"SiteURL": d.SiteURL, "ConfirmationURL": d.ConfirmationURL, "Token": d.Token, "TokenHash": d.TokenHash,
		"Email": d.Email, "NewEmail": d.NewEmail, "OldEmail": d.OldEmail, "SendingTo": d.SendingTo, "RedirectTo": d.RedirectTo,
		"Phone": d.Phone, "OldPhone": d.OldPhone, "Provider": d.Provider, "FactorType": d.FactorType, "Data": metadata,
	}
}

// write replaces the subject and text of message by the project's own. On an error it changes
// neither.
func (c *customMail) write(message *Message, data Data, metadata map[string]any) error {
	vars := customVariables(data, metadata)
	written := *message
	if c.subject != nil {
		var subject bytes.Buffer
		if err := c.subject.Execute(&subject, vars); err != nil {
			return fmt.Errorf("subject: %w", err)
		}
		written.Subject = oneLine(strings.ReplaceAll(subject.String(), noValue, ""))
	}
	if body := c.body.Load(); body != nil {
		var html bytes.Buffer
		if err := body.Execute(&html, vars); err != nil {
			return err
		}
		written.HTML = html.String()
		written.Text = plainText(written.HTML)
	}
	*message = written
	return nil
}

// noValue is the output of a template for missing metadata.
const noValue = "<no value>"

// maxSubject bounds a subject, in characters, because it may contain user input.
const maxSubject = 200

// oneLine makes text safe for a header. It removes line breaks and invisible characters.
func oneLine(text string) string {
	text = strings.Map(func(char rune) rune {
		switch {
		case unicode.IsSpace(char) || unicode.IsControl(char):
			return ' '
		case !unicode.IsPrint(char):
			return -1
		}
		return char
	}, text)
	chars := []rune(strings.Join(strings.Fields(text), " "))
	return string(chars[:min(len(chars), maxSubject)])
}
