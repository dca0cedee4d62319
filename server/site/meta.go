package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"

	"plaza/server/lazyregexp"
)

// Head is what the head of a page tells crawlers that run no scripts. Empty fields keep
// the client's own values.
type Head struct {
	Lang        string // of the page: "en"
	Locale      string // Open Graph's: "en_GB"
	Title       string
	Description string
	URL         string      // canonical URL, absolute; left out if Robots is set
	Alternates  []Alternate // the page in all languages, with this one; left out with URL
	Robots      string      // NoIndex
	Image       string      // absolute
	ImageAlt    string
	ImageBase   string // makes the client's own relative image absolute
	Data        []any  // JSON-LD, one script for each
}

// Alternate is the URL of a page in a language; "x-default" is for all others.
type Alternate struct{ Lang, URL string }

// Meta describes a page: where it is, what its head says, and the data for its first
// screen.
type Meta struct {
	Head

	Status   int    // HTTP status; 0 means 200
	Location string // the page has moved there for good: a path of the site with its query

	Tags      []string // what the page shows, for PageCache.Drop
	IsPartial bool     // something could not be read; such a page is not kept

	// What the first screen needs, so that the client does not have to request it.
	Modules  []string  // source modules of the client, as named in Vite's manifest
	Scripts  []string  // source modules that run before the client's own, in this order
	Requests []Request // requests to the data API
	Next     Next      // may be nil
	Draw     Draw      // may be nil
}

// NoIndex keeps a page out of search engines, which may still follow its links.
const NoIndex = "noindex, follow"

// maxDescription is the maximum length of a description in previews, in characters.
const maxDescription = 200

var (
	titleTag = lazyregexp.New(`<title>[^<]*</title>`)
	langAttr = lazyregexp.New(`<html lang="[^"]*"`)

	descriptionTag   = newTag("name", "description")
	ogTitleTag       = newTag("property", "og:title")
	ogDescriptionTag = newTag("property", "og:description")
	ogLocaleTag      = newTag("property", "og:locale")
	ogImageTag       = newTag("property", "og:image")
	ogImageAltTag    = newTag("property", "og:image:alt")
)

// with returns the head with the fields that another one sets.
func (m Head) with(other Head) Head {
	m.Lang, m.Locale = cmp.Or(other.Lang, m.Lang), cmp.Or(other.Locale, m.Locale)
	m.Title, m.Description = cmp.Or(other.Title, m.Title), cmp.Or(other.Description, m.Description)
	m.URL, m.Robots = cmp.Or(other.URL, m.URL), cmp.Or(other.Robots, m.Robots)
	if other.Alternates != nil {
		m.Alternates = other.Alternates
	}
	m.Image, m.ImageAlt, m.ImageBase = cmp.Or(other.Image, m.Image), cmp.Or(other.ImageAlt, m.ImageAlt), cmp.Or(other.ImageBase, m.ImageBase)
	m.Data = slices.Concat(m.Data, other.Data)
	return m
}

// rewrite inserts the head's values into the client's page.
func (m Head) rewrite(page []byte) []byte {
	if m.Lang != "" {
		page = langAttr().ReplaceAllLiteral(page, []byte(`<html lang="`+html.EscapeString(m.Lang)+`"`))
	}
	if m.Title != "" {
		page = titleTag().ReplaceAllLiteral(page, []byte("<title>"+html.EscapeString(m.Title)+"</title>"))
	}
	description := shorten(m.Description)
	page = descriptionTag.set(page, description)
	page = ogDescriptionTag.set(page, description)
	page = ogTitleTag.set(page, m.Title)
	page = ogLocaleTag.set(page, m.Locale)
	page = ogImageTag.set(page, m.Image)
	page = ogImageAltTag.set(page, m.ImageAlt)
	if m.Image == "" && m.ImageBase != "" {
		page = bytes.Replace(page, []byte(`property="og:image" content="/`), []byte(`property="og:image" content="`+html.EscapeString(m.ImageBase)+`/`), 1)
	}
	var tags bytes.Buffer
	if m.Robots != "" {
		tags.WriteString(`<meta name="robots" content="` + html.EscapeString(m.Robots) + `">`)
	} else if m.URL != "" {
		address := html.EscapeString(m.URL)
		tags.WriteString(`<link rel="canonical" href="` + address + `"><meta property="og:url" content="` + address + `">`)
		for _, one := range m.Alternates {
			tags.WriteString(`<link rel="alternate" hreflang="` + html.EscapeString(one.Lang) + `" href="` + html.EscapeString(one.URL) + `">`)
		}
	}
	for _, one := range m.Data {
		// Marshal escapes "<", ">" and "&", so that no value can end the element.
		text, err := json.Marshal(one)
		if err != nil {
			panic("site: JSON-LD cannot be encoded: " + err.Error())
		}
		tags.WriteString(`<script type="application/ld+json">` + string(text) + `</script>`)
	}
	return bytes.Replace(page, []byte("</head>"), append(tags.Bytes(), "</head>"...), 1)
}

// metaTag is a tag in the page's head whose content is replaced.
type metaTag struct {
	begin   string
	pattern func() *regexp.Regexp // matches the whole tag with any line breaks
}

func newTag(attribute, name string) metaTag {
	return metaTag{
		begin:   `<meta ` + attribute + `="` + name + `" content="`,
		pattern: lazyregexp.New(`<meta\s+` + attribute + `="` + regexp.QuoteMeta(name) + `"\s+content="[^"]*"\s*/?>`),
	}
}

func (t metaTag) set(page []byte, value string) []byte {
	if value == "" {
		return page
	}
	return t.pattern().ReplaceAllLiteral(page, []byte(t.begin+html.EscapeString(value)+`">`))
}

func shorten(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	letters := []rune(text)
	if len(letters) <= maxDescription {
		return text
	}
	return strings.TrimSpace(string(letters[:maxDescription-1])) + "…"
}
