package mailer

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plainText converts the HTML of a mail to plain text. It keeps paragraphs and appends the URL
// of each link to its text.
func plainText(page string) string {
	var w plainWriter
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return w.String()
		case html.TextToken:
			w.writeText(tokens.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			w.open(tokens.Token())
		case html.EndTagToken:
			w.close(tokens.Token().DataAtom)
		}
	}
}

// plainWriter writes lines. Spaces and line breaks are written only when text follows.
type plainWriter struct {
	text   strings.Builder
	breaks int // line breaks to write before the next word
	space  bool
	hidden atom.Atom // the open element whose text is skipped; 0: none
	link   string
}

func (w *plainWriter) String() string {
	if w.text.Len() == 0 {
		return ""
	}
	return w.text.String() + "\n"
}

func (w *plainWriter) writeText(text string) {
	if w.hidden != 0 {
		return
	}
	if strings.TrimLeft(text, " \t\r\n\f") != text {
		w.space = true
	}
	for i, word := range strings.Fields(text) {
		if i > 0 {
			w.space = true
		}
		w.writeWord(word)
		w.space = false
	}
	if strings.TrimRight(text, " \t\r\n\f") != text {
		w.space = true
	}
}

func (w *plainWriter) writeWord(word string) {
	switch {
	case w.text.Len() == 0:
	case w.breaks > 0:
		w.text.WriteString(strings.Repeat("\n", w.breaks))
	case w.space:
		w.text.WriteByte(' ')
	}
	w.breaks = 0
	w.text.WriteString(word)
}

func (w *plainWriter) open(tag html.Token) {
	switch tag.DataAtom {
	case atom.Head, atom.Style, atom.Script, atom.Title, atom.Template:
		if w.hidden == 0 {
			w.hidden = tag.DataAtom
		}
	case atom.Br:
		w.breaks = min(w.breaks+1, 2)
	case atom.Img:
		w.writeText(attribute(tag, "alt"))
	case atom.A:
		w.link = attribute(tag, "href")
	default:
		w.breaks = max(w.breaks, breaksAround[tag.DataAtom])
	}
	if tag.DataAtom == atom.Li {
		w.writeText("- ")
	}
}

func (w *plainWriter) close(tag atom.Atom) {
	switch {
	case w.hidden != 0:
		if tag == w.hidden {
			w.hidden = 0
		}
	case tag == atom.A:
		if w.link != "" && !strings.HasSuffix(w.text.String(), w.link) {
			w.writeText(" " + w.link)
		}
		w.link = ""
	default:
		w.breaks = max(w.breaks, breaksAround[tag])
	}
}

// breaksAround has the number of line breaks before and after an element.
var breaksAround = map[atom.Atom]int{
	atom.P: 2, atom.H1: 2, atom.H2: 2, atom.H3: 2, atom.H4: 2, atom.H5: 2, atom.H6: 2, atom.Ul: 2, atom.Ol: 2, atom.Table: 2,
	atom.Blockquote: 2, atom.Pre: 2, atom.Hr: 2, atom.Div: 1, atom.Tr: 1, atom.Li: 1, atom.Section: 1, atom.Header: 1, atom.Footer: 1,
}

func attribute(tag html.Token, name string) string {
	for _, a := range tag.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
