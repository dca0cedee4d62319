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

// mailData is the data of the mail templates.
type mailData struct {
	Subject, Action             string
	Paragraphs                  []string
	Link, Settings, Unsubscribe string
	Host                        string
}

// newMessage returns the mail of a notice. The message id contains the notice's id, so
// that mail servers recognize a mail that arrives twice.
func (n *Notices) newMessage(next notice) (mailer.Message, error) {
	data := mailData{
		Subject: next.subject, Action: next.action, Paragraphs: strings.Split(next.content, "\n\n"),
		Link: n.options.Site + next.link, Settings: n.options.Site + settingsPath, Unsubscribe: n.unsubscribeURL(next.user, next.kind),
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
		// One-click unsubscribe of mail programs: RFC 8058.
		Headers: map[string]string{
			"List-Unsubscribe":      "<" + data.Unsubscribe + ">",
			"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		},
	}, nil
}
