package site

import (
	"bytes"
	"html"
	"regexp"
	"strings"
)

// Meta is what a page says of itself to readers that run no script, and what it
// begins with. Empty fields keep the client's own words.
type Meta struct {
	Status      int    // HTTP status; 0 means 200
	Lang        string // of the page: "en"
	Locale      string // Open Graph's: "en_GB"
	Title       string
	Description string
	URL         string // absolute
	Image       string // absolute
	ImageBase   string // makes the client's own relative image absolute

	// What the first screen asks for anyway, sent along so that it need not.
	Modules  []string  // of the client's source, as Vite's manifest names them
	Requests []Request // of the data API
	Next     Next      // may be nil
	Draw     Draw      // may be nil
}

// maxDescription is how much of a description previews show, in characters.
const maxDescription = 200

var (
	titleTag = regexp.MustCompile(`<title>[^<]*</title>`)
	langAttr = regexp.MustCompile(`<html lang="[^"]*"`)

	descriptionTag   = newTag("name", "description")
	ogTitleTag       = newTag("property", "og:title")
	ogDescriptionTag = newTag("property", "og:description")
	ogLocaleTag      = newTag("property", "og:locale")
	ogImageTag       = newTag("property", "og:image")
)

// rewrite puts a page's own description into the client's page.
func (m Meta) rewrite(page []byte) []byte {
	if m.Lang != "" {
		page = langAttr.ReplaceAllLiteral(page, []byte(`<html lang="`+html.EscapeString(m.Lang)+`"`))
	}
	if m.Title != "" {
		page = titleTag.ReplaceAllLiteral(page, []byte("<title>"+html.EscapeString(m.Title)+"</title>"))
	}
	description := shorten(m.Description)
	page = descriptionTag.set(page, description)
	page = ogDescriptionTag.set(page, description)
	page = ogTitleTag.set(page, m.Title)
	page = ogLocaleTag.set(page, m.Locale)
	page = ogImageTag.set(page, m.Image)
	if m.Image == "" && m.ImageBase != "" {
		page = bytes.Replace(page, []byte(`property="og:image" content="/`), []byte(`property="og:image" content="`+html.EscapeString(m.ImageBase)+`/`), 1)
	}
	if m.URL != "" {
		address := html.EscapeString(m.URL)
		page = bytes.Replace(page, []byte("</head>"), []byte(`<link rel="canonical" href="`+address+`"><meta property="og:url" content="`+address+`"></head>`), 1)
	}
	return page
}

// metaTag is a tag of the page's head whose content a page of its own replaces.
type metaTag struct {
	begin   string
	pattern *regexp.Regexp // the whole tag, however its lines are broken
}

func newTag(attribute, name string) metaTag {
	return metaTag{
		begin:   `<meta ` + attribute + `="` + name + `" content="`,
		pattern: regexp.MustCompile(`<meta\s+` + attribute + `="` + regexp.QuoteMeta(name) + `"\s+content="[^"]*"\s*/?>`),
	}
}

func (t metaTag) set(page []byte, value string) []byte {
	if value == "" {
		return page
	}
	return t.pattern.ReplaceAllLiteral(page, []byte(t.begin+html.EscapeString(value)+`">`))
}

func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	letters := []rune(text)
	if len(letters) <= maxDescription {
		return text
	}
	return strings.TrimSpace(string(letters[:maxDescription-1])) + "…"
}
