// Package mailer renders the auth server's mails and sends them.
package mailer

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	texttemplate "text/template"
	"time"
)

// Kind is the purpose of a mail. Its value names the templates.
type Kind string

// The kinds of mails.
const (
	Confirmation Kind = "confirmation"
	Recovery     Kind = "recovery"
	MagicLink    Kind = "magic_link"
	EmailChange  Kind = "email_change"

	Invite           Kind = "invite"
	Reauthentication Kind = "reauthentication"
	AccountLocked    Kind = "account_locked" // not in upstream

	// Notices, without a link.
	PasswordChanged  Kind = "password_changed_notification"
	EmailChanged     Kind = "email_changed_notification"
	PhoneChanged     Kind = "phone_changed_notification"
	IdentityLinked   Kind = "identity_linked_notification"
	IdentityUnlinked Kind = "identity_unlinked_notification"
	FactorEnrolled   Kind = "mfa_factor_enrolled_notification"
	FactorUnenrolled Kind = "mfa_factor_unenrolled_notification"
)

// Label returns the kind for use in a sentence.
func (k Kind) Label() string { return strings.ReplaceAll(string(k), "_", " ") }

// Data are the variables of a template. Source: supabase/auth's names.
type Data struct {
	SiteURL         string
	ConfirmationURL string
	Token           string
	TokenHash       string
	Email           string
	NewEmail        string
	SendingTo       string
	RedirectTo      string
	OldEmail        string          // of a notice
	OldPhone        string          // of a notice
	Phone           string          // of a notice
	Provider        string          // of a notice about an identity
	FactorType      string          // of a notice about a second factor
	Data            json.RawMessage // the user's own metadata, a JSON object

	Action string // the link's type for /verify
}

// Hook returns the data of a mail for a project's own sender. Source: supabase/auth.
func (d Data) Hook(kind Kind) map[string]string {
	action := d.Action
	if action == "" {
		action = string(kind)
	}
	return map[string]string{
		"token": d.Token, "token_hash": d.TokenHash, "redirect_to": d.RedirectTo, "email_action_type": action, "site_url": d.SiteURL,
		"token_new": "", "token_hash_new": "", "old_email": d.OldEmail, "old_phone": d.OldPhone, "provider": d.Provider, "factor_type": d.FactorType,
	}
}

// Mail is a mail to be rendered.
type Mail struct {
	Kind Kind
	To   string
	Data Data
}

// Message is a rendered mail.
type Message struct {
	Kind    Kind
	To      string
	Subject string
	HTML    string
	Text    string

	// ID is the Message-ID without angle brackets. It is the same for all attempts. An empty
	// ID means a new Message-ID for each attempt.
	ID string `json:",omitempty"`
	// Headers are additional headers by name, such as List-Unsubscribe. Each value is one
	// line.
	Headers map[string]string `json:",omitempty"`
}

// SendTimeout bounds the sending of one mail.
const SendTimeout = 20 * time.Second

// ErrRefused means that a mail was refused permanently; a retry will not help.
var ErrRefused = errors.New("mail refused permanently")

// ErrUncertain means that a mail was handed over completely, but no reply came. It may have
// been sent, so a retry may send it twice.
var ErrUncertain = errors.New("no reply to the mail: it may have been sent")

// Sender sends a mail. Errors: ErrRefused, ErrUncertain; after any other error the mail was
// not sent and can be retried.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// SenderFunc is a function that implements Sender.
type SenderFunc func(ctx context.Context, m Message) error

// Send calls the function.
func (f SenderFunc) Send(ctx context.Context, m Message) error { return f(ctx, m) }

//go:embed templates
var files embed.FS

// Language returns the language of a mail: that of the user's metadata key "language", or of
// "locale", which sign-in providers write, if it is supported, such as "es" for "es-AD".
func Language(metadata map[string]any) string {
	for _, key := range []string{"language", "locale"} {
		tag, _ := metadata[key].(string)
		name, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
		if _, ok := languages[name]; ok {
			return name
		}
	}
	return defaultLanguage
}

// Mailer renders mails.
type Mailer struct {
	site   string
	name   string
	pages  map[string]func() (page, error) // language/kind → built-in templates, parsed when first used
	source source                          // of the project's templates
	custom map[Kind]*customMail
	log    *slog.Logger
}

type page struct {
	html *htmltemplate.Template
	text *texttemplate.Template
}

// Options are the options of a Mailer.
type Options struct {
	Site   string           // the URL of the project's site
	Name   string           // name of the site in built-in mails; empty: the host of its URL
	Custom map[Kind]Content // the project's own mails; other kinds use the built-in mails
	Source Source           // source of the project's templates
	Log    *slog.Logger     // nil: slog.Default()
}

// New parses the project's subjects. The project's templates are loaded by Load.
func New(o Options) (*Mailer, error) {
	parsed, err := url.Parse(o.Site)
	if err != nil {
		return nil, err
	}
	m := &Mailer{site: o.Site, name: cmp.Or(o.Name, parsed.Hostname()), pages: make(map[string]func() (page, error)), custom: make(map[Kind]*customMail), log: o.Log}
	if m.log == nil {
		m.log = slog.Default()
	}
	m.source = o.Source.forSite(o.Site)
	for name, language := range languages {
		for kind, texts := range language.mails {
			m.pages[name+"/"+string(kind)] = sync.OnceValues(texts.parse)
		}
	}
	for kind, content := range o.Custom {
		if _, known := english.mails[kind]; !known || content == (Content{}) {
			continue
		}
		made := &customMail{location: content.Template}
		if content.Subject != "" {
			if made.subject, err = texttemplate.New("subject").Parse(content.Subject); err != nil {
				m.log.Error("invalid mail subject, the built-in one is used", "kind", kind, "error", err)
			}
		}
		m.custom[kind] = made
	}
	return m, nil
}

func (w mailTexts) parse() (p page, err error) {
	if p.html, err = htmltemplate.ParseFS(files, "templates/layout.html"); err != nil {
		return p, err
	}
	if p.text, err = texttemplate.ParseFS(files, "templates/layout.txt"); err != nil {
		return p, err
	}
	for name, text := range map[string]string{"text": w.text, "note": w.note} {
		if _, err := p.html.New(name).Parse(text); err != nil {
			return p, err
		}
		if _, err := p.text.New(name).Parse(text); err != nil {
			return p, err
		}
	}
	return p, nil
}

// variables are the variables of the built-in templates.
type variables struct {
	Data
	Subject, Heading string
	Button, AskCode  string
	Factor           string
	SiteName         string
	Language         string
}

// Render renders a mail: the project's own, or the built-in one if there is none or it cannot
// be rendered.
func (m *Mailer) Render(mail Mail) (Message, error) {
	mail.Data.SiteURL = m.site
	metadata := map[string]any{}
	if len(mail.Data.Data) > 0 {
		if err := json.Unmarshal(mail.Data.Data, &metadata); err != nil {
			return Message{}, fmt.Errorf("decode user metadata: %w", err)
		}
	}
	message, err := m.renderBuiltIn(mail, metadata)
	if err != nil {
		return Message{}, err
	}
	if custom := m.custom[mail.Kind]; custom != nil {
		if err := custom.write(&message, mail.Data, metadata); err != nil {
			m.log.Error("mail template failed, the built-in one is used", "kind", mail.Kind, "error", err)
		}
	}
	return message, nil
}

func (m *Mailer) renderBuiltIn(mail Mail, metadata map[string]any) (Message, error) {
	name := Language(metadata)
	language := languages[name]
	texts, ok := language.mails[mail.Kind]
	if !ok {
		return Message{}, fmt.Errorf("no template for %s mails", mail.Kind)
	}
	v := variables{
		Data: mail.Data, Subject: texts.subject, Heading: texts.subject, Button: texts.button,
		Factor: cmp.Or(language.factors[mail.Data.FactorType], mail.Data.FactorType), SiteName: m.name, Language: name,
	}
	switch {
	case texts.button != "":
		v.AskCode = language.orCode
	case mail.Data.Token != "":
		v.AskCode = language.code
	}
	templates, err := m.pages[name+"/"+string(mail.Kind)]()
	if err != nil {
		return Message{}, fmt.Errorf("%s mail in %s: %w", mail.Kind, name, err)
	}
	var html, text bytes.Buffer
	if err := templates.html.Execute(&html, v); err != nil {
		return Message{}, fmt.Errorf("render %s mail: %w", mail.Kind, err)
	}
	if err := templates.text.Execute(&text, v); err != nil {
		return Message{}, fmt.Errorf("render %s mail: %w", mail.Kind, err)
	}
	return Message{Kind: mail.Kind, To: mail.To, Subject: v.Subject, HTML: html.String(), Text: text.String()}, nil
}
