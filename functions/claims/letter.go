package claims

import (
	"bytes"
	"embed"
	htmltemplate "html/template"
	"strings"
	texttemplate "text/template"

	"plaza/server/auth/mailer"
	"plaza/server/auth/sms"
)

//go:embed letter.html letter.txt
var files embed.FS

var (
	htmlMail = htmltemplate.Must(htmltemplate.ParseFS(files, "letter.html"))
	textMail = texttemplate.Must(texttemplate.ParseFS(files, "letter.txt"))
)

// mailKind is the kind of a mail with a code.
const mailKind mailer.Kind = "claim_code"

// mailMessage returns the mail that contains a code.
func (c *Codes) mailMessage(next code) (mailer.Message, error) {
	subject := next.digits + " is your code for " + oneLine(next.business)
	data := struct{ Subject, Code, Business, Host string }{subject, next.digits, next.business, c.host}
	var html, text bytes.Buffer
	if err := htmlMail.Execute(&html, data); err != nil {
		return mailer.Message{}, err
	}
	if err := textMail.Execute(&text, data); err != nil {
		return mailer.Message{}, err
	}
	return mailer.Message{
		Kind: mailKind, To: next.to, Subject: subject, HTML: html.String(), Text: text.String(), ID: next.id + "@" + c.host,
	}, nil
}

// textMessage returns the text message that contains a code.
func (c *Codes) textMessage(next code) sms.Message {
	return sms.Message{
		To: next.to, Channel: sms.Text, Code: next.digits,
		Text: next.digits + " proves on " + c.host + " that you manage this business. Not you? Tell nobody the code.",
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
