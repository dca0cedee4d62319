package pages

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plaza/client"
	"plaza/functions/firstview"
	"plaza/server/site"
	"plaza/tests/testkit/restkit"
)

const (
	bakery = "00000000-0000-4000-8000-0000000000b1"
	garage = "00000000-0000-4000-8000-0000000000b2"
)

// A bakery that was renamed twice, and a garage with a migrated URL; the bakery's former
// address redirects to another redirect.
const shops = `
	insert into businesses (id, name, type, location, category_code, description) values
		('` + bakery + `', 'Forn Vell', 'Bakery', 'Gràcia, Barcelona', 'food', 'Pa de pagès.'),
		('` + garage + `', 'Taller Roca', 'Garage', 'Encamp, Andorra', 'auto', null);
	update businesses set name = 'Forn Nou' where id = '` + bakery + `';
	update businesses set name = 'Forn del Barri' where id = '` + bakery + `';
	update businesses set url_path = '/andorra/auto/` + garage + `/taller-roca', migrated_url = true where id = '` + garage + `';
	insert into url_redirects (old_url, new_url) values
		('/old/bakery', '/older/bakery'), ('/older/bakery', '/business/forn-del-barri'), ('/gone', '/about'),
		('/off', '/about'), ('/c/barcelona', '/c/madrid');
	update url_redirects set is_active = false where old_url = '/off';`

func testPages(t *testing.T) *Pages {
	t.Helper()
	api := restkit.Marketplace(t, shops)
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	views, err := firstview.New(firstview.Options{
		TileData: client.TileData(), Places: client.Places(), SiteURL: "https://plaza.example", Currency: "EUR", Now: time.Now, Log: log,
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Options{DB: api.ServerDB, SiteURL: "https://plaza.example/", Views: views, Texts: client.InfoPages(), Now: time.Now, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The server knows the same routes as the client, or it would answer 404 for pages that exist.
func TestRoutesMatchClient(t *testing.T) {
	t.Parallel()
	router, paths := read(t, "app/router.tsx"), read(t, "lib/paths.ts")
	var want []string
	for _, one := range regexp.MustCompile(`path: (?:'([^']+)'|paths\.(\w+))`).FindAllStringSubmatch(router, -1) {
		pattern := one[1]
		if one[2] != "" {
			named := regexp.MustCompile(`\b` + one[2] + `: '([^']+)'`).FindStringSubmatch(paths)
			if named == nil {
				t.Fatalf("paths.%s is no constant", one[2])
			}
			pattern = named[1]
		}
		if pattern != "*" && pattern != "/dev" {
			want = append(want, pattern)
		}
	}
	var got []string
	for _, one := range routes {
		got = append(got, one.pattern)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("routes (-client +server):\n%s", diff)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../client/src/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ROUTE-20, ROUTE-36, ROUTE-37, C-26, C-27, C-28, S-52: each path is found, moved or unknown.
func TestPaths(t *testing.T) {
	t.Parallel()
	p := testPages(t)
	const found, moved, missing = http.StatusOK, http.StatusMovedPermanently, http.StatusNotFound
	garagePath := "/andorra/auto/" + garage + "/taller-roca"
	for path, want := range map[string]struct {
		status int
		target string // where it moved, or its canonical URL; empty for one that is not indexed
	}{
		"/":                      {found, "/"},
		"/en":                    {found, "/en"},
		"/es":                    {found, "/"},
		"/ca":                    {found, "/ca"},
		"/es/about":              {found, "/es/about"},
		"/es/about/":             {moved, "/es/about"},
		"/ca/gone?utm=1":         {moved, "/ca/about?utm=1"},
		"/ca/c/sevilla":          {moved, "/ca/c/seville"},
		"/ca/c/seville":          {found, "/ca/c/seville"},
		"/es/no-such":            {missing, ""},
		"/es/en":                 {missing, ""},
		"/en/about":              {missing, ""},
		"/es/dashboard":          {found, ""},
		"/ca/business/" + bakery: {found, "/ca/business/forn-del-barri"},
		"/es/biz/forn-vell":      {moved, "/es/business/forn-del-barri"},
		"/es" + garagePath:       {found, "/es" + garagePath},
		"/about":                 {found, "/about"},
		"/about/":                {moved, "/about"},
		"/search?page=2":         {found, "/search"},
		"/admin?tab=x":           {found, ""},
		"/dashboard":             {found, ""},
		"/business/new":          {found, ""},
		"/no-such":               {missing, ""},
		"/a/b/c":                 {missing, ""},
		"/business":              {missing, ""},
		"/gone":                  {moved, "/about"},
		"/gone?utm=1":            {moved, "/about?utm=1"},
		"/off":                   {missing, ""},
		"/old/bakery":            {moved, "/business/forn-del-barri"}, // the chain's end
		"/c/barcelona":           {moved, "/c/madrid"},
		"/c/sevilla":             {moved, "/c/seville"},
		"/c/sevilla/auto":        {moved, "/c/seville/auto"},
		"/c/seville":             {found, "/c/seville"},

		"/business/" + bakery:                  {found, "/business/forn-del-barri"}, // ROUTE-14
		"/business/" + strings.ToUpper(bakery): {found, "/business/forn-del-barri"},
		"/biz/forn-del-barri":                  {found, "/business/forn-del-barri"}, // ROUTE-15
		"/business/forn-nou":                   {moved, "/business/forn-del-barri"},
		"/biz/forn-vell?utm=1":                 {moved, "/business/forn-del-barri?utm=1"},
		"/business/nobody":                     {missing, ""},
		"/business/" + bakery[:35] + "9":       {missing, ""},
		"/barcelona/food/" + bakery + "/forn":  {found, "/business/forn-del-barri"}, // ROUTE-16, not migrated

		"/business/" + garage:                {found, garagePath},
		"/business/taller-roca":              {found, garagePath},
		garagePath:                           {found, garagePath},
		"/encamp/auto/" + garage + "/taller": {moved, garagePath},
		"/business/" + strings.ReplaceAll(garagePath, "/", "%2F"): {found, garagePath},
		"/a/b/no-such/d": {missing, ""},
	} {
		meta := p.Describe(httptest.NewRequest(http.MethodGet, path, nil))
		status, target := max(found, meta.Status), strings.TrimPrefix(meta.URL, "https://plaza.example")
		if meta.Location != "" {
			status, target = moved, meta.Location
		}
		if meta.Robots != "" {
			target = ""
		}
		if status != want.status || target != want.target {
			t.Errorf("%s: %d %q, want %d %q", path, status, target, want.status, want.target)
		}
	}
}

// BIZ-04: the contents of the head of a business's page.
func TestHeadOfABusiness(t *testing.T) {
	t.Parallel()
	p := testPages(t)
	meta := p.Describe(httptest.NewRequest(http.MethodGet, "/business/"+bakery, nil))
	want := site.Head{
		Lang: "en", Locale: "en_US", Title: "Forn del Barri · Gràcia, Barcelona · Plaza", Description: "Pa de pagès.",
		URL: "https://plaza.example/business/forn-del-barri", Image: "https://plaza.example/social/business/" + bakery + ".png", ImageBase: "https://plaza.example",
		ImageAlt: "Forn del Barri",
	}
	for language, prefix := range map[string]string{"en": "", "es": "/es", "ca": "/ca"} {
		if !slices.Contains(meta.Alternates, site.Alternate{Lang: language, URL: "https://plaza.example" + prefix + "/business/forn-del-barri"}) {
			t.Errorf("no page in %s among %v", language, meta.Alternates)
		}
	}
	meta.Alternates = nil
	if diff := cmp.Diff(want, meta.Head); diff != "" {
		t.Errorf("Head (-want +got):\n%s", diff)
	}
	meta = p.Describe(httptest.NewRequest(http.MethodGet, "/business/"+garage, nil))
	if !strings.HasPrefix(meta.Description, "Garage in Encamp, Andorra") {
		t.Errorf("without a description: %q", meta.Description)
	}
	for path, want := range map[string]string{
		"/": "Un mosaico de baldosas hidráulicas de colores", "/en": "A mosaic of coloured hydraulic tiles", "/ca": "Un mosaic de rajoles hidràuliques de colors",
		"/help": "A mosaic of coloured hydraulic tiles", "/es/help": "Un mosaico de baldosas hidráulicas de colores",
	} {
		if meta := p.Describe(httptest.NewRequest(http.MethodGet, path, nil)); meta.ImageAlt != want {
			t.Errorf("%s: image described as %q, want %q", path, meta.ImageAlt, want)
		}
	}
	if meta := p.Describe(httptest.NewRequest(http.MethodGet, "/help", nil)); meta.Title != "Help · Plaza" || meta.Lang != "en" || meta.Description == "" {
		t.Errorf("a text page: %+v", meta.Head)
	}
}

func fetch(t *testing.T, p *Pages, path string) (status int, body string) {
	t.Helper()
	mux := http.NewServeMux()
	for pattern, handler := range p.Routes() {
		mux.Handle(pattern, handler)
	}
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, path, nil))
	return recorder.Code, recorder.Body.String()
}

var location = regexp.MustCompile(`<loc>https://plaza\.example([^<]*)</loc>(<lastmod>[0-9TZ:-]+</lastmod>)?`)

// Sitemaps list each canonical URL once, over several reads and files.
func TestSitemaps(t *testing.T) {
	t.Parallel()
	api := restkit.Marketplace(t, shops+`
		insert into businesses (name, type, location, category_code)
		select 'Shop ' || n, 'Shop', 'Madrid', 'shopping' from generate_series(1, 10) n`)
	p := &Pages{Options: Options{DB: api.ServerDB, SiteURL: "https://plaza.example", Log: slog.New(slog.DiscardHandler)}, sizes: sizes{file: 5, read: 2}}
	status, index := fetch(t, p, "/sitemap.xml")
	var files []string
	for _, one := range location.FindAllStringSubmatch(index, -1) {
		files = append(files, one[1])
	}
	if status != http.StatusOK || !slices.Equal(files, []string{"/sitemaps/pages.xml", "/sitemaps/businesses-1.xml", "/sitemaps/businesses-2.xml", "/sitemaps/businesses-3.xml"}) {
		t.Fatalf("%d %s", status, index)
	}
	var businesses []string
	for i, file := range files[1:] {
		status, body := fetch(t, p, file)
		listed := location.FindAllStringSubmatch(body, -1)
		if status != http.StatusOK || len(listed) != []int{5, 5, 2}[i] || !strings.HasSuffix(body, "</urlset>\n") {
			t.Errorf("%s: %d %s", file, status, body)
		}
		for _, one := range listed {
			if one[2] == "" {
				t.Errorf("%s has no lastmod", one[1])
			}
			businesses = append(businesses, one[1])
		}
	}
	slices.Sort(businesses)
	if all := len(slices.Compact(businesses)); all != 12 || !slices.Contains(businesses, "/business/forn-del-barri") ||
		!slices.Contains(businesses, fmt.Sprintf("/andorra/auto/%s/taller-roca", garage)) {
		t.Errorf("%d businesses: %v", all, businesses)
	}
	for _, path := range []string{"/sitemaps/businesses-4.xml", "/sitemaps/businesses-0.xml", "/sitemaps/businesses-99999.xml", "/sitemaps/x.xml"} {
		if status, _ := fetch(t, p, path); status != http.StatusNotFound {
			t.Errorf("%s answers %d", path, status)
		}
	}
	p.sizes = protocolSizes
	_, body := fetch(t, p, "/sitemaps/pages.xml")
	for _, path := range []string{"/", "/help", "/c/madrid", "/c/madrid/shopping", "/category/shopping", "/search/madrid"} {
		if strings.Count(body, "<loc>https://plaza.example"+path+"</loc>") != 1 {
			t.Errorf("%s is not listed once in %s", path, body)
		}
	}
	if want := `<xhtml:link rel="alternate" hreflang="ca" href="https://plaza.example/ca/c/madrid"/>`; strings.Count(body, want) != 1 {
		t.Errorf("no %s in %s", want, body)
	}
	if strings.Contains(body, "/dashboard") || strings.Contains(body, "/c/bilbao") {
		t.Errorf("pages without content are listed: %s", body)
	}
}

func TestRobots(t *testing.T) {
	t.Parallel()
	p := &Pages{Options: Options{SiteURL: "https://plaza.example"}}
	_, body := fetch(t, p, "/robots.txt")
	for _, line := range []string{"Disallow: /admin$", "Disallow: /admin?", "Allow: /", "Sitemap: https://plaza.example/sitemap.xml"} {
		if !strings.Contains(body, line+"\n") {
			t.Errorf("no %q in %s", line, body)
		}
	}
}

// Issue 19: pages in another language load its texts first.
func TestTextsOfALanguage(t *testing.T) {
	t.Parallel()
	p := testPages(t)
	for path, want := range map[string]string{
		"/": "", "/about": "", "/auth": "", "/en": "src/texts/en.ts", "/es/about": "src/texts/es.ts", "/ca": "src/texts/ca.ts", "/ca/no-such": "src/texts/ca.ts",
		"/ca/auth?mode=register": "src/texts/ca.ts src/texts/ca/more.ts", "/ca/unsubscribe": "src/texts/ca.ts src/texts/ca/more.ts", "/es/plans": "src/texts/es.ts src/texts/es/more.ts",
	} {
		if got := strings.Join(p.Describe(httptest.NewRequest(http.MethodGet, path, nil)).Scripts, " "); got != want {
			t.Errorf("%s loads %q, want %q", path, got, want)
		}
	}
}
