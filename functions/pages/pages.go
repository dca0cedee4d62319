// Package pages answers what the marketplace's pages are for search engines and other
// clients without scripts: which URLs exist and which have moved, their canonical URLs,
// titles and structured data, and the lists of all pages (robots.txt, sitemaps).
package pages

import (
	"cmp"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"plaza/functions/firstview"
	"plaza/server/pg"
	"plaza/server/site"
)

// Options configure Pages.
type Options struct {
	DB      *pg.DB
	SiteURL string // base of absolute URLs
	Views   *firstview.Views
	Texts   []byte // the client's info-pages.json
	Now     func() time.Time
	Log     *slog.Logger
}

// Pages describes the marketplace's pages.
type Pages struct {
	Options

	Kept *site.Kept // finished pages

	texts map[string]text // of text pages, by path
	sizes sizes
}

// text is what the head of a text page says.
type text struct{ Title, Intro, Lang string }

// New parses the texts and returns the Pages.
func New(options Options) (*Pages, error) {
	options.SiteURL = strings.TrimSuffix(options.SiteURL, "/")
	p := &Pages{Options: options, texts: make(map[string]text), sizes: protocolSizes, Kept: site.NewKept(key, options.Now)}
	named := make(map[string]text)
	if err := json.Unmarshal(options.Texts, &named); err != nil {
		return nil, fmt.Errorf("texts of pages: %w", err)
	}
	for name, one := range named {
		one.Lang = cmp.Or(one.Lang, "en")
		p.texts["/"+name] = one
	}
	return p, nil
}

// Describe returns the status, the head and the first view of a page. A URL that has
// moved (ROUTE-36, ROUTE-37) and a path that is not written as the client's links are is
// redirected.
func (p *Pages) Describe(r *http.Request) site.Meta {
	meta := site.Meta{Head: site.Head{ImageBase: p.SiteURL}}
	address := r.URL.EscapedPath()
	if clean := path.Clean(address); clean != address {
		return site.Meta{Location: withQuery(clean, r)}
	}
	if proper, ok := p.Views.ProperCity(r.URL.Path); ok {
		return site.Meta{Location: withQuery(proper, r)}
	}
	page, key := route(address)
	if page == private {
		meta.Robots = site.NoIndex
		return meta
	}
	meta.URL, meta.Tags = p.SiteURL+address, []string{pathTag(r)}
	if page != public {
		if isDone := p.lookUp(&meta, r, page, key); isDone {
			return meta
		}
	}
	if page == unknown {
		return p.missing()
	}
	if one, ok := p.texts[r.URL.Path]; ok {
		meta.Title, meta.Description = one.Title+" · Plaza", one.Intro
		meta.Lang, meta.Locale = one.Lang, locales[one.Lang]
		p.Views.AddText(&meta, strings.TrimPrefix(r.URL.Path, "/"), one.Title, one.Intro)
	}
	p.Views.AddFirstView(&meta, r)
	return meta
}

// locales has Open Graph's locales by language, as the client sets them.
var locales = map[string]string{"en": "en_US", "es": "es_ES"}

// missing describes a page that does not exist (ROUTE-20).
func (p *Pages) missing() site.Meta {
	return site.Meta{Status: http.StatusNotFound, Head: site.Head{
		Lang: "en", Locale: locales["en"], Title: "Page not found · Plaza", Robots: site.NoIndex, ImageBase: p.SiteURL,
	}}
}

// lookUp sets what the database knows of a page. isDone means that nothing else is to be
// shown.
func (p *Pages) lookUp(meta *site.Meta, r *http.Request, page kind, key string) (isDone bool) {
	known, err := find(r.Context(), p.DB, r.URL.EscapedPath(), key)
	if err != nil {
		// The client asks again, and shows what is wrong.
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
		*meta = p.missing()
		return true
	}
	meta.Tags = append(meta.Tags, businessTag(one.ID))
	own := cmp.Or(one.Path, "/business/"+one.Slug)
	// URLs below /business/ and /biz/ stay (C-26), except those by a former slug.
	isFormer := page == business && slugShape.MatchString(key) && !uuidShape.MatchString(key) && key != one.Slug
	if isFormer || page == address && one.Path != "" && one.Path != r.URL.Path {
		meta.Location = withQuery(own, r)
		return true
	}
	meta.URL = p.SiteURL + own
	meta.Lang, meta.Locale = "en", locales["en"]
	meta.Title = one.Name + " · " + one.Location + " · Plaza"
	meta.Description = cmp.Or(one.About, one.Type+" in "+one.Location+": prices, opening hours and free times. Book online on Plaza.")
	meta.Image = p.SiteURL + "/social/business/" + one.ID + ".png"
	return false
}

// withQuery returns the path of a redirect with the request's query.
func withQuery(target string, r *http.Request) string {
	if r.URL.RawQuery == "" || strings.Contains(target, "?") {
		return target
	}
	return target + "?" + r.URL.RawQuery
}
