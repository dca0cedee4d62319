package site

import (
	"bytes"
	"html"
	"regexp"
	"strings"
)

// Meta holds the metadata of a page for crawlers that run no scripts, and the data for
// its first screen. Empty fields keep the client's own values.
type Meta struct {
	Status      int    // HTTP status; 0 means 200
	Lang        string // of the page: "en"
	Locale      string // Open Graph's: "en_GB"
	Title       string
	Description string
	URL         string // absolute
	Image       string // absolute
	ImageBase   string // makes the client's own relative image absolute

	// What the first screen needs, so that the client does not have to request it.
	Modules  []string  // source modules of the client, as named in Vite's manifest
	Requests []Request // requests to the data API
	Next     Next      // may be nil
	Draw     Draw      // may be nil
}

// maxDescription is the maximum length of a description in previews, in characters.
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

// rewrite inserts the metadata into the client's page.
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

// metaTag is a tag in the page's head whose content is replaced.
type metaTag struct {
	begin   string
	pattern *regexp.Regexp // matches the whole tag with any line breaks
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
