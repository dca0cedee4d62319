package firstview

import (
	"encoding/json"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"plaza/functions/words"
	"plaza/server/site"
)

const (
	someCategories = `[{"category_name":"Restaurants","category_code":"restaurants","parent_category":null},
		{"category_name":"Tapas","category_code":"tapas","parent_category":"restaurants"}]`
	bold  = `{"id":"8c0e","owner_id":null,"name":"<b>Bold</b>","type":"Bar","location":"Sevilla","phone":null,"image_url":"javascript:alert(1)","hours":{"structured":{"monday":{}}},"rating":4.25,"combined_rating":null,"user_ratings_total":1234,"category_code":"tapas","time_zone":"Europe/Madrid","price_from":1025.5}`
	owned = `{"id":"9d1f","owner_id":"u","name":"Ses Illes","type":"Bar","location":"Sevilla","phone":"+34 600","image_url":"http://plaza.test/storage/v1/object/public/b/a.png","hours":null,"rating":3,"combined_rating":5,"user_ratings_total":1,"category_code":null,"time_zone":"Mars/Base","price_from":0}`
)

// render returns the HTML of an address's first view. bodies are the answers to its requests
// in order; "" means that there is no answer.
func render(t *testing.T, address string, bodies ...string) string {
	t.Helper()
	return string(view(t, address, bodies...).HTML)
}

func view(t *testing.T, address string, bodies ...string) site.View {
	t.Helper()
	var meta site.Meta
	testViews(t).addScreen(&meta, httptest.NewRequest("GET", address, nil))
	if meta.Draw == nil {
		return site.View{}
	}
	answers := make([]*site.Answer, max(len(meta.Requests), len(bodies)))
	for i, body := range bodies {
		if body != "" {
			answers[i] = &site.Answer{Status: 200, Range: "0-1/30", Body: json.RawMessage(body)}
		}
	}
	return meta.Draw(answers)
}

func wantParts(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(page, part) {
			t.Errorf("lacks %s:\n%s", part, page)
		}
	}
}

func TestResults(t *testing.T) {
	t.Parallel()
	page := render(t, "/search?find_desc=bar&find_loc=Sevilla&page=2", someCategories, "["+bold+","+owned+"]", "["+owned+"]", "30")
	wantParts(t, page, "bar in Sevilla", "Showing 2 of 30 results (Page 2 of 3)", "&lt;b&gt;Bold&lt;/b&gt;", "Rated 4.3 out of 5, 1,234 reviews", "(1,234)",
		"Open until 17:00", `from <span class="font-semibold text-ink">$1,025.50</span>`, ">Free</span>", "Rated 5.0 out of 5, 1 review<", "Promoted", "Hours not available",
		"/storage/v1/render/image/public/b/a.png?width=320&amp;quality=75 320w", `href="/search?find_desc=bar&amp;find_loc=Sevilla&amp;page=3"`)
	for _, part := range []string{"<b>", "javascript:", "ZgotmplZ<"} {
		if strings.Contains(page, part) {
			t.Errorf("holds %s", part)
		}
	}
	if strings.Contains(page, "No business has") {
		t.Error("an uncorrected text is shown as corrected")
	}
	page = render(t, "/search?find_desc=Peluqería,+xyzzy+barata", someCategories, "["+bold+"]", "[]", "1", `[{"typed":"peluqeria","meant":"peluquería"},{"typed":"xyzzy","meant":null}]`)
	wantParts(t, page, `Showing results for <a href="/search?find_desc=peluquer%C3%ADa&#43;barata"`, ">peluquería barata</a>", "No business has “peluqeria” or “xyzzy”.")
	page = render(t, "/search?find_desc=bar", someCategories, "["+bold+","+owned+"]", "["+owned+"]", "30", "[]")
	if strings.Count(page, "Ses Illes") != 1 {
		t.Error("a promoted business is listed twice")
	}
}

// Errors, empty results, redirects and missing answers leave the first view empty.
func TestEmptyView(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why, address string
		bodies       []string
	}{
		{"no answers", "/search", []string{"", "", ""}},
		{"no results", "/search", []string{someCategories, "[]", "[]"}},
		{"error instead of rows", "/search", []string{someCategories, `{"message":"x"}`, "[]"}},
		{"filters", "/search?rating=4", []string{someCategories}},
		{"no such business", "/business/can-roca", []string{"[]", someCategories, "[]"}},
		{"redirect", "/business/can-roca", []string{"[" + bold + "]", someCategories, `[{"new_url":"/x"}]`}},
		{"no answer about a redirect", "/business/can-roca", []string{"[" + bold + "]", someCategories, ""}},
		{"no categories", "/", []string{""}},
		{"an empty city", "/c/lugo", []string{`[{"slug":"lugo","name":"Lugo"}]`, `[{"businesses":0}]`, "[]", someCategories, "[]"}},
		{"no such city", "/c/lugo", []string{"[]", "[]", "[]", someCategories, "[]"}},
		{"unknown page", "/admin", nil},
	}
	for _, tt := range tests {
		if page := render(t, tt.address, tt.bodies...); page != "" {
			t.Errorf("%s: rendered %s", tt.why, page)
		}
	}
}

func TestBusinessPage(t *testing.T) {
	t.Parallel()
	withServices := strings.TrimSuffix(owned, "}") + `,"address":"Calle 1","logo":null,"description":"A & B","tagline":"Since 1920",
		"services":[{"name":"Cut","description":null,"price":1234.5,"duration":90},{"name":"b","price":1,"duration":60},{"name":"c","price":1,"duration":30},
		{"name":"d","price":1,"duration":0},{"name":"Fifth","price":1,"duration":30}],
		"photos":[{"photo_url":"https://elsewhere.test/1.png","caption":"Door"},{"photo_url":"http://plaza.test/storage/v1/object/public/b/a.png","caption":"Cover"}]}`
	page := render(t, "/biz/ses-illes", "["+withServices+"]", someCategories, "[]")
	wantParts(t, page, "<h1 ", "Ses Illes", "Since 1920", "A &amp; B", "$1,234.50", "1 h 30 min", "1 h<", "0 min", "View all services", "View all 2 photos",
		`alt="Cover"`, `src="https://elsewhere.test/1.png"`, "Book Now", "Calle 1")
	if strings.Contains(page, "Fifth") {
		t.Error("more services than the first four")
	}
	page = render(t, "/biz/bold", "["+bold+"]", someCategories, "[]")
	wantParts(t, page, `href="/category/tapas" class="reach`, "No services available.", "has not added a description yet", "Rated 4.3 out of 5")
	page = render(t, "/biz/bold", "["+strings.Replace(bold, "{", `{"city":{"slug":"seville","name":"Seville"},`, 1)+"]", someCategories, "[]")
	wantParts(t, page, `href="/c/seville" class="reach hover:text-ink hover:underline">Seville</a>`, `href="/c/seville/tapas"`)
	others := `{"rating_sources":[{"source":"CSV-upload","rating":4,"count":34},{"source":"Guía","rating":4,"count":200}],`
	page = render(t, "/biz/bold", "["+strings.Replace(bold, "{", others, 1)+"]", someCategories, "[]")
	wantParts(t, page, "1,000 on Plaza, 34 elsewhere, 200 at Guía")
	page = render(t, "/biz/bold", "["+strings.Replace(bold, "4.25", "0", 1)+"]", someCategories, "[]")
	wantParts(t, page, "New<span")
	if strings.Contains(page, "Book Now") {
		t.Error("a business without an owner can be booked")
	}
}

func TestHomeAndCity(t *testing.T) {
	t.Parallel()
	wantParts(t, render(t, "/", someCategories), "Descubre los mejores servicios", "Restaurantes", `href="/search?category=Restaurants"`, `href="/c/malaga"`)
	page := render(t, "/c/seville", `[{"slug":"seville","name":"Seville","country":"Spain"}]`, `[{"businesses":1234}]`,
		`[{"category_name":"Restaurants","category_code":"restaurants","parent_category":null,"businesses":1},{"category_name":"Tapas","category_code":"tapas","parent_category":"restaurants","businesses":1}]`,
		someCategories, "[]", "["+owned+"]")
	wantParts(t, page, "Ses Illes", `<span class="stars"`, "Free today", "Businesses in Seville", "1,234 businesses", "1 business<", `href="/c/seville/restaurants"`, "one of the places Plaza serves in Spain")
	if strings.Contains(page, "Tapas") {
		t.Error("a city's page shows its top categories only")
	}
}

// The footer links to the largest cities and categories, and is left out where they are unknown.
func TestFooter(t *testing.T) {
	t.Parallel()
	const places = `[{"slug":"las-palmas","name":"Las Palmas"}]`
	const kinds = `[{"category_code":"beautysvc","category_name":"Beauty & Spas"}]`
	draw := func(bodies ...string) string {
		var meta site.Meta
		testViews(t).AddFirstView(&meta, httptest.NewRequest("GET", "/category/tapas", nil))
		answers := make([]*site.Answer, 6) // categories, the footer's two, and those of the results
		for i, body := range bodies {
			if body != "" {
				answers[i] = &site.Answer{Status: 200, Body: json.RawMessage(body)}
			}
		}
		return string(meta.Draw(answers).HTML)
	}
	page := draw(someCategories, places, kinds, "["+bold+"]", "[]", "1")
	wantParts(t, page, ">Tapas</h1>", "&lt;b&gt;Bold", `aria-label="Cities"`, `href="/c/las-palmas"`, `href="/category/beautysvc"`, ">Beauty &amp; Spas</a>", "</footer>")
	page = draw(someCategories, "", kinds, "["+bold+"]", "[]", "1")
	if strings.Contains(page, `aria-label="Cities"`) || !strings.Contains(page, `aria-label="Categories"`) {
		t.Errorf("without cities: %s", page)
	}
	if page := draw(someCategories, places, kinds, "[]", "[]", "0"); page != "" {
		t.Errorf("a page that the client renders has %s", page)
	}
}

// Text pages have their title and introduction, most of them a breadcrumb.
func TestTextPages(t *testing.T) {
	t.Parallel()
	for name, crumbs := range map[string]bool{"help": true, "plans": false} {
		var meta site.Meta
		testViews(t).AddText(&meta, name, "Bold & new", "An introduction.")
		page := string(meta.Draw(nil).HTML)
		wantParts(t, page, ">Bold &amp; new</h1>", "An introduction.")
		if strings.Contains(page, `aria-label="Breadcrumb"`) != crumbs {
			t.Errorf("%s: breadcrumb is %t", name, !crumbs)
		}
	}
}

// All links of a page in a language lead to pages in it, home among them.
func TestLinksStayInTheirLanguage(t *testing.T) {
	t.Parallel()
	for path, home := range map[string]string{"/es/help": "/es", "/ca/help": "/ca", "/help": "/", "/en": "/en"} {
		var meta site.Meta
		in, _ := words.Of(path, nil)
		testViews(t).In(in).AddText(&meta, "help", "Help", "An introduction.")
		page := string(meta.Draw(nil).HTML)
		wantParts(t, page, `href="`+home+`"`, `href="`+in.Prefix+`/about"`)
		for _, link := range regexp.MustCompile(`(?:href|action)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			rest, isPrefixed := strings.CutPrefix(link[1], in.Prefix)
			if !isPrefixed || in.Prefix != "" && strings.HasPrefix(rest, in.Prefix) {
				t.Errorf("%s links to %s", path, link[1])
			}
		}
	}
}

func TestCategoryPages(t *testing.T) {
	t.Parallel()
	page := render(t, "/category/restaurants?find_loc=Sevilla", someCategories, "["+bold+"]", "[]", "30")
	wantParts(t, page, ">Restaurants in Sevilla</h1>", ">Businesses</h2>", "<option>All Restaurants</option>", `aria-label="More like Restaurants"`,
		`<a href="/category/tapas"`, `href="/category/restaurants?find_loc=Sevilla&amp;page=2"`)
	page = render(t, "/search/sevilla/tapas?page=2", someCategories, "["+bold+"]", "[]", "30")
	wantParts(t, page, ">Businesses in Seville</h1>", ">Tapas businesses</h2>", "<option>Tapas</option>", `rel="prev" href="/search/sevilla/tapas"`, `rel="next" href="/search/sevilla/tapas?page=3"`)
}

// A page that does not exist has status 404, but only if the answers prove it.
func TestNotFound(t *testing.T) {
	t.Parallel()
	const seville = `[{"slug":"seville","name":"Seville"}]`
	for _, tt := range []struct {
		address string
		bodies  []string
		status  int
	}{
		{"/category/none", []string{someCategories}, 404},
		{"/category/none", []string{""}, 0},
		{"/category/tapas", []string{someCategories}, 0},
		{"/search/sevilla/none", []string{someCategories}, 404},
		{"/c/none", []string{"[]", "[]", "[]", someCategories, "[]"}, 404},
		{"/c/none", []string{"[]", "[]", "[]", someCategories, `[{"new_url":"/c/seville"}]`}, 0},
		{"/c/none", []string{"[]", "[]", "[]", someCategories, ""}, 0},
		{"/c/none", []string{"", "[]", "[]", someCategories, "[]"}, 0},
		{"/c/seville/none", []string{seville, "[]", "[]", someCategories, "[]"}, 404},
		{"/c/seville/none", []string{seville, "[]", "[]", "", "[]"}, 0},
		{"/c/none/tapas", []string{"[]", "[]", "[]", someCategories, "[]"}, 404},
		{"/c/seville/tapas", []string{seville, "[]", "[]", someCategories, "[]"}, 0},
	} {
		if got := view(t, tt.address, tt.bodies...).Status; got != tt.status {
			t.Errorf("%s of %v: status %d, want %d", tt.address, tt.bodies, got, tt.status)
		}
	}
}
