package firstview

import (
	"log/slog"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"plaza/client"
	"plaza/server/site"
)

func testViews(t *testing.T) *Views {
	t.Helper()
	v, err := New(Options{
		TileData: client.TileData(), Places: client.Places(), SiteURL: "http://plaza.test", Currency: "USD", Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Now: func() time.Time { return time.Date(2026, 11, 23, 11, 30, 0, 0, time.UTC) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestColumnsMatchClient(t *testing.T) {
	t.Parallel()
	for file, columns := range map[string]string{"business-card.ts": cardColumns, "business-details.ts": detailColumns} {
		text, err := os.ReadFile("../../client/src/features/businesses/model/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "'"+columns+"'") {
			t.Errorf("%s selects other columns than %s", file, columns)
		}
	}
}

// A page requests only what the client requests in any case.
func TestRequestsAndModules(t *testing.T) {
	t.Parallel()
	const id = "01082866-7568-44F6-8cdf-1666da4ea8f7"
	tests := []struct {
		address, module string
		has             []string // one for each request, in order
	}{
		{"/", "home", []string{"categories-plaza"}},
		{"/business/" + id, "business", []string{"id=eq." + strings.ToLower(id), "categories-plaza", "old_url=eq.%2Fbusiness%2F" + id}},
		{"/biz/can-roca", "business", []string{"slug=eq.can-roca", "categories-plaza", "url_redirects"}},
		{"/business/can-roca/", "business", []string{"slug=eq.can-roca", "categories-plaza", "url_redirects"}},
		{"/search", "search", []string{"categories-plaza", "best_businesses?limit=12&offset=0", "promoted_businesses?limit=2&offset=0", "count_businesses"}},
		{"/search?find_desc=a+b&find_loc=Sevilla&category=Hair%20Salons&page=3", "search", []string{"categories-plaza",
			"best_businesses?category=Hair+Salons&find_desc=a+b&find_loc=Sevilla&limit=12&offset=24", "limit=2&offset=4", "count_businesses?category=Hair+Salons&find_desc=a+b&find_loc=Sevilla", "search_meaning?find_desc=a+b"}},
		{"/search?find_desc=%20a", "search", []string{"categories-plaza"}},
		{"/search?find_desc=a%26b", "search", []string{"categories-plaza"}},
		{"/search?find_desc=" + strings.Repeat("a", 101), "search", []string{"categories-plaza"}},
		{"/search?find_desc=a&rating=4", "search", []string{"categories-plaza"}},
		{"/search?page=1", "search", []string{"categories-plaza"}},
		{"/search?page=-1", "search", []string{"categories-plaza"}},
		{"/search/sevilla?page=2", "search", []string{"categories-plaza", "best_businesses?find_loc=Seville&limit=12&offset=12", "promoted_businesses?find_loc=Seville", "count_businesses?find_loc=Seville"}},
		{"/search/el-born?find_desc=a", "search", []string{"categories-plaza", "best_businesses?find_desc=a&find_loc=el+born&", "promoted", "count", "search_meaning?find_desc=a"}},
		{"/search/barcelona?find_loc=Madrid", "search", []string{"categories-plaza"}},
		{"/search/a%26b", "search", []string{"categories-plaza"}},
		{"/search/barcelona/hair", "search", []string{"categories-plaza"}},
		{"/search/advanced", "", nil},
		{"/search/", "", nil},
		{"/search//", "", nil},
		{"//", "", nil},
		{"/c/", "", nil},
		{"/category/", "", nil},
		{"/business", "", nil},
		{"/category/hair", "category", []string{"categories-plaza"}},
		{"/c/seville", "city", []string{"cities?", "city_counts", "category_counts", "categories-plaza", "old_url=eq.%2Fc%2Fseville", "rpc/search_businesses?find_loc=seville"}},
		{"/c/seville/hair", "city-category", []string{"cities?", "city_counts", "category_counts", "categories-plaza", "old_url=eq.%2Fc%2Fseville%2Fhair"}},
		{"/c/a%2Cb", "", nil},
		{"/business/new", "", nil},
		{"/business/edit/" + id, "", nil},
		{"/business/B-000001", "", nil},
		{"/admin", "", nil},
		{"/biz/..%2f..", "", nil},
	}
	for _, tt := range tests {
		var meta site.Meta
		testViews(t).addScreen(&meta, httptest.NewRequest("GET", tt.address, nil))
		modules, requests := meta.Modules, meta.Requests
		var want []string
		if tt.module != "" {
			want = []string{"src/app/routes/" + tt.module + ".tsx"}
		}
		if tt.module == "search" && strings.HasPrefix(tt.address, "/search/") {
			want = append(want, places)
		}
		if !slices.Equal(modules, want) {
			t.Errorf("%s: modules %v", tt.address, modules)
		}
		if len(requests) != len(tt.has) {
			t.Errorf("%s: %d requests, want %d", tt.address, len(requests), len(tt.has))
			continue
		}
		for i, request := range requests {
			if !strings.HasPrefix(request.Path, "/rest/v1/") || !strings.Contains(request.Path, tt.has[i]) {
				t.Errorf("%s: requests %s, want %s", tt.address, request.Path, tt.has[i])
			}
		}
	}
}

// A category in a path is requested by its name, which is in the first answer.
func TestCategoryRequestsUseTheName(t *testing.T) {
	t.Parallel()
	all := []*site.Answer{{Body: []byte(`[{"category_name":"Shopping","category_code":"shopping"},
		{"category_name":"Beauty & Spas","category_code":"beautysvc"},{"category_name":"Shopping","category_code":"other","parent_category":"beautysvc"}]`)}}
	for address, want := range map[string]string{
		"/category/beautysvc":            "best_businesses?category=Beauty+%26+Spas&limit",
		"/category/beauty-spas":          "best_businesses?category=Beauty+%26+Spas&limit",
		"/category/shopping?find_loc=b":  "best_businesses?category=Shopping&find_loc=b&limit",
		"/search/sevilla/shopping":       "best_businesses?category=Shopping&find_loc=Seville&limit",
		"/category/none":                 "",
		"/search/barcelona/none":         "",
		"/category/other?category=x":     "-",
		"/search/x/shopping?find_loc=no": "-",
	} {
		var meta site.Meta
		testViews(t).addScreen(&meta, httptest.NewRequest("GET", address, nil))
		switch {
		case want == "-":
			if meta.Next != nil || meta.Draw != nil {
				t.Errorf("%s is rendered", address)
			}
			continue
		case len(meta.Requests) != 1 || meta.Next == nil || meta.Draw == nil:
			t.Fatalf("%s: %+v", address, meta)
		}
		requests := meta.Next(all)
		if want == "" && len(requests) != 0 || want != "" && (len(requests) != 3 || !strings.Contains(requests[0].Path, want)) {
			t.Errorf("%s requests %v, want %s", address, requests, want)
		}
		if requests := meta.Next([]*site.Answer{nil}); len(requests) != 0 {
			t.Errorf("%s requests %v without an answer", address, requests)
		}
	}
}
