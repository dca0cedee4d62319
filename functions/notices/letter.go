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
	htmlLetter = htmltemplate.Must(htmltemplate.ParseFS(files, "letter.html"))
	textLetter = texttemplate.Must(texttemplate.ParseFS(files, "letter.txt"))
)

// settingsPath is where users choose what they are mailed about.
const settingsPath = "/profile?tab=notifications"

// letter is what the templates show.
type letter struct {
	Subject, Action             string
	Paragraphs                  []string
	Link, Settings, Unsubscribe string
	Host                        string
}

// write makes the message of a notice. Its identity is the notice's, so that
// readers' servers know a mail that reaches them twice.
func (n *Notices) write(next notice) (mailer.Message, error) {
	l := letter{
		Subject: next.subject, Action: next.action, Paragraphs: strings.Split(next.content, "\n\n"),
		Link: n.options.Site + next.link, Settings: n.options.Site + settingsPath, Unsubscribe: n.unsubscribeURL(next.user, next.kind),
		Host: n.host,
	}
	var html, text bytes.Buffer
	if err := htmlLetter.Execute(&html, l); err != nil {
		return mailer.Message{}, err
	}
	if err := textLetter.Execute(&text, l); err != nil {
		return mailer.Message{}, err
	}
	return mailer.Message{
		Kind: mailer.Kind(next.kind), To: next.address, Subject: next.subject, HTML: html.String(), Text: text.String(),
		ID: next.id + "@" + n.host,
		// One click of a mail program: RFC 8058.
		Headers: map[string]string{
			"List-Unsubscribe":      "<" + l.Unsubscribe + ">",
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		},
	}, nil
}
