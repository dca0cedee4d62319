// Package mailer writes the auth server's mails and sends them.
package mailer

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"net/url"
	"strings"
	texttemplate "text/template"
	"time"
)

// Kind is what a mail is for. Its value names the templates.
type Kind string

// The kinds of mails.
const (
	Confirmation Kind = "confirmation"
	Recovery     Kind = "recovery"
	MagicLink    Kind = "magic_link"
	EmailChange  Kind = "email_change"

	Invite           Kind = "invite"
	Reauthentication Kind = "reauthentication"

	// Notices, without a link.
	PasswordChanged  Kind = "password_changed_notification"
	EmailChanged     Kind = "email_changed_notification"
	PhoneChanged     Kind = "phone_changed_notification"
	IdentityLinked   Kind = "identity_linked_notification"
	IdentityUnlinked Kind = "identity_unlinked_notification"
	FactorEnrolled   Kind = "mfa_factor_enrolled_notification"
	FactorUnenrolled Kind = "mfa_factor_unenrolled_notification"
)

// Words names the kind in a sentence.
func (k Kind) Words() string { return strings.ReplaceAll(string(k), "_", " ") }

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

	Action string // what the link asks /verify for
}

// Hook is a mail as a project's own sender is told of it. Source: supabase/auth.
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

// Mail is a mail to be written.
type Mail struct {
	Kind Kind
	To   string
	Data Data
}

// Message is a written mail.
type Message struct {
	Kind    Kind
	To      string
	Subject string
	HTML    string
	Text    string
}

// SendTimeout bounds the sending of one mail.
const SendTimeout = 20 * time.Second

// ErrRefused says that a mail will never be sent, however often it is tried.
var ErrRefused = errors.New("the mail is refused for good")

// Sender gives a mail to whoever takes it from here. Errors: ErrRefused; any
// other is worth another try.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// SenderFunc is a function as a Sender.
type SenderFunc func(ctx context.Context, m Message) error

// Send calls the function.
func (f SenderFunc) Send(ctx context.Context, m Message) error { return f(ctx, m) }

//go:embed templates
var files embed.FS

// subjects are texts of the language a mail is written in, as all templates are
// of one folder per language.
var subjects = map[string]map[Kind]string{
	"en": {
		Confirmation: "Confirm your email",
		Recovery:     "Reset your password",
		MagicLink:    "Your sign-in link",
		EmailChange:  "Confirm your new email",

		Invite:           "You have been invited",
		Reauthentication: "Confirm that it is you",
		PasswordChanged:  "Your password was changed",
		EmailChanged:     "Your email address was changed",
		PhoneChanged:     "Your phone number was changed",
		IdentityLinked:   "A way to sign in was added",
		IdentityUnlinked: "A way to sign in was removed",
		FactorEnrolled:   "Two-factor authentication was added",
		FactorUnenrolled: "Two-factor authentication was removed",
	},
}

// defaultLanguage is that of a user who has not chosen one we have.
const defaultLanguage = "en"

// Language gives the language of a mail: the user's metadata key "locale" or
// "language" where there are templates for it, such as "es" of "es-AD".
func Language(metadata map[string]any) string {
	for _, key := range []string{"locale", "language"} {
		tag, _ := metadata[key].(string)
		language, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(tag, "_", "-")), "-")
		if _, ok := subjects[language]; ok {
			return language
		}
	}
	return defaultLanguage
}

// Mailer writes mails.
type Mailer struct {
	site  string
	host  string
	pages map[string]page // language/kind → templates
}

type page struct {
	html *htmltemplate.Template
	text *texttemplate.Template
}

// New reads the templates. site is the address of the project's site.
func New(site string) (*Mailer, error) {
	parsed, err := url.Parse(site)
	if err != nil {
		return nil, err
	}
	m := &Mailer{site: site, host: parsed.Host, pages: make(map[string]page)}
	for language, kinds := range subjects {
		for kind := range kinds {
			base := "templates/" + language + "/" + string(kind)
			var p page
			if p.html, err = htmltemplate.ParseFS(files, "templates/layout.html", base+".html"); err != nil {
				return nil, err
			}
			if p.text, err = texttemplate.ParseFS(files, base+".txt"); err != nil {
				return nil, err
			}
			m.pages[language+"/"+string(kind)] = p
		}
	}
	return m, nil
}

// variables are a template's view of a mail.
type variables struct {
	Data
	Subject  string
	Host     string
	Language string
	Metadata map[string]any
}

// Write makes the message of a mail.
func (m *Mailer) Write(mail Mail) (Message, error) {
	v := variables{Data: mail.Data, Host: m.host, Metadata: map[string]any{}}
	v.SiteURL = m.site
	if len(mail.Data.Data) > 0 {
		if err := json.Unmarshal(mail.Data.Data, &v.Metadata); err != nil {
			return Message{}, fmt.Errorf("read metadata of the user: %w", err)
		}
	}
	v.Language = Language(v.Metadata)
	v.Subject = subjects[v.Language][mail.Kind]
	templates, ok := m.pages[v.Language+"/"+string(mail.Kind)]
	if !ok {
		return Message{}, fmt.Errorf("no template for %s mails", mail.Kind)
	}
	var html, text bytes.Buffer
	if err := templates.html.ExecuteTemplate(&html, "layout.html", v); err != nil {
		return Message{}, fmt.Errorf("write %s mail: %w", mail.Kind, err)
	}
	if err := templates.text.Execute(&text, v); err != nil {
		return Message{}, fmt.Errorf("write %s mail: %w", mail.Kind, err)
	}
	return Message{Kind: mail.Kind, To: mail.To, Subject: v.Subject, HTML: html.String(), Text: text.String()}, nil
}
