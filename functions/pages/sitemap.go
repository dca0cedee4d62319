package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"plaza/functions/words"
	"plaza/server/claims"
	"plaza/server/lazyregexp"
	"plaza/server/pg"
)

// sizes are limits of sitemaps.
type sizes struct {
	file int // most URLs in a sitemap
	read int // most URLs that are in memory at once
}

// protocolSizes has the limit of https://www.sitemaps.org/protocol.html.
var protocolSizes = sizes{file: 50_000, read: 1000}

const cacheHour = "public, max-age=3600"

// entry is a URL of a sitemap.
type entry struct {
	Path    string
	Changed time.Time // zero if unknown
	ID      string    // of a business
}

// Businesses are read by id in parts, so that a sitemap is sent while it is read and a
// part that is read again on another connection is not sent twice. $2 is the number of
// businesses in the sitemaps before this one.
const (
	firstBusinesses = businessEntries + `
		where b.id >= (select o.id from public.businesses o order by o.id offset $2::bigint limit 1)
		order by b.id limit $1::integer`
	nextBusinesses  = businessEntries + ` where b.id > $2::uuid order by b.id limit $1::integer`
	businessEntries = `
		select json_build_object('ID', b.id, 'Changed', b.updated_at,
			'Path', coalesce(case when b.migrated_url then b.url_path end, '/business/' || b.slug))
		from public.businesses b`
	countBusinesses = `select json_build_object('Count', count(*)) from public.businesses`

	// Only places and categories with businesses have pages that are indexed.
	placeEntries = `
		select json_build_object('Path', path) from (
			select '/c/' || c.slug as path from public.city_counts c where c.businesses > 0
			union all
			select '/search/' || c.slug from public.city_counts c where c.businesses > 0
			union all
			select case k.city_slug when '' then '/category/' else '/c/' || k.city_slug || '/' end || k.category_code
			from public.category_counts k
			order by path limit $1::integer) pages`
)

// Routes serves robots.txt and the sitemaps: /sitemap.xml lists /sitemaps/pages.xml and
// /sitemaps/businesses-{n}.xml.
func (p *Pages) Routes() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /robots.txt":      http.HandlerFunc(p.serveRobots),
		"GET /sitemap.xml":     http.HandlerFunc(p.serveIndex),
		"GET /sitemaps/{file}": http.HandlerFunc(p.serveSitemap),
	}
}

func (p *Pages) serveRobots(w http.ResponseWriter, _ *http.Request) {
	var text bytes.Buffer
	text.WriteString("User-agent: *\n")
	for _, one := range routes {
		if one.kind == private && !bytes.ContainsRune([]byte(one.pattern), ':') {
			text.WriteString("Disallow: " + one.pattern + "$\nDisallow: " + one.pattern + "?\n")
		}
	}
	text.WriteString("Disallow: /business/edit/\nAllow: /\n\nSitemap: " + p.SiteURL + "/sitemap.xml\n")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", cacheHour)
	_, _ = w.Write(text.Bytes()) // fails only if the client has disconnected
}

func (p *Pages) serveIndex(w http.ResponseWriter, r *http.Request) {
	var all struct{ Count int }
	if err := p.read(r.Context(), countBusinesses, func(row []byte) error { return json.Unmarshal(row, &all) }); err != nil {
		p.fail(w, r, err)
		return
	}
	out := newXML(w, "sitemapindex")
	out.add("sitemap", p.SiteURL+"/sitemaps/pages.xml", time.Time{})
	for n := 1; (n-1)*p.sizes.file < all.Count; n++ {
		out.add("sitemap", fmt.Sprintf("%s/sitemaps/businesses-%d.xml", p.SiteURL, n), time.Time{})
	}
	out.end()
}

var businessesFile = lazyregexp.New(`^businesses-([1-9][0-9]{0,4})\.xml$`)

func (p *Pages) serveSitemap(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("file")
	if name == "pages.xml" {
		p.servePages(w, r)
		return
	}
	parts := businessesFile().FindStringSubmatch(name)
	if parts == nil {
		http.NotFound(w, r)
		return
	}
	number, _ := strconv.Atoi(parts[1]) // digits, by the pattern
	p.serveBusinesses(w, r, number)
}

// servePages lists the public pages that are not of a business.
func (p *Pages) servePages(w http.ResponseWriter, r *http.Request) {
	places, err := p.entries(r.Context(), placeEntries, strconv.Itoa(p.sizes.file-len(routes)))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	out := newXML(w, "urlset")
	for _, one := range routes {
		if one.kind == public && one.pattern != "/en" && !bytes.ContainsRune([]byte(one.pattern), ':') {
			out.addPage(p.SiteURL, one.pattern, time.Time{})
		}
	}
	for _, one := range places {
		out.addPage(p.SiteURL, one.Path, time.Time{})
	}
	out.end()
}

// serveBusinesses lists the businesses of a sitemap.
func (p *Pages) serveBusinesses(w http.ResponseWriter, r *http.Request, number int) {
	part, err := p.entries(r.Context(), firstBusinesses, strconv.Itoa(p.sizes.read), strconv.Itoa((number-1)*p.sizes.file))
	if err != nil {
		p.fail(w, r, err)
		return
	}
	if len(part) == 0 && number > 1 {
		http.NotFound(w, r)
		return
	}
	out := newXML(w, "urlset")
	for sent := 0; len(part) > 0; {
		for _, one := range part[:min(len(part), p.sizes.file-sent)] {
			out.addPage(p.SiteURL, one.Path, one.Changed)
		}
		if sent += len(part); sent >= p.sizes.file || len(part) < p.sizes.read {
			break
		}
		if part, err = p.entries(r.Context(), nextBusinesses, strconv.Itoa(p.sizes.read), part[len(part)-1].ID); err != nil {
			p.Log.WarnContext(r.Context(), "a sitemap was not sent whole", "error", err)
			panic(http.ErrAbortHandler) // a sitemap that ends early would look whole
		}
	}
	out.end()
}

// entries reads entries with the rights of anon.
func (p *Pages) entries(ctx context.Context, statement string, args ...string) (all []entry, err error) {
	err = p.read(ctx, statement, func(row []byte) error {
		var one entry
		if err := json.Unmarshal(row, &one); err != nil {
			return err
		}
		all = append(all, one)
		return nil
	}, args...)
	return all, err
}

func (p *Pages) read(ctx context.Context, statement string, scan func(row []byte) error, args ...string) error {
	values := make([][]byte, len(args))
	for i, one := range args {
		values[i] = []byte(one)
	}
	_, err := p.DB.QueryAsCaller(ctx, claims.ForRole(claims.Anon), pg.Settings{ReadOnly: true},
		pg.Statement{SQL: statement, Args: values}, func(row [][]byte) error { return scan(row[0]) })
	if err != nil {
		return fmt.Errorf("read a sitemap: %w", err)
	}
	return nil
}

func (p *Pages) fail(w http.ResponseWriter, r *http.Request, err error) {
	p.Log.WarnContext(r.Context(), "cannot list the pages", "error", err)
	http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
}

// sitemapXML writes a sitemap or an index of them.
type sitemapXML struct {
	w    http.ResponseWriter
	root string
}

func newXML(w http.ResponseWriter, root string) *sitemapXML {
	w.Header().Set("Content-Type", "application/xml; charset=utf-8")
	w.Header().Set("Cache-Control", cacheHour)
	out := &sitemapXML{w, root}
	out.write(xml.Header + "<" + root + ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">` + "\n")
	return out
}

// add adds an element, with further XML inside.
func (x *sitemapXML) add(element, location string, changed time.Time, inner ...string) {
	modified := ""
	if !changed.IsZero() {
		modified = "<lastmod>" + changed.UTC().Format(time.RFC3339) + "</lastmod>"
	}
	x.write("<" + element + "><loc>" + escape(location) + "</loc>" + modified + strings.Join(inner, "") + "</" + element + ">\n")
}

// addPage adds a page by its path without a language, with its URLs in all languages.
func (x *sitemapXML) addPage(site, path string, changed time.Time) {
	var others []string
	for _, language := range words.Languages {
		others = append(others, `<xhtml:link rel="alternate" hreflang="`+language+`" href="`+escape(site+words.Path(language, path))+`"/>`)
	}
	x.add("url", site+path, changed, others...)
}

func escape(text string) string {
	var escaped bytes.Buffer
	_ = xml.EscapeText(&escaped, []byte(text)) // into memory
	return escaped.String()
}

func (x *sitemapXML) end() { x.write("</" + x.root + ">\n") }

func (x *sitemapXML) write(text string) {
	_, _ = x.w.Write([]byte(text)) // fails only if the client has disconnected
}
