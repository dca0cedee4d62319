package notices

import (
	"bytes"
	"embed"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"

	"plaza/server/auth/mailer"
)

//go:embed letter.html letter.txt
var files embed.FS

var (
	htmlMail = htmltemplate.Must(htmltemplate.ParseFS(files, "letter.html"))
	textMail = texttemplate.Must(texttemplate.ParseFS(files, "letter.txt"))
)

// settingsPath is the client's page where users choose which mails they receive.
const settingsPath = "/profile?tab=notifications"

// words are the texts of every mail in one language.
type words struct{ Choose, Stop string }

var languages = map[string]words{
	"en": {"Choose what we mail you", "No more mails of this kind"},
	"es": {"Elige qué te enviamos", "No enviar más correos así"},
	"ca": {"Tria què t’enviem", "No enviar més correus així"},
}

// mailData is the data of the mail templates.
type mailData struct {
	words

	Language                    string
	Subject, Action             string
	Paragraphs                  []string
	Link, Settings, Unsubscribe string
	Host                        string
}

// newMessage returns the mail of a notice. The message id contains the notice's id, so
// that mail servers recognize a mail that arrives twice.
func (n *Notices) newMessage(next notice) (mailer.Message, error) {
	// The client's pages in Spanish and Catalan are below these paths (client/src/lib/language.ts).
	site := n.options.Site
	if next.language != "en" {
		site += "/" + next.language
	}
	unsubscribe := n.unsubscribePath(next.user, next.kind)
	data := mailData{
		words: languages[next.language], Language: next.language,
		Subject: next.subject, Action: next.action, Paragraphs: strings.Split(next.content, "\n\n"),
		Link: site + next.link, Settings: site + settingsPath, Unsubscribe: site + unsubscribe,
		Host: n.host,
	}
	var html, text bytes.Buffer
	if err := htmlMail.Execute(&html, data); err != nil {
		return mailer.Message{}, err
	}
	if err := textMail.Execute(&text, data); err != nil {
		return mailer.Message{}, err
	}
	return mailer.Message{
		Kind: mailer.Kind(next.kind), To: next.address, Subject: next.subject, HTML: html.String(), Text: text.String(),
		ID: next.id + "@" + n.host,
		// One-click unsubscribe of mail programs: RFC 8058. They post to the server, which has no languages.
		Headers: map[string]string{
			"List-Unsubscribe":      "<" + n.options.Site + unsubscribe + ">",
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		},
	}, nil
}
