package pages

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// A key contains what a page depends on, in a fixed order; pages of accounts and those with parameters
// for the client only have none.
func TestKeysOfKeptPages(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"/":                                "/?",
		"/about":                           "/about?",
		"/business/can-roca":               "/business/can-roca?",
		"/c/seville/hair?page=2":           "/c/seville/hair?page=2",
		"/search?page=2&find_desc=a+b":     "/search?find_desc=a+b&page=2",
		"/search?find_desc=a%20b&page=2":   "/search?find_desc=a+b&page=2",
		"/search?find_desc=a&find_desc=b":  "/search?find_desc=a&find_desc=b",
		"/category/hair?category=&open=1":  "",
		"/business/can-roca?utm_source=x":  "",
		"/search?%zz=1":                    "",
		"/dashboard":                       "",
		"/messages?business=1":             "",
		"/business/can-roca/edit":          "",
		"/no/such":                         "",
		"/search/advanced":                 "",
		"/madrid/hair/B-000001/peluqueria": "/madrid/hair/B-000001/peluqueria?",
	} {
		got, ok := key(httptest.NewRequest(http.MethodGet, address, nil))
		if got != want || ok != (want != "") {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// Tags say which changes a page shows.
func TestTagsOfKeptPages(t *testing.T) {
	t.Parallel()
	p := testPages(t)
	for address, want := range map[string][]string{
		"/":                                   {"p:/"},
		"/help":                               {"p:/help"},
		"/business/" + bakery:                 {"p:/business/" + bakery, "b:" + bakery},
		"/search":                             {"p:/search", "l:"},
		"/search?find_loc=Sevilla":            {"p:/search", "l:seville"},
		"/search/bcn/food":                    {"p:/search/bcn/food", "l:barcelona"},
		"/search/el-born?find_desc=pan":       {"p:/search/el-born", "l:"},
		"/category/food?find_loc=gr%C3%A0cia": {"p:/category/food", "l:"},
		"/c/andorra":                          {"p:/c/andorra", "l:andorra"},
		"/c/madrid/food":                      {"p:/c/madrid/food", "l:madrid"},
	} {
		meta := p.Describe(httptest.NewRequest(http.MethodGet, address, nil))
		if !slices.Equal(meta.Tags, want) || meta.IsPartial {
			t.Errorf("%s: %q (partial: %t), want %q", address, meta.Tags, meta.IsPartial, want)
		}
	}
}
