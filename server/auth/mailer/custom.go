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

// Content is a project's own mail of one kind, as upstream's settings
// GOTRUE_MAILER_SUBJECTS_… and GOTRUE_MAILER_TEMPLATES_… have it.
type Content struct {
	Subject  string // a template; empty: ours
	Template string // where the HTML is: an http(s) address or a path; empty: ours
}

// custom is a Content in use.
type custom struct {
	subject *texttemplate.Template // nil: ours
	place   string
	body    atomic.Pointer[htmltemplate.Template] // the last good one; nil: ours
	read    time.Time                             // when that was; Load's own
	text    string                                // of which it is made; Load's own
}

// Load reads the templates that are not there yet or have become old. One that
// cannot be read or is broken is named in the log, and the last good one stays.
// It is called by one goroutine at a time.
func (m *Mailer) Load(ctx context.Context, now time.Time) {
	var reading sync.WaitGroup
	for kind, c := range m.custom {
		if c.place == "" || !c.read.IsZero() && now.Sub(c.read) < m.source.maxAge(c.place) {
			continue
		}
		reading.Go(func() {
			if err := c.load(ctx, m.source, now); err != nil && ctx.Err() == nil {
				m.log.ErrorContext(ctx, "a template of mails cannot be used", "kind", kind, "template", c.place, "error", err)
			}
		})
	}
	reading.Wait()
}

// Keep loads templates again and again until ctx ends.
func (m *Mailer) Keep(ctx context.Context, now func() time.Time) {
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

func (c *custom) load(ctx context.Context, from source, now time.Time) error {
	text, err := from.get(ctx, c.place)
	if err != nil {
		return err
	}
	if text != c.text {
		body, err := htmltemplate.New("mail").Parse(text)
		if err != nil {
			return err
		}
		// Much that is wrong shows only when it is written.
		if err := body.Execute(&bytes.Buffer{}, customVariables(Data{}, nil)); err != nil {
			return err
		}
		c.body.Store(body)
	}
	c.text, c.read = text, now
	return nil
}

// customVariables are upstream's. All are there, so that a template for several
// kinds writes nothing for one that a mail has not.
func customVariables(d Data, metadata map[string]any) map[string]any {
	return map[string]any{
		"SiteURL": d.SiteURL, "ConfirmationURL": d.ConfirmationURL, "Token": d.Token, "TokenHash": d.TokenHash,
		"Email": d.Email, "NewEmail": d.NewEmail, "OldEmail": d.OldEmail, "SendingTo": d.SendingTo, "RedirectTo": d.RedirectTo,
		"Phone": d.Phone, "OldPhone": d.OldPhone, "Provider": d.Provider, "FactorType": d.FactorType, "Data": metadata,
	}
}

// write puts the project's subject and text in the place of ours, or leaves both.
func (c *custom) write(message *Message, data Data, metadata map[string]any) error {
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

// noValue is what a template writes for metadata that a user has not.
const noValue = "<no value>"

// maxSubject bounds a subject, in characters: it holds what a user chose.
const maxSubject = 200

// oneLine makes a text fit for a header: no line breaks and nothing invisible.
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
