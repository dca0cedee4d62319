// Package pages describes the marketplace's pages to search engines and other clients
// without scripts: which URLs exist and which have moved, their canonical URLs,
// titles and structured data, and the lists of all pages (robots.txt, sitemaps).
package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"plaza/functions/firstview"
	"plaza/functions/words"
	"plaza/server/pg"
	"plaza/server/site"
)

// Options configure Pages.
type Options struct {
	DB      *pg.DB
	SiteURL string // base of absolute URLs
	Views   *firstview.Views
	Texts   []byte // the client's info-pages.json
	Names   words.Names
	Now     func() time.Time
	Log     *slog.Logger
}

// Pages describes the marketplace's pages.
type Pages struct {
	Options

	PageCache *site.PageCache // cache of finished pages

	texts map[string]map[string]text // of text pages, by language and path
	sizes sizes
}

// text is what the head of a text page says.
type text struct{ Title, Intro string }

// New parses the texts and returns the Pages.
func New(options Options) (*Pages, error) {
	options.SiteURL = strings.TrimSuffix(options.SiteURL, "/")
	p := &Pages{Options: options, texts: make(map[string]map[string]text), sizes: protocolSizes, PageCache: site.NewPageCache(key, options.Now)}
	named := make(map[string]map[string]text)
	if err := json.Unmarshal(options.Texts, &named); err != nil {
		return nil, fmt.Errorf("texts of pages: %w", err)
	}
	for language, texts := range named {
		p.texts[language] = make(map[string]text)
		for name, one := range texts {
			p.texts[language]["/"+name] = one
		}
	}
	return p, nil
}

// Describe returns the status, the head and the first view of a page. A URL that has
// moved (ROUTE-36, ROUTE-37), and a path in another form than in the client's links, is
// redirected.
func (p *Pages) Describe(r *http.Request) site.Meta {
	w, rest := words.Of(r.URL.EscapedPath(), p.Names)
	meta := p.describe(withoutPrefix(r, w.Prefix), w)
	if w.Prefix != "" && strings.HasPrefix(meta.Location, "/") {
		meta.Location = w.Prefix + meta.Location
	}
	switch {
	case w.Prefix != "":
		meta.Scripts = []string{"src/texts" + w.Prefix + ".ts"}
		if slices.Contains(moreTexts, rest) {
			meta.Scripts = append(meta.Scripts, "src/texts"+w.Prefix+"/more.ts")
		}
	case w.Home == "en":
		meta.Scripts = []string{"src/texts/en.ts"}
	}
	meta.Alternates = p.alternates(meta.URL)
	if draw := meta.Draw; draw != nil {
		meta.Draw = func(answers []*site.Answer) site.View {
			view := draw(answers)
			view.Alternates = p.alternates(view.URL)
			return view
		}
	}
	return meta
}

// moreTexts are the pages whose texts are not among those that all pages load
// (client/src/lib/translated.ts).
var moreTexts = []string{"/auth", "/auth/callback", "/plans", "/unsubscribe"}

// withoutPrefix returns the request for the same page without the start of its path.
func withoutPrefix(r *http.Request, prefix string) *http.Request {
	if prefix == "" {
		return r
	}
	other, target := *r, *r.URL
	target.Path = cmp.Or(strings.TrimPrefix(target.Path, prefix), "/")
	target.RawPath = strings.TrimPrefix(target.RawPath, prefix)
	other.URL = &target
	return &other
}

// alternates returns the URLs of a page in all languages by its canonical URL; nil without one.
func (p *Pages) alternates(canonical string) []site.Alternate {
	own, ok := strings.CutPrefix(canonical, p.SiteURL)
	if !ok || canonical == "" {
		return nil
	}
	_, address := words.Of(own, nil)
	if address == "/en" {
		address = "/"
	}
	all := []site.Alternate{{Lang: "x-default", URL: p.SiteURL + address}}
	for _, language := range words.Languages {
		all = append(all, site.Alternate{Lang: language, URL: p.SiteURL + words.Path(language, address)})
	}
	return all
}

// describe describes the page at a path without its language.
func (p *Pages) describe(r *http.Request, w *words.Words) site.Meta {
	views := p.Views.In(w)
	meta := site.Meta{Head: site.Head{ImageBase: p.SiteURL, ImageAlt: w.Say("A mosaic of coloured hydraulic tiles")}}
	address := r.URL.EscapedPath()
	if clean := path.Clean(address); clean != address {
		return site.Meta{Location: withQuery(clean, r)}
	}
	if proper, ok := views.ProperCity(r.URL.Path); ok {
		return site.Meta{Location: withQuery(proper, r)}
	}
	page, key := route(address)
	if page == private {
		meta.Robots = site.NoIndex
		return meta
	}
	meta.URL, meta.Tags = p.SiteURL+w.Prefix+address, []string{pathTag(r)}
	if address == "/" || address == "/en" {
		meta.URL, meta.ImageAlt = p.SiteURL+words.Path(w.Home, "/"), w.Say("Un mosaico de baldosas hidráulicas de colores")
	}
	if page != public {
		if isDone := p.lookUp(&meta, r, page, key, w); isDone {
			return meta
		}
	}
	// English home has no path of its own below a language.
	if page == unknown || w.Prefix != "" && address == "/en" {
		return p.missing(w)
	}
	if one, ok := p.texts[w.Language][r.URL.Path]; ok {
		p.addText(&meta, r, one, w.Language, views)
	} else if one, ok := p.texts["es"][r.URL.Path]; ok {
		p.addText(&meta, r, one, "es", views)
	}
	views.AddFirstView(&meta, r)
	return meta
}

func (p *Pages) addText(meta *site.Meta, r *http.Request, one text, language string, views *firstview.Views) {
	meta.Title, meta.Description = one.Title+" · Plaza", one.Intro
	meta.Lang, meta.Locale = language, firstview.Locales[language]
	views.AddText(meta, strings.TrimPrefix(r.URL.Path, "/"), one.Title, one.Intro)
}

// missing describes a page that does not exist (ROUTE-20).
func (p *Pages) missing(w *words.Words) site.Meta {
	return site.Meta{Status: http.StatusNotFound, Head: site.Head{
		Lang: w.Language, Locale: firstview.Locales[w.Language], Title: w.Say("Page not found") + " · Plaza", Robots: site.NoIndex, ImageBase: p.SiteURL, ImageAlt: w.Say("A mosaic of coloured hydraulic tiles"),
	}}
}

// lookUp sets what the database knows of a page. isDone means that the description is
// complete: a redirect, or a page that does not exist.
func (p *Pages) lookUp(meta *site.Meta, r *http.Request, page kind, key string, w *words.Words) (isDone bool) {
	known, err := find(r.Context(), p.DB, r.URL.EscapedPath(), key)
	if err != nil {
		// The client requests the data itself and shows the error.
		p.Log.WarnContext(r.Context(), "page served without a description", "error", err)
		meta.IsPartial = true
		return page == unknown
	}
	if known.Redirect != "" {
		meta.Location = withQuery(known.Redirect, r)
		return true
	}
	if page != business && page != address {
		return false
	}
	one := known.Business
	if one == nil {
		*meta = p.missing(w)
		return true
	}
	meta.Tags = append(meta.Tags, businessTag(one.ID))
	own := cmp.Or(one.Path, "/business/"+one.Slug)
	// URLs below /business/ and /biz/ stay (C-26), except those by a former slug.
	isFormer := page == business && slugShape().MatchString(key) && !uuidShape().MatchString(key) && key != one.Slug
	if isFormer || page == address && one.Path != "" && one.Path != r.URL.Path {
		meta.Location = withQuery(own, r)
		return true
	}
	meta.URL = p.SiteURL + w.Prefix + own
	meta.Lang, meta.Locale = w.Language, firstview.Locales[w.Language]
	meta.Title = one.Name + " · " + one.Location + " · Plaza"
	meta.Description = cmp.Or(one.About, w.Say("%s in %s: prices, opening hours and free times. Book online on Plaza.", one.Type, w.Name(one.Location)))
	meta.Image, meta.ImageAlt = p.SiteURL+"/social/business/"+one.ID+".png", one.Name
	return false
}

// withQuery returns the path of a redirect with the request's query.
func withQuery(target string, r *http.Request) string {
	if r.URL.RawQuery == "" || strings.Contains(target, "?") {
		return target
	}
	return target + "?" + r.URL.RawQuery
}
